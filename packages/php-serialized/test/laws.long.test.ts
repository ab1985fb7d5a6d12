import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decodePhp, findValue } from '../src/decode-php.ts'
import { removeValue, setValue } from '../src/edit-php.ts'
import { encodePhp } from '../src/encode-php.ts'
import { SerializedError } from '../src/php-value.ts'
import { scanPhp } from '../src/scan-php.ts'
import { findSlice } from './find-slice.ts'
import { asRead, ownValue, phpKey, phpTree } from './php-arbitrary.ts'
import {
  arraysOf,
  inOrder,
  ownTree,
  type PhpNode,
  type Tree,
  treeValue,
  writeTree,
} from './php-model.ts'

/** Set SERIALIZED_RUNS=100000 for the long run. */
const numRuns = Number(process.env.SERIALIZED_RUNS ?? 2_000)
const timeout = Math.max(60_000, numRuns * 10)
const law = <T>(arbitrary: fc.Arbitrary<T>, holds: (value: T) => void): void => {
  fc.assert(fc.property(arbitrary, holds), { numRuns })
}

const plainTree = phpTree({ references: false })
const anyTree = fc.oneof(plainTree, phpTree({ references: true }))
const choice = fc.nat(1000)

const textOf = (tree: PhpNode): string => writeTree(tree) ?? expect.fail('a target was lost')

const pick = <T>(items: readonly T[], at: number): T =>
  items[at % items.length] ?? expect.fail('nothing to pick from')

/** The edit equals that of the model, or is rejected if a reference of the model loses its value. */
const expectEdit = (model: Tree, edit: () => string): void => {
  const expected = writeTree(model)
  if (expected !== undefined) expect(edit()).toBe(expected)
  else expect(edit).toThrow(SerializedError)
}

const newLeaf = (encoded: string): PhpNode => ({
  kind: 'leaf',
  text: encoded,
  slots: scanPhp(encoded).slots.length,
  value: null,
})

