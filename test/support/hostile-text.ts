import fc from 'fast-check'
import { inject } from 'vitest'

const PIECES = [
  ...['&lt;', '&gt;', '&amp;', '&amp;lt;', '&amp;amp;', '&quot;', '&#039;', '&apos;', '&nbsp;'],
  ...['&#x3c;', '&#60;', '&#0038;', '&#x1F600;', '&hellip', '&bogus;', '&', '&#', ';'],
  ...[
    '<script>',
    '</script>',
    '<script>alert(1)</script>',
    '&lt;script&gt;alert(1)&lt;/script&gt;',
  ],
  ...['<b>', '</b>', '<i title="a">', '<img src=x>', '<a href="javascript:alert(1)" title=\'y\'>'],
  ...['<a href=http://x.test/?a=1&b=2>', '</a>', '<!-- x -->', '<!--', '-->', '<!-- wp:p -->'],
  ...['<?php ?>', '<![CDATA[', '<', '>', '"', "'", '\\', '\\"', "\\'", '\\0', '%20', '%0d', '%'],
  ...['%<b>20', '%\u000120', 'é', '\u00a0', '\u200d', '\u007f', '\ufeff', ' ', '  ', '\t', '\n'],
  ...['\u0001', '\u001f', 'x', 'Team', '#', '/', '0'],
]
const FOUR_BYTES = ['😀', '👩‍👩‍👧', '𝒳']

/** Texts of entities, tags, quotes, control characters and the like, in the character set of this run. */
export const hostileText = (): fc.Arbitrary<string> =>
  fc
    .array(
      fc.oneof(
        fc.constantFrom(...PIECES, ...(inject('charset') === 'utf8mb3' ? [] : FOUR_BYTES)),
        fc.string({ maxLength: 3 }),
      ),
      { maxLength: 8 },
    )
    .map((pieces) => pieces.join(''))
