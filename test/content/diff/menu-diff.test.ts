import { describe, expect, it } from 'vitest'
import { portableItems, storedItems } from '../../../src/content/diff/compared-items.ts'
import { diffMenuItems, formatItemChange } from '../../../src/content/diff/menu-diff.ts'
import { readTree } from '../../../src/content/menus/item-tree.ts'

type Stored = {
  readonly id: number
  readonly title?: string
  readonly parent?: number
  readonly target?: string
  readonly icons?: readonly string[]
} & ({ readonly page: number } | { readonly url: string })

const stored = (...items: readonly Stored[]) =>
  storedItems(
    items.map(({ id, title = '', parent = 0, target = '', icons = [], ...link }, index) => ({
      id,
      order: index + 1,
      status: 'publish',
      title,
      excerpt: '',
      content: '',
      meta: {
        _menu_item_menu_item_parent: String(parent),
        _menu_item_target: target,
        ...('page' in link
          ? {
              _menu_item_type: 'post_type',
              _menu_item_object: 'page',
              _menu_item_object_id: String(link.page),
            }
          : { _menu_item_type: 'custom', _menu_item_url: link.url }),
      },
      others: icons.map((icon) => ['_icon', icon] as const),
    })),
  )
const linesOf = (...states: Parameters<typeof diffMenuItems>): string[] =>
  diffMenuItems(...states).changes.map(formatItemChange)

describe('the difference of stored menus', () => {
  it('tells a label from a link that looks like it', () => {
    const before = stored({ id: 1, page: 13 }, { id: 2, url: '/x' }, { id: 3, url: 'page 13' })
    const after = stored(
      { id: 1, page: 13, title: 'page 13' },
      { id: 2, url: '/x', parent: 1 },
      { id: 3, page: 13 },
    )
    const link = { text: 'page 13', link: { object: 'page', id: 13 } }
    const label = { text: 'page 13' }
    expect(diffMenuItems(before, after).changes).toEqual([
      { change: 'renamed', id: 1, path: [label], from: link, to: label },
      {
        change: 'moved',
        id: 2,
        path: [label, { text: '/x' }],
        from: { position: 2 },
        to: { position: 1, ...label },
      },
      { change: 'relinked', id: 3, path: [link], from: label, to: link },
    ])
    expect(linesOf(before, after)).toEqual([
      'renamed "page 13" from page 13 to "page 13"',
      'moved "page 13" / "/x" from 2 at the top to 1 of "page 13"',
      'relinked page 13 from "page 13" to page 13',
    ])
  })

  it('names only those of the other values that differ', () => {
    const before = stored({ id: 1, url: '/x', title: 'X', icons: ['a', 'b'] })
    const after = stored({ id: 1, url: '/x', title: 'X', icons: ['a'], target: '_blank' })
    expect(linesOf(before, after)).toEqual([
      'edited "X" from "meta _icon: a | b" to "target: _blank, meta _icon: a"',
    ])
  })
})

describe('the difference of menus without ids', () => {
  const portable = (...items: readonly unknown[]) =>
    portableItems({ items: readTree(items).items, leftOut: [] })

  it('recognizes items by what they link, and by their labels', () => {
    const before = portable(
      { page: 'about', children: [{ url: '/a', title: 'A' }] },
      { url: '/b' },
      { url: '/c' },
    )
    const after = portable({ page: 'about', title: 'Us' }, { url: '/d', title: 'A' }, { url: '/c' })
    expect(linesOf(before, after)).toEqual([
      'removed "/b"',
      'renamed "Us" from page about to "Us"',
      'moved "A" from 1 of page about to 2 at the top',
      'relinked "A" from "/a" to "/d"',
    ])
  })
})
