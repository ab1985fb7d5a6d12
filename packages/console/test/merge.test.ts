import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { diffTexts, type MergePart, mergeTexts } from '../src/editing/merge.ts'

/** The merged text if each conflict is decided in the same way. */
const merged = (parts: readonly MergePart[], choice: 'mine' | 'theirs'): string =>
  parts.flatMap((part) => (part.kind === 'settled' ? part.lines : part[choice])).join('\n')

const conflicts = (parts: readonly MergePart[]) => parts.filter(({ kind }) => kind === 'conflict')

/** Lines that occur often, like those of markup. */
const text = fc
  .array(fc.constantFrom('', '<div>', '</div>', '<p>a</p>', '__proto__', '\r', 'ب'), {
    maxLength: 12,
  })
  .map((lines) => lines.join('\n'))

describe('a merge of two texts', () => {
  it('has both changes if they touch different lines', () => {
    const parts = mergeTexts('a\nb\nc\nd\ne', 'A\nb\nc\nd\ne', 'a\nb\nc\nd\ne\nf')
    expect(parts).toEqual([{ kind: 'settled', lines: ['A', 'b', 'c', 'd', 'e', 'f'] }])
  })

  it('asks where both have changed the same lines, and not where they made the same change', () => {
    expect(conflicts(mergeTexts('a\nb\nc', 'a\nx\nc', 'a\ny\nc'))).toEqual([
      { kind: 'conflict', base: ['b'], mine: ['x'], theirs: ['y'] },
    ])
    expect(conflicts(mergeTexts('a\nb\nc', 'a\nx\nc', 'a\nx\nc'))).toEqual([])
  })

  it('is the other text if only one was changed', () => {
    fc.assert(
      fc.property(text, text, (base, changed) => {
        expect(merged(mergeTexts(base, changed, base), 'theirs')).toBe(changed)
        expect(merged(mergeTexts(base, base, changed), 'mine')).toBe(changed)
        expect(conflicts(mergeTexts(base, changed, changed))).toEqual([])
      }),
    )
  })

  it('loses no line of either text', () => {
    fc.assert(
      fc.property(text, text, text, (base, mine, theirs) => {
        const parts = mergeTexts(base, mine, theirs)
        const [mineLeft, theirsLeft] = (['mine', 'theirs'] as const).map(
          (choice) => new Set(merged(parts, choice).split('\n')),
        )
        const old = new Set(base.split('\n'))
        for (const line of mine.split('\n')) if (!old.has(line)) expect(mineLeft).toContain(line)
        for (const line of theirs.split('\n'))
          if (!old.has(line)) expect(theirsLeft).toContain(line)
      }),
    )
  })

  it('does not compare texts of many different lines for long', () => {
    const lines = (name: string) =>
      Array.from({ length: 40_000 }, (_, at) => `${name} ${at}`).join('\n')
    const started = performance.now()
    const parts = mergeTexts(lines('a'), lines('b'), lines('c'))
    expect(conflicts(parts)).toHaveLength(1)
    expect(diffTexts(lines('a'), lines('b')).split('\n')).toHaveLength(80_001)
    expect(performance.now() - started).toBeLessThan(2000)
  })
})

describe('a difference of two texts', () => {
  it('has the changed lines with three lines around them', () => {
    const lines = Array.from({ length: 20 }, (_, at) => `${at}`)
    const changed = lines.with(2, 'two').toSpliced(15, 1)
    expect(diffTexts(lines.join('\n'), changed.join('\n')).split('\n')).toEqual([
      '@@ line 1 @@',
      ' 0',
      ' 1',
      '-2',
      '+two',
      ' 3',
      ' 4',
      ' 5',
      '@@ line 13 @@',
      ' 12',
      ' 13',
      ' 14',
      '-15',
      ' 16',
      ' 17',
      ' 18',
    ])
  })

  it('gives the one text and the other', () => {
    fc.assert(
      fc.property(text, text, (from, to) => {
        const diff = diffTexts(from, to).split('\n')
        const count = (lines: string[], line: string) => lines.filter((one) => one === line).length
        for (const line of new Set([...from.split('\n'), ...to.split('\n')])) {
          const change = count(diff, `+${line}`) - count(diff, `-${line}`)
          expect(change).toBe(count(to.split('\n'), line) - count(from.split('\n'), line))
        }
      }),
    )
  })
})
