package org.postscrypt.nat;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Names what some platform lacks that is otherwise supported (Android 21, an early Java 8), and runs only where that is there, or
 * copes without. The build's check against Android's API passes over it.
 */
@Retention(RetentionPolicy.CLASS)
@Target({ElementType.TYPE, ElementType.METHOD})
public @interface Guarded {
  /** What keeps it from running elsewhere. */
  String value();
}
