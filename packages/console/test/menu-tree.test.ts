import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  itemsToSend,
  moveByStep,
  moveTo,
  newItem,
  positionOf,
  type Step,
  type StoredItem,
  type Tree,
  treeOf,
  withFields,
  without,
} from '../src/views/menus/tree.ts'
import '../../../test/support/property-seed.ts'

const stored = (id: number, parent = 0, order = id): StoredItem => ({
  id,
  parent,
  order,
  status: 'publish',
  title: `T${id}`,
  type: 'custom',
  object: 'custom',
  object_id: id,
  url: `/${id}`,
  target: '',
  classes: '',
  xfn: '',
  attr_title: '',
  description: '',
})

/** `1 .2 ..3` of keys and dots for the depths. */
const shape = (tree: Tree): string =>
  tree.map(({ key, depth }) => `${'.'.repeat(depth)}${key}`).join(' ')
/** 1, with 2 (3, 4) and 5 below; 6. */
const tree = treeOf([stored(1), stored(2, 1), stored(3, 2), stored(4, 2), stored(5, 1), stored(6)])

describe('the tree of a menu in the console', () => {
  it('has items whose parents are missing, or below them, at the top level', () => {
    expect(shape(tree)).toBe('1 .2 ..3 ..4 .5 6')
    expect(shape(treeOf([stored(1, 9), stored(2, 3), stored(3, 2), stored(4, 1)]))).toBe(
      '1 .4 2 .3',
    )
  })

  it.each<[number, Step, string | undefined]>([
    [1, 'up', undefined],
    [1, 'down', '1 .5 .2 ..3 ..4 6'],
    [4, 'up', '1 .5 .2 ..3 ..4 6'],
    [0, 'down', '6 1 .2 ..3 ..4 .5'],
    [5, 'down', undefined],
    [5, 'indent', '1 .2 ..3 ..4 .5 .6'],
    [4, 'indent', '1 .2 ..3 ..4 ..5 6'],
    [1, 'indent', undefined],
    [2, 'outdent', '1 .2 ..4 .3 .5 6'],
    [1, 'outdent', '1 .5 2 .3 .4 6'],
    [0, 'outdent', undefined],
  ])('moves the item at %i %s', (index, step, moved) => {
    const changed = moveByStep(tree, index, step)
    expect(changed && shape(changed.tree)).toBe(moved)
    if (changed) expect(changed.tree[changed.index]?.key).toBe(tree[index]?.key)
  })

  it('drops an item at a depth that its position allows', () => {
    expect(shape(moveTo(tree, 5, 1, 9)?.tree ?? [])).toBe('1 .6 .2 ..3 ..4 .5')
    expect(shape(moveTo(tree, 5, 3, 0)?.tree ?? [])).toBe('1 .2 ..3 ..6 ..4 .5')
    expect(shape(moveTo(tree, 1, 3, 1)?.tree ?? [])).toBe('1 .5 6 .2 ..3 ..4')
    expect(moveTo(tree, 1, 1, 1)).toBeUndefined()
  })

  it('knows where an item is', () => {
    expect(positionOf(tree, 4)).toEqual({ number: 2, of: 2, parent: 0 })
    expect(positionOf(tree, 5)).toEqual({ number: 2, of: 2, parent: -1 })
  })

  it('keeps every item, and a possible depth, whatever is done', () => {
    const move = fc.record({
      index: fc.nat(5),
      step: fc.option(fc.constantFrom<Step>('up', 'down', 'indent', 'outdent'), { nil: undefined }),
      to: fc.nat(5),
      depth: fc.nat(4),
    })
    fc.assert(
      fc.property(fc.array(move, { maxLength: 30 }), (moves) => {
        let now = tree
        for (const { index, step, to, depth } of moves) {
          const last = without(now, index).length
          const changed = step
            ? moveByStep(now, index, step)
            : moveTo(now, index, Math.min(to, last), depth)
          now = changed?.tree ?? now
          expect(now.map(({ key }) => key).sort()).toEqual([1, 2, 3, 4, 5, 6])
          for (const [at, item] of now.entries())
            expect(item.depth).toBeLessThanOrEqual(at === 0 ? 0 : (now[at - 1]?.depth ?? 0) + 1)
        }
      }),
    )
  })

  it('sends items by their ids with what has changed only, and new ones complete', () => {
    const edited = withFields(tree, 2, { title: 'Third', url: '/third' })
    const added = { ...newItem({ type: 'taxonomy', object: 'category', object_id: 4 }), depth: 1 }
    const { items, indexes } = itemsToSend([...without(edited, 3), added], tree)
    expect(items).toEqual([
      {
        id: 1,
        children: [
          { id: 2, children: [{ id: 3, title: 'Third', url: '/third', children: [] }] },
          { id: 5, children: [] },
        ],
      },
      {
        id: 6,
        children: [{ type: 'taxonomy', object: 'category', object_id: 4, children: [] }],
      },
    ])
    expect(indexes.get('0.0.0')).toBe(2)
    expect(indexes.get('1.0')).toBe(5)
  })
})
