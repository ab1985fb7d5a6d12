/**
 * Letters of which the slug depends on the age of WordPress or PHP: U+2011 and the schwas came into WordPress's tables after 6.1, the
 * final sigma into PHP 8.3, and the rest have a lower case since Unicode 16 and 17 only.
 */
export const NEWER_LETTERS =
  /[\u018f\u01dd\u03a3\u1c89\u2011\ua7cb-\ua7dc\u{10d50}-\u{10d65}\u{16ea0}-\u{16eb8}]/u
