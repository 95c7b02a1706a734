package org.postscrypt.nat;

/** The Java half's version, filled in by the build. */
final class Version {
  static final String VALUE = "${project.version}";

  private Version() {}
}
