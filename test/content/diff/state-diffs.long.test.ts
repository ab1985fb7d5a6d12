import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  MAX_DIFF_CHARACTERS,
  MAX_DIFFS,
  MAX_ITEM_CHANGES,
} from '../../../src/content/diff/diff-limits.ts'
import { longestIncreasing } from '../../../src/content/diff/menu-diff.ts'
import { StateDiffs } from '../../../src/content/diff/state-diffs.ts'

const SITE = { blogId: 2 }
const item = (id: number, order: number, title: string, parent = 0) => ({
  id,
  order,
  status: 'publish',
  title,
  excerpt: '',
  content: '',
  meta: {
    _menu_item_type: 'custom',
    _menu_item_url: `/${id}`,
    _menu_item_menu_item_parent: String(parent),
  },
})
const menu = (items: readonly object[]) => ({ fields: {}, content: JSON.stringify(items) })
const numbers = (count: number) => Array.from({ length: count }, (_, at) => at + 1)

it('the diff finds a longest increasing subsequence', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.integer({ min: 0, max: 50 }), { maxLength: 12 }), (values) => {
      const kept = [...longestIncreasing(values)].sort((a, b) => a - b).map((at) => values[at] ?? 0)
      expect([...kept].sort((a, b) => a - b)).toEqual(kept)
      const lengths: number[] = []
      for (const [at, value] of values.entries())
        lengths.push(
          1 + Math.max(0, ...lengths.filter((_, i) => i < at && (values[i] ?? 0) < value)),
        )
      expect(kept).toHaveLength(Math.max(0, ...lengths))
    }),
  )
})

describe('the difference of two states of a menu', () => {
  it('of 10,000 items in reverse order is shortened', async () => {
    const before = numbers(10_000).map((id) => item(id, id, `Item ${id}`))
    const after = [...before].reverse().map((one, at) => ({ ...one, order: at + 1 }))
    const diff = await new StateDiffs(SITE).diff('menu', menu(before), menu(after))
    expect(diff.isShortened).toBe(true)
    expect(diff.items).toHaveLength(MAX_ITEM_CHANGES)
    expect(diff.text.split('\n').at(-1)).toBe('(Further changes are left out.)')
  })

  it('has short paths, however long the labels are and however deep the items', async () => {
    const chain = numbers(98).map((id) => item(id, id, 'x'.repeat(60_000), id - 1))
    const leaves = numbers(2000).map((id) => item(1000 + id, 1000 + id, 'l', 98))
    const diff = await new StateDiffs(SITE).diff('menu', undefined, menu([...chain, ...leaves]))
    expect(diff.isShortened).toBe(true)
    expect(diff.text.length).toBeLessThan(2 * MAX_DIFF_CHARACTERS)
    expect(diff.items?.at(-1)?.path).toHaveLength(9)
    expect(diff.items?.at(-1)?.path[0]).toEqual({ text: '…' })
  })
})

describe('the differences of one answer', () => {
  const frame = (content: string) => ({ fields: {}, content })
  const lines = (mark: string) =>
    numbers(150_000)
      .map((at) => `${mark}${at % 7}`)
      .join('\n')

  it('of large texts share one budget of characters', async () => {
    const diffs = new StateDiffs(SITE)
    const first = await diffs.diff('frame', frame(lines('a')), frame(lines('b')))
    expect(first.isShortened).toBe(true)
    expect(first.text.length).toBeLessThan(MAX_DIFF_CHARACTERS + 200)
    expect(await diffs.diff('frame', frame('a'), frame('b'))).toEqual({
      text: expect.stringContaining('left out'),
      isShortened: true,
    })
  })

  it('share one budget of things', async () => {
    const diffs = new StateDiffs(SITE)
    const made = []
    for (let at = 0; at <= MAX_DIFFS; at += 1)
      made.push(await diffs.diff('frame', frame('a'), frame('b')))
    expect(made.filter(({ isShortened }) => isShortened)).toHaveLength(1)
  })

  it('are the same on the thread as without it', async () => {
    const before = `${'same\n'.repeat(3000)}old\n`
    const after = `${'same\n'.repeat(3000)}new\n`
    const { text, isShortened } = await new StateDiffs(SITE).diff(
      'frame',
      frame(before),
      frame(after),
    )
    expect(text).toContain('-old\n+new')
    expect(isShortened).toBeUndefined()
  })
})
