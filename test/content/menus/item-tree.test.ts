import { describe, expect, it } from 'vitest'
import {
  type ItemTree,
  MAX_ITEMS,
  MAX_LEVELS,
  MAX_TEXT_BYTES,
  MAX_TREE_CHARACTERS,
  readTree,
} from '../../../src/content/menus/item-tree.ts'

const ITEM = 'An item must be an object, or the id, slug or path of a page.'
const TARGET = 'An item needs a page ("page") or an address ("url").'

const nested = (levels: number): unknown[] => {
  let items: unknown[] = []
  for (let level = 0; level < levels; level += 1) items = [{ page: 3, children: items }]
  return items
}

const reasons = (items: readonly unknown[]): string[] =>
  readTree(items).problems.map(({ at, reason }) => `${at} ${reason}`)

/** Problems with all that they say. */
const sentences = ({ problems }: ItemTree): string[] =>
  problems.map(({ at, reason, message, ...more }) => {
    expect(more).toEqual({})
    return `${at} ${reason}: ${message}`
  })

describe('readTree', () => {
  it('lists parents before their children, with their coordinates', () => {
    const { items, problems } = readTree([
      3,
      { url: '/x', title: 'X', children: ['about', { page: 'team', children: [7] }] },
      { page: 12, target: '_blank', classes: 'a b' },
    ])
    expect(problems).toEqual([])
    expect(items).toEqual([
      { at: '0', parent: -1, page: 3 },
      { at: '1', parent: -1, url: '/x', title: 'X' },
      { at: '1.0', parent: 1, page: 'about' },
      { at: '1.1', parent: 1, page: 'team' },
      { at: '1.1.0', parent: 3, page: 7 },
      { at: '2', parent: -1, page: 12, target: '_blank', classes: 'a b' },
    ])
  })

  it('treats null as absent and numbers as texts, and prefers a page to an address', () => {
    const { items, problems } = readTree([
      { page: null, url: '/x', title: 2024, target: null, children: null },
      { page: 3, url: 'http://net.test/shop/', title: '' },
    ])
    expect(problems).toEqual([])
    expect(items).toEqual([
      { at: '0', parent: -1, url: '/x', title: '2024' },
      { at: '1', parent: -1, page: 3, title: '' },
    ])
  })

  it('reports all problems at once', () => {
    expect(
      reasons([
        null,
        true,
        [3],
        '',
        0,
        1.5,
        {},
        { page: false },
        { page: {} },
        { url: 7, title: [], target: {}, classes: [1], children: 'about' },
        { url: '/x', title: 'x'.repeat(65_536) },
        { url: '/x', title: '\ud800' },
        { page: 3, children: [{ title: 'no target' }] },
      ]),
    ).toEqual([
      '0 not_an_item',
      '1 not_an_item',
      '2 not_an_item',
      '3 not_an_item',
      '4 not_an_item',
      '5 not_an_item',
      '6 target_required',
      '7 bad_page',
      '8 bad_page',
      '9 bad_title',
      '9 bad_target',
      '9 bad_classes',
      '9 bad_children',
      '10 bad_title',
      '11 bad_title',
      '12.0 target_required',
    ])
  })

  it.each<[string, unknown, string]>([
    ['a list', [3], `0 not_an_item: ${ITEM}`],
    ['no target', { title: 'x' }, `0 target_required: ${TARGET}`],
    ['an empty page and an empty address', { page: '', url: '' }, `0 target_required: ${TARGET}`],
    ['a blank page', { page: ' ' }, '0 bad_page: "page" must be the id, slug or path of a page.'],
    [
      'a list as address',
      { url: [] },
      '0 bad_url: "url" must be a text of valid Unicode characters.',
    ],
    [
      'a target that is too long',
      { url: '/', target: `${'é'.repeat(MAX_TEXT_BYTES / 2)}xx` },
      `0 bad_target: "target" may have at most ${MAX_TEXT_BYTES} bytes.`,
    ],
    [
      'an object as children',
      { page: 3, children: { page: 4 } },
      '0 bad_children: "children" must be a list of items.',
    ],
    [
      'too many levels',
      nested(MAX_LEVELS + 1)[0],
      `0${'.0'.repeat(MAX_LEVELS)} too_deep: A menu may have at most ${MAX_LEVELS} levels.`,
    ],
  ])('reports %s', (_, item, sentence) => {
    expect(sentences(readTree([item]))).toEqual([sentence])
  })

  it('accepts a text that just fits the column, and an address beside an empty page', () => {
    const title = 'x'.repeat(MAX_TEXT_BYTES)
    expect(readTree([{ page: '', url: '/', title }])).toEqual({
      items: [{ at: '0', parent: -1, url: '/', title }],
      problems: [],
    })
  })

  it('leaves invalid fields out of an item', () => {
    const { items } = readTree([[3], { url: [] }, { page: 3, title: [], children: 5 }, { url: '' }])
    expect(items.map((item) => Object.keys(item))).toEqual([
      ['at', 'parent'],
      ['at', 'parent'],
      ['page', 'at', 'parent'],
      ['at', 'parent'],
    ])
  })

  it(`reads at most ${MAX_LEVELS} levels of a tree of any depth`, () => {
    expect(readTree(nested(MAX_LEVELS)).problems).toEqual([])
    const tooDeep = readTree(nested(200_000))
    expect(tooDeep.items).toHaveLength(MAX_LEVELS)
    expect(tooDeep.problems).toMatchObject([{ reason: 'too_deep' }])
    expect(tooDeep.problems[0]?.at.split('.')).toHaveLength(MAX_LEVELS + 1)
  })

  it('refuses a tree at the item with which its texts are too much together', () => {
    const title = 'x'.repeat(MAX_TREE_CHARACTERS / 100 - 1)
    const full = Array.from({ length: 100 }, () => ({ url: '/', title }))
    expect(readTree(full)).toMatchObject({ problems: [], items: { length: 100 } })
    expect(readTree([...full, { url: '/' }, 'x'])).toMatchObject({
      items: [],
      problems: [{ at: '100', reason: 'too_much_text' }],
    })
  })

  it(`accepts at most ${MAX_ITEMS} items, on any level`, () => {
    const flat = Array.from({ length: MAX_ITEMS }, () => 3)
    expect(readTree(flat)).toMatchObject({ problems: [], items: { length: MAX_ITEMS } })
    const tooMany = readTree([...flat, 3])
    expect(tooMany.items).toEqual([])
    expect(sentences(tooMany)).toEqual([
      `${MAX_ITEMS} too_many_items: A menu may have at most ${MAX_ITEMS} items.`,
    ])
    expect(readTree([{ page: 3, children: flat.slice(1) }]).items).toHaveLength(MAX_ITEMS)
    expect(reasons([{ page: 3, children: flat }])).toEqual(['0 too_many_items'])
    const wide = Array.from({ length: 200 }, () => ({ page: 3, children: Array(60).fill(3) }))
    expect(reasons(wide)[0]).toMatch(/too_many_items$/)
  })

  it('reads own properties of items only', () => {
    const item = JSON.parse('{"__proto__": {"page": 3}}')
    expect(reasons([item])).toEqual(['0 target_required'])
  })

  it.each(['{"page":3}', ' {"url":"/x","title":"X"}'])(
    'refuses an item that is a text with JSON: %s',
    (text) => {
      const tree = readTree([text, 3])
      expect(tree.items).toEqual([
        { at: '0', parent: -1 },
        { at: '1', parent: -1, page: 3 },
      ])
      expect(sentences(tree)).toEqual([
        '0 not_an_item: The item is a text with the JSON of an object. Send the object itself.',
      ])
    },
  )

  it.each(['{about', '[3]', '3', 'about {"page":3}'])('takes the text %s for a page', (text) => {
    expect(readTree([text])).toEqual({ items: [{ at: '0', parent: -1, page: text }], problems: [] })
  })

  it('does not parse a text that is longer than that of any field', () => {
    const text = `{"x":"${'x'.repeat(MAX_TEXT_BYTES)}"}`
    expect(readTree([text])).toEqual({ items: [{ at: '0', parent: -1, page: text }], problems: [] })
  })

  const TOO_MANY =
    '"classes" may have at most 100 classes, separated by single spaces, and 2000 characters.'
  it.each([
    [
      '["a","b"]',
      '"classes" is a text with a JSON list, whose signs would become parts of names. Send the names, separated by spaces.',
    ],
    [Array(101).fill('a').join(' '), TOO_MANY],
    ['a'.repeat(2001), TOO_MANY],
  ])('refuses the classes %.20s', (classes, message) => {
    const tree = readTree([{ url: '/', classes }])
    expect(sentences(tree)).toEqual([`0 bad_classes: ${message}`])
    expect(tree.items).toEqual([{ at: '0', parent: -1, url: '/' }])
  })

  it.each(['[a', '{"a":1}', '[a] b', 'md:w-[3px]'])('takes the classes %s', (classes) => {
    expect(readTree([{ url: '/', classes }])).toEqual({
      items: [{ at: '0', parent: -1, url: '/', classes }],
      problems: [],
    })
  })

  it('refuses only the title of an item that is JSON of another kind', () => {
    expect(reasons([{ url: '/', title: '["a"]' }])).toEqual([])
  })

  it.each([
    [
      { type: 'post_type', object_id: 7 },
      { kind: 'post-id', id: 7 },
    ],
    [
      { type: 'taxonomy', object: 'category', object_id: 7 },
      { kind: 'term-id', taxonomy: 'category', id: 7 },
    ],
    [
      { type: 'post_type_archive', object: 'book' },
      { kind: 'archive', type: 'book' },
    ],
  ])('reads the link of an item that was read: %j', (item, object) => {
    expect(readTree([{ ...item, url: '/x' }]).items).toEqual([{ at: '0', parent: -1, object }])
  })

  it.each([
    { type: 'post_type', object_id: 0 },
    { type: 'post_type', object_id: 1.5 },
    { type: 'post_type', object_id: '7' },
    { type: 'taxonomy', object: 'Category', object_id: 7 },
    { type: 'taxonomy', object: 'x'.repeat(33), object_id: 7 },
    { type: 'post_type_archive', object: 'a b' },
    { type: 'custom', object: 'custom', object_id: 7 },
  ])('takes the address of an item whose object is no id: %j', (item) => {
    expect(readTree([{ ...item, url: '/x' }]).items).toEqual([{ at: '0', parent: -1, url: '/x' }])
  })

  it.each([5, '5', '12345'])('keeps an item with the id %j only if asked to', (id) => {
    const kept = { at: '0', parent: -1, id: Number(id) }
    expect(readTree([{ id }], { keep: true })).toEqual({ items: [kept], problems: [] })
    expect(reasons([{ id }])).toEqual(['0 target_required'])
  })

  it.each([0, -1, 1.5, '', '5x', '1234567890123456', true, [5]])('refuses the id %j', (id) => {
    expect(sentences(readTree([{ id, url: '/' }], { keep: true }))).toEqual([
      '0 bad_id: "id" must be the id of an item of this menu. Leave it out of a new item.',
    ])
  })
})
