import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatProblems, MAX_PROBLEM_LINES } from '../../../src/cli/menus/import-command.ts'
import type { ItemFields, ItemInput } from '../../../src/content/menus/item-tree.ts'
import { isThemeName } from '../../../src/content/menus/location-names.ts'
import {
  FILE_FORMATS,
  formatMenuFile,
  menuContent,
  readMenuFile,
} from '../../../src/content/menus/menu-file.ts'
import type { ObjectRef } from '../../../src/content/menus/object-refs.ts'
import { SWITCHER_FLAGS } from '../../../src/wordpress/nav-menus/switcher.ts'

/** Texts that the database can contain, including ones that YAML could read as another type. */
const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc.string({ maxLength: 12 }),
  fc.constantFrom('', 'null', '~', 'no', 'true', '2024', '0x1f', '1.0', '- a', 'a: b', '#x', '*a'),
  fc.constantFrom('&a', '!x', '"', "'", '|', '>', '%', '@', '`', '{', '[', '? ', ' a ', '\u2028'),
  fc.constantFrom('a\nb', 'a\r\nb', 'a\n\n  b\n', '\ta', '\ufeff', '\0', '\u0085', '---', '...'),
)
const name = text.filter((value) => value.trim() !== '')
const path = text.filter((value) => value !== '')
const key = fc.stringMatching(/^[a-z0-9_-]{1,32}$/)

const optional = <T>(field: string, values: fc.Arbitrary<T>) =>
  fc.oneof(
    fc.constant({}),
    values.map((value) => ({ [field]: value })),
  )

const object: fc.Arbitrary<ObjectRef> = fc.oneof(
  fc
    .tuple(fc.oneof(fc.constant('page'), key), path, optional('lang', text))
    .map(([type, at, lang]) => ({ kind: 'post' as const, type, path: at, ...lang })),
  fc
    .tuple(key, path, optional('lang', text))
    .map(([taxonomy, at, lang]) => ({ kind: 'term' as const, taxonomy, path: at, ...lang })),
  key.map((type) => ({ kind: 'archive' as const, type })),
  text.map((url) => ({ kind: 'address' as const, url })),
  fc.subarray([...SWITCHER_FLAGS]).map((flags) => ({ kind: 'switcher' as const, flags })),
)

const fields: fc.Arbitrary<ItemFields> = fc
  .tuple(
    fc.oneof(
      object.map((ref) => ({ object: ref })),
      text.filter((url) => url !== '' && url !== '#pll_switcher').map((url) => ({ url })),
    ),
    optional('title', text),
    optional('target', text),
    optional('classes', text),
    optional('xfn', text),
    optional('attr_title', text),
    optional('description', text),
  )
  .map((parts) => Object.assign({}, ...parts))

type Nested = { readonly item: ItemFields; readonly below: readonly Nested[] }

const { nested } = fc.letrec<{ nested: Nested }>((tie) => ({
  nested: fc.record({
    item: fields,
    below: fc.oneof({ maxDepth: 3 }, fc.constant([]), fc.array(tie('nested'), { maxLength: 3 })),
  }),
}))

/** The items as a tree that a request could send. */
function flat(nodes: readonly Nested[], at = '', parent = -1, items: ItemInput[] = []) {
  for (const [index, { item, below }] of nodes.entries()) {
    items.push({ at: `${at}${index}`, parent, ...item })
    flat(below, `${at}${index}.`, items.length - 1, items)
  }
  return items
}

const menu = fc.record({
  name,
  slug: text,
  assignments: fc.array(
    fc
      .tuple(path, optional('lang', text), optional('theme', text.filter(isThemeName)))
      .map(([location, lang, theme]) => ({ location, ...lang, ...theme })),
    { maxLength: 3 },
  ),
  items: fc.array(nested, { maxLength: 4 }).map((nodes) => flat(nodes)),
})

