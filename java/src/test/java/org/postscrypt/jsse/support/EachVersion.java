package org.postscrypt.jsse.support;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A test of every pairing and protocol version. */
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
@ParameterizedTest(name = "{0}")
@MethodSource("org.postscrypt.jsse.support.TlsCase#versions")
@Timeout(value = 30, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
public @interface EachVersion {}
