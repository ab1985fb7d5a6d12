/**
 * Letters whose slug depends on the version of WordPress or PHP: U+2011 and the schwas were added to WordPress's tables after 6.1, the
 * final sigma to PHP 8.3, and the others have a lower case only since Unicode 16 and 17.
 */
export const NEWER_LETTERS =
  /[\u018f\u01dd\u03a3\u1c89\u2011\ua7cb-\ua7dc\u{10d50}-\u{10d65}\u{16ea0}-\u{16eb8}]/u
