import fc from 'fast-check'

const TAGS =
  'a b body button dd div dl dt form h1 html img li ol option p rp ruby section span table tbody td template th tr ul svg g foreignObject desc math mi annotation-xml font script style textarea title noscript iframe xmp noembed SCRIPT'

const ATTRIBUTES = [
  '',
  ' ',
  '/',
  ' a',
  ' a=b',
  ' A="<!-- svc/menu /-->"',
  " a='>",
  ' a="',
  '"',
  ' data-op-bind',
  ' data-op-bind="site.title"',
  " data-op-bind='href:page.url;if:item.x'",
  '\n',
  '=',
  ' color=x',
]

/** Parts of HTML, and of comments. */
const SIGNS = `< > </ /> <! <!- <!-- -- --> --!> -> <!--> <!---> ! <![CDATA[ ]]> <? " = a &amp; & 😀 [ ] <!--svc/x/--> {"a":"b"}`

const PIECES = [
  '<!doctype html>',
  "'",
  ' ',
  '\n',
  '\r\n',
  '\r',
  '\0',
  '\ufeff',
  '\ud83d',
  '<!-- svc/menu {"location":"header"} /-->',
  '<!-- svc/content /-->',
  '<!-- svc/repeat {"source":"pages"} -->',
  '<!-- svc/repeat {] -->',
  '<!-- /svc/repeat -->',
  '<!-- svc/',
  ' /-->',
]

/** If these are misplaced, a complete parser drops them, reopens them or ends them elsewhere. */
export const REARRANGED_TAGS =
  'a b body font form html tbody td template th tr annotation-xml'.split(' ')

/** Arbitrary markup: every HTML construct that affects comments, and fragments of them. */
export function randomMarkup(
  options: { references?: string[]; without?: string[] } = {},
): fc.Arbitrary<string> {
  const tag = fc.constantFrom(...TAGS.split(' ').filter((name) => !options.without?.includes(name)))
  const startTag = fc
    .tuple(tag, fc.array(fc.constantFrom(...ATTRIBUTES), { maxLength: 3 }))
    .map(([name, attributes]) => `<${name}${attributes.join('')}>`)
  const endTag = tag.map((name) => `</${name}>`)
  const pairs = (options.references ?? []).map((key) => `"${key}":"card"`)
  const reference = fc
    .subarray([...pairs, '"title":"card"', '"n": 1.0', '"\\u0061":[{}]'])
    .map((members) => `<!-- svc/frame { ${members.join(' ,\n')} } /-->`)
  const piece = fc.oneof(
    startTag,
    endTag,
    fc.constantFrom(...SIGNS.split(' '), ...PIECES),
    reference,
  )
  return fc.array(piece, { maxLength: 30, size: 'max' }).map((pieces) => pieces.join(''))
}