describe('a menu file', () => {
  it.each(FILE_FORMATS)('is read back unchanged, in %s', (format) => {
    fc.assert(
      fc.property(menu, (written) => {
        const read = readMenuFile(formatMenuFile(menuContent(written), format))
        expect(read.problems).toEqual([])
        const { name, slug, locations: assignments, tree } = read
        expect({ name, slug, assignments, items: tree.items }).toEqual(written)
      }),
      { numRuns: 100 },
    )
  })

  it('can use short forms, comments and empty values', () => {
    const file = readMenuFile(`# The main menu
name: Main
assign: true
locations:
  - { location: header }
items:
  - home          # a bare path is a page
  - 2024
  - page: about
    title:
    children: ~
  - {url: /contact, title: no}
  - url: "#pll_switcher"
`)
    expect(file.problems).toEqual([])
    expect([file.name, file.slug, file.assign]).toEqual(['Main', undefined, true])
    expect(file.locations).toEqual([{ location: 'header' }])
    expect(file.tree.items).toEqual([
      { at: '0', parent: -1, object: { kind: 'post', type: 'page', path: 'home' } },
      { at: '1', parent: -1, object: { kind: 'post', type: 'page', path: '2024' } },
      { at: '2', parent: -1, object: { kind: 'post', type: 'page', path: 'about' } },
      { at: '3', parent: -1, url: '/contact', title: 'no' },
      { at: '4', parent: -1, object: { kind: 'switcher', flags: ['show_names'] } },
    ])
  })

  it('is checked completely, with the lines of all problems', () => {
    const { problems } = readMenuFile(`name: Main
titel: Main
locations: header
items:
  - page: home
    url: /
  - title: Nothing
    children:
      - page: [a]
      - term: news
        as_is: true
        xfn: {a: b}
      - archive: Big Type
      - switcher: [flags]
      - page: a
        page: b
  -
  - page: ""
    children: none
`)
    expect(problems.map(({ line, at }) => `${line} ${at}`)).toEqual([
      '16 null',
      '2 null',
      '3 null',
      '5 0',
      '7 1',
      '9 1.0',
      '10 1.1',
      '10 1.1',
      '13 1.2',
      '14 1.3',
      '17 2',
      '18 3',
      '18 3',
    ])
    expect(problems[1]?.message).toBe(
      'Unknown field "titel". Allowed: name, slug, locations, assign, items.',
    )
  })

  it.each([
    ['', 'A menu must be a mapping with "name" and "items".'],
    ['- home', 'A menu must be a mapping with "name" and "items".'],
    ['items: []', 'A menu must have a "name".'],
    ['name: x\nitems:\n  - a\n  - *a', 'YAML aliases are not supported'],
  ])('is rejected if it is not a menu: %j', (text, message) => {
    const { problems } = readMenuFile(text)
    expect(problems[0]?.message).toContain(message)
  })

  it.each([
    ['name: "x', 'Line 1, column 9: '],
    ['name: x\n\titems: []', 'Line 2, column 1: Tabs are not allowed'],
    ['name: x\nitems: [1\n', 'Line 3, column 1: '],
    ['name: x\n---\nname: y', 'Line 2, column 1: a second document begins'],
    [`{"items":${'['.repeat(1_000_000)}`, 'Line 1, column 219: nested too deeply for a menu'],
    [`items:\n${'- '.repeat(100_000)}`, 'nested too deeply for a menu'],
    [Array.from({ length: 2000 }, (_, i) => `${' '.repeat(i)}a:`).join('\n'), 'nested too deeply'],
  ])('is rejected with the line number if it is not YAML: %#', (text, message) => {
    expect(() => readMenuFile(text)).toThrow(message)
  })

  it('can have at most 10,000 items on 100 levels', () => {
    const items = (count: number) => `name: x\nitems:\n${'  - a\n'.repeat(count)}`
    expect(readMenuFile(items(10_000)).problems).toEqual([])
    expect(readMenuFile(items(10_001)).problems).toMatchObject([{ message: /10000 items/ }])
    const levels = (count: number) =>
      JSON.stringify({
        name: 'x',
        items: JSON.parse(`${'[{"url":"/","children":'.repeat(count)}[]${'}]'.repeat(count)}`),
      })
    expect(readMenuFile(levels(100)).problems).toEqual([])
    expect(readMenuFile(levels(101)).problems).toMatchObject([{ line: 1, message: /100 levels/ }])
  })

  it('does not expand aliases', () => {
    const bomb = [
      'a: &a [x, x, x]',
      ...'bcdefghi'
        .split('')
        .map((key, i) => `${key}: &${key} [${`*${'abcdefgh'[i]}, `.repeat(9)}]`),
    ]
    const { problems } = readMenuFile(`name: x\nitems: *i\n${bomb.join('\n')}`)
    expect(problems.map(({ message }) => message)).toContain(
      'YAML aliases are not supported. Repeat the value instead.',
    )
  })
})

it.each([
  ['{"name":"x"\n "items": []}', /^m, line 2, column 2: This is not valid JSON: Expected ',' or /],
  ['{"items":[1,,2]}', /^m, line 1, column \d+: This is not valid JSON: Unexpected token ','\.$/],
  ['name: x\n\tb: y', /^m, line 2, column \d+: /],
])(
  'the reader says where a file is no YAML, and what is wrong with its JSON: %j',
  (text, message) => {
    expect(() => readMenuFile(text, 'm')).toThrow(message)
  },
)

it('the reader reports a misspelt target once', () => {
  const { problems } = readMenuFile('name: x\nitems:\n  - pgae: a\n')
  expect(problems).toMatchObject([{ line: 3, message: expect.stringContaining('mean "page"') }])
})

it('the reader prints the first hundred problems of a file, and counts the others', () => {
  const keys = Array.from({ length: 5000 }, (_, n) => `key-${n}: x`).join('\n')
  const { problems } = readMenuFile(keys)
  expect(problems.length).toBeGreaterThan(5000)
  const lines = formatProblems('menu.yaml', problems).trimEnd().split('\n')
  expect(lines).toHaveLength(MAX_PROBLEM_LINES + 1)
  expect(lines.at(-1)).toBe(`and ${problems.length - MAX_PROBLEM_LINES} more problems`)
  const long = formatProblems('menu.yaml', readMenuFile(`{"${'k'.repeat(100_000)}": x}`).problems)
  expect(long.length).toBeLessThan(3000)
})
