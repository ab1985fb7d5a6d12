import fc from 'fast-check'
import { type PhpInput, PhpObject } from '../src/php-value.ts'
import { isIntegerLike, ownTree, type PhpNode, stringText, type Tree } from './php-model.ts'

const NASTY_TEXTS = [
  '',
  '"',
  '";}',
  '";i:1;}',
  'a:0:{}',
  's:1:"x";',
  'R:2;',
  '\0*\0x',
  'é',
  '😀',
  '}}}}',
  'N;',
  '\u{fffd}',
  '\r\n',
]

/** Text with all characters that UTF-8 can encode. */
const phpText = fc.oneof(
  fc.constantFrom(...NASTY_TEXTS),
  fc.string({ unit: 'binary', maxLength: 8 }),
)

/** Keys in any order, including those that only resemble integers or JavaScript's own properties. */
export const phpKey = fc.oneof(
  fc.integer({ min: -20, max: 20 }).map(String),
  fc.constantFrom(
    '-0',
    '012',
    '+5',
    '1.5',
    ' 1',
    '9007199254740991',
    '9007199254740993',
    '9223372036854775807',
    '-9223372036854775808',
    '9223372036854775808',
    '__proto__',
    'constructor',
    'nav_menu_locations',
  ),
  phpText,
)

const leaf = (text: string, value: PhpInput | PhpObject, slots = 1): PhpNode => ({
  kind: 'leaf',
  text,
  slots,
  value: value as PhpObject,
})

const FLOATS: [string, number][] = [
  ['1', 1],
  ['-0', -0],
  ['0.1', 0.1],
  ['1.0E+25', 1e25],
  ['-1.5E-7', -1.5e-7],
  ['INF', Number.POSITIVE_INFINITY],
  ['-INF', Number.NEGATIVE_INFINITY],
  ['NAN', Number.NaN],
  ['0.30000000000000004', 0.1 + 0.2],
]

const scalar: fc.Arbitrary<PhpNode> = fc.oneof(
  fc.constant(leaf('N;', null)),
  fc.boolean().map((value) => leaf(`b:${value ? 1 : 0};`, value)),
  fc.maxSafeInteger().map((value) => leaf(`i:${value};`, value)),
  fc.constantFrom(9223372036854775807n, -9223372036854775808n).map((big) => leaf(`i:${big};`, big)),
  fc.constantFrom(...FLOATS).map(([text, value]) => leaf(`d:${text};`, value)),
  phpText.map((text) => leaf(stringText(text), text)),
)

const classed: fc.Arbitrary<PhpNode> = fc
  .oneof(
    fc.constantFrom('E:11:"Suit:Hearts";', 'E:11:"Suit:Spades";'),
    fc.constantFrom('abc', '', 'a:1:{i:0;i:1;}', '}";').map((load) => {
      return `C:5:"Crate":${load.length}:{${load}}`
    }),
  )
  .map((text) => leaf(text, new PhpObject(text)))

/** Public, protected and private members, with names mangled like in PHP. */
const memberName = fc
  .tuple(fc.constantFrom('', '', '\0*\0', '\0Lost\\Thing\0'), fc.constantFrom('a', 'b', 'ü', '12'))
  .map(([mangling, name]) => mangling + name)

const uniqueEntries = (
  key: fc.Arbitrary<string>,
  node: fc.Arbitrary<PhpNode>,
): fc.Arbitrary<{ key: string; node: PhpNode }[]> =>
  fc.uniqueArray(fc.record({ key, node }), { selector: (entry) => entry.key, maxLength: 5 })

/** Arrays of all kinds that PHP writes; `references` adds `R:` and `r:` but excludes `C:` and enums. */
export function phpTree({ references }: { references: boolean }): fc.Arbitrary<Tree> {
  const reference: fc.Arbitrary<PhpNode> = fc
    .nat(50)
    .map((pick): PhpNode => ({ kind: 'reference', pick }))
  const { tree } = fc.letrec<{ node: PhpNode; tree: Tree; object: PhpNode }>((tie) => ({
    node: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      scalar,
      references ? reference : classed,
      tie('tree'),
      tie('object'),
    ),
    tree: uniqueEntries(phpKey, tie('node')).map((entries) => ({ kind: 'array', entries })),
    object: fc
      .tuple(fc.constantFrom('stdClass', 'Lost\\Thing'), uniqueEntries(memberName, tie('node')))
      .map(([name, entries]): PhpNode => ({ kind: 'object', name, entries })),
  }))
  return tree.map(ownTree)
}

/** Values of this service with their decoded form. */
export const ownValue: fc.Arbitrary<PhpInput> = fc.oneof(
  fc.constantFrom<PhpInput>(null, true, false, 0, -1, 5, 1.5, -0, 1e25, Number.NaN),
  phpText,
  fc.array(fc.oneof(fc.integer(), phpText), { maxLength: 3 }),
  fc
    .uniqueArray(fc.tuple(phpKey, fc.oneof(fc.integer(), phpText)), {
      selector: ([key]) => key,
      maxLength: 3,
    })
    .map((entries) => new Map(entries)),
)

/** The decoded form: lists are Maps, keys that spell integers are numbers. */
export function asRead(value: PhpInput): unknown {
  if (Array.isArray(value)) return new Map([...value.entries()])
  if (!(value instanceof Map)) return value
  return new Map(
    [...value].map(([key, entry]) => {
      const number = isIntegerLike(String(key)) ? Number(key) : Number.NaN
      return [Number.isSafeInteger(number) ? number : key, asRead(entry)]
    }),
  )
}
