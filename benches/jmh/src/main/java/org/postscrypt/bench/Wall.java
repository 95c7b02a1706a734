package org.postscrypt.bench;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** A benchmark that {@link Quick} measures by the clock, as its work is not on the calling thread alone. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.METHOD)
@interface Wall {}