describe('properties of serialized values', () => {
  it('decodes encoded values', { timeout }, () => {
    law(plainTree, (tree) => {
      const read = decodePhp(textOf(tree))
      if (!isDeepStrictEqual(inOrder(read), inOrder(treeValue(tree))))
        expect(inOrder(read)).toEqual(inOrder(treeValue(tree)))
    })
  })

  it('reads a value that was set', { timeout }, () => {
    law(fc.tuple(plainTree, choice, phpKey, ownValue), ([tree, at, key, value]) => {
      const path = [...pick(arraysOf(tree), at).path, key]
      const encoded = encodePhp(value)
      const text = setValue(textOf(tree), path, encoded)
      expect(inOrder(findValue(text, path))).toEqual(inOrder(asRead(value)))
      expect(findSlice(text, path)).toBe(encoded)
    })
  })

  it('replaces one value, and otherwise only the numbers of references', { timeout }, () => {
    law(fc.tuple(anyTree, choice, choice, ownValue), ([tree, at, entryAt, value]) => {
      const model = ownTree(tree)
      const { path, array } = pick(arraysOf(model), at)
      fc.pre(array.entries.length > 0)
      const entry = pick(array.entries, entryAt)
      const encoded = encodePhp(value)
      entry.node = newLeaf(encoded)
      expectEdit(model, () => setValue(textOf(tree), [...path, entry.key], encoded))
    })
  })

  it('appends a missing key at the end of its array', { timeout }, () => {
    law(fc.tuple(anyTree, choice, fc.array(phpKey), ownValue), ([tree, at, deeper, value]) => {
      const model = ownTree(tree)
      const { path, array } = pick(arraysOf(model), at)
      const key = 'not there yet'
      const encoded = encodePhp(value)
      let node = newLeaf(encoded)
      for (const inner of deeper.toReversed())
        node = { kind: 'array', entries: [{ key: inner, node }] }
      array.entries.push({ key, node })
      expectEdit(model, () => setValue(textOf(tree), [...path, key, ...deeper], encoded))
    })
  })

  it('removes one entry, and otherwise changes only counts and references', { timeout }, () => {
    law(fc.tuple(anyTree, choice, choice), ([tree, at, entryAt]) => {
      const model = ownTree(tree)
      const { path, array } = pick(arraysOf(model), at)
      fc.pre(array.entries.length > 0)
      const [entry] = array.entries.splice(entryAt % array.entries.length, 1)
      expectEdit(model, () => removeValue(textOf(tree), [...path, entry?.key ?? '']))
    })
  })

  it('reverts every edit byte-exactly', { timeout }, () => {
    law(fc.tuple(anyTree, plainTree, choice, choice, ownValue), ([any, tree, at, last, value]) => {
      const fresh = [...pick(arraysOf(any), at).path, 'not there yet']
      const before = textOf(any)
      expect(removeValue(setValue(before, fresh, encodePhp(value)), fresh)).toBe(before)

      const { path, array } = pick(arraysOf(tree), last)
      const key = array.entries.at(-1)?.key
      fc.pre(key !== undefined)
      const text = textOf(tree)
      const there = [...path, key]
      const slice = findSlice(text, there) ?? expect.fail('not found')
      fc.pre(!slice.includes('C:'))
      const changed = setValue(text, there, encodePhp(value))
      expect(setValue(changed, there, slice)).toBe(text)
      expect(setValue(removeValue(text, there), there, slice)).toBe(text)
    })
  })

  it('returns undefined for a missing key', { timeout }, () => {
    law(fc.tuple(anyTree, choice, fc.array(phpKey)), ([tree, at, deeper]) => {
      const path = [...pick(arraysOf(tree), at).path, 'not there', ...deeper]
      const text = textOf(tree)
      expect(findValue(text, path)).toBeUndefined()
      expect(removeValue(text, path)).toBe(text)
    })
  })

  it('rejects every truncated text', { timeout }, () => {
    law(fc.tuple(anyTree, choice), ([tree, at]) => {
      const text = textOf(tree)
      const cut = text.slice(0, at % text.length)
      expect(() => scanPhp(cut)).toThrow(SerializedError)
      expect(() => findValue(cut, ['x'])).toThrow(SerializedError)
      expect(() => setValue(cut, ['x'], 'N;')).toThrow(SerializedError)
      expect(() => removeValue(cut, ['x'])).toThrow(SerializedError)
    })
  })

  it('reads and edits a value with bytes after it as the value alone', { timeout }, () => {
    law(
      fc.tuple(anyTree, choice, fc.constantFrom(' ', '}', ';', 'x', 'N;', '\0', 'R:1;', 'é}')),
      ([tree, at, rest]) => {
        const text = textOf(tree)
        const { path } = pick(arraysOf(tree), at)
        const key = [...path, 'not there yet']
        expect(scanPhp(text + rest).tokens).toEqual(scanPhp(text).tokens)
        expect(setValue(text + rest, key, 'N;')).toBe(setValue(text, key, 'N;'))
        expect(removeValue(setValue(text, key, 'N;') + rest, key)).toBe(text)
        expect(() => setValue(text, key, `N;${rest}`)).toThrow(SerializedError)
      },
    )
  })

  it('rejects every wrong length and count', { timeout }, () => {
    law(fc.tuple(anyTree, choice, fc.integer({ min: -9, max: 30 })), ([tree, at, by]) => {
      const bytes = Buffer.from(textOf(tree))
      const raw = bytes.toString('latin1')
      const { start, end } = pick(lengthsOf(raw), at)
      const right = Number(raw.slice(start, end))
      fc.pre(by !== 0 && right + by >= 0)
      const damaged = Buffer.from(raw.slice(0, start) + (right + by) + raw.slice(end), 'latin1')
      const readTo = endOf(damaged.toString())
      // A longer text may end where another one ends, so that the value ends earlier, with bytes after it.
      if (by > 0 && readTo !== undefined) expect(readTo).toBeLessThan(damaged.length)
      else expect(readTo).toBeUndefined()
    })
  })
})

/** Where the value of a text ends, in bytes; undefined if it is refused. */
function endOf(text: string): number | undefined {
  try {
    return scanPhp(text).tokens[0]?.end
  } catch (error) {
    if (error instanceof SerializedError) return undefined
    throw error
  }
}

/** The positions of the lengths and counts of a valid text, including those of keys. */
function lengthsOf(raw: string): { start: number; end: number }[] {
  const { tokens } = scanPhp(Buffer.from(raw, 'latin1').toString())
  const starts = tokens.flatMap(({ kind, entry, start, body }) => [
    ...(raw.startsWith('s:', entry) ? [entry + 2] : []),
    ...(/[sOCEa]/.test(kind) ? [start + 2] : []),
    ...(/[OC]/.test(kind) ? [raw.lastIndexOf(':', body - 3) + 1] : []),
  ])
  return starts.map((start) => ({
    start,
    end: start + (/\d+/.exec(raw.slice(start))?.[0].length ?? 0),
  }))
}
