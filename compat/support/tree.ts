import fc from 'fast-check'
import { NEWER_LETTERS } from './newer-letters.ts'

/** A tree of links as a client of the API sends it. */
export type Branch = {
  readonly url: string
  readonly title: string
  readonly target?: string
  readonly classes?: string
  readonly children: readonly Branch[]
}

/** Titles that WordPress stores unchanged for a user with unfiltered_html: no white space around them, no NUL. Their slug is the same in every release. */
const title = fc
  .oneof(
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 }),
    fc.stringMatching(/^[\\'"&<>;#%/a-c 0-9]{1,20}$/),
  )
  .filter(
    (text) =>
      text === text.trim() &&
      !text.includes('\0') &&
      !/^[\s\u0085]|[\s\u0085]$/.test(text) &&
      !NEWER_LETTERS.test(text.normalize('NFC')),
  )

const url = fc
  .tuple(
    fc.constantFrom('/', 'https://other.test/', 'mailto:a@b.test?', '#'),
    fc.stringMatching(/^[a-z0-9?=-]{0,12}$/),
  )
  .map(([start, end]) => start + end)

const fields = {
  url,
  title,
  target: fc.constantFrom('', '_blank'),
  classes: fc.constantFrom('', 'one', 'one two', 'one  two'),
}

/** Trees of at most thirty items: each is at the top level or below an earlier item. */
export const trees: fc.Arbitrary<readonly Branch[]> = fc
  .array(fc.tuple(fc.record(fields), fc.nat()), { maxLength: 30 })
  .map((items) => {
    const top: Branch[] = []
    const levels = [top]
    for (const [item, above] of items) {
      const children: Branch[] = []
      levels[above % levels.length]?.push({ ...item, children })
      levels.push(children)
    }
    return top
  })

/** Flattens a tree to a list of items, each with the index of its parent. */
export function flat(
  tree: readonly Branch[],
  under?: number,
): (Omit<Branch, 'children'> & { under?: number })[] {
  const items: (Omit<Branch, 'children'> & { under?: number })[] = []
  const add = (branches: readonly Branch[], above: number | undefined): void => {
    for (const { children, ...branch } of branches) {
      items.push({ ...branch, ...(above === undefined ? {} : { under: above }) })
      add(children, items.length - 1)
    }
  }
  add(tree, under)
  return items
}
