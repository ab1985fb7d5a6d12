import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { describeWith } from '../../../test/support/describe-with.ts'
import { removeValue, setValue } from '../src/edit-php.ts'
import { encodePhp, phpFloat } from '../src/encode-php.ts'
import { SerializedError } from '../src/php-value.ts'
import { scanPhp } from '../src/scan-php.ts'
import { ownValue, phpKey, phpTree } from './php-arbitrary.ts'
import { arraysOf, writeTree } from './php-model.ts'

/** Compares with the real PHP. */

/** Set SERIALIZED_RUNS=100000 for the long run. */
const numRuns = Number(process.env.SERIALIZED_RUNS ?? 2_000)
const timeout = Math.max(60_000, numRuns * 10)

type Case = Record<string, string | string[]>

const BATCH = 10_000

const base64 = (text: string): string => Buffer.from(text).toString('base64')

const encodeCase = (fields: Case): string =>
  JSON.stringify(
    Object.fromEntries(
      Object.entries(fields).map(([name, field]) => [
        name,
        typeof field === 'string' ? base64(field) : field.map(base64),
      ]),
    ),
  )

/** One process per batch; the verdicts are in the order of the cases. */
const askPhp = (cases: readonly Case[]): unknown[] => {
  const verdicts: unknown[] = []
  for (let at = 0; at < cases.length; at += BATCH) {
    const { status, stdout, stderr } = spawnSync('php', [join(import.meta.dirname, 'judge.php')], {
      input: cases
        .slice(at, at + BATCH)
        .map(encodeCase)
        .join('\n'),
      encoding: 'utf8',
      maxBuffer: 2 ** 30,
    })
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    for (const line of stdout.trim().split('\n')) verdicts.push(JSON.parse(line))
  }
  expect(verdicts).toHaveLength(cases.length)
  return verdicts
}

const sample = <T>(arbitrary: fc.Arbitrary<T>): T[] => fc.sample(arbitrary, numRuns)

const trees = fc.oneof(phpTree({ references: false }), phpTree({ references: true }))

/** The result of the edit, or undefined if it is rejected. */
const tryEdit = (edit: () => string): string | undefined => {
  try {
    return edit()
  } catch (error) {
    if (error instanceof SerializedError) return undefined
    throw error
  }
}

describeWith('php', 'PHP as the reference', () => {
  it('makes the same edits', { timeout }, () => {
    const cases = sample(fc.tuple(trees, fc.nat(1000), fc.nat(1000), phpKey, ownValue)).flatMap(
      ([tree, at, entryAt, newKey, own]): Case[] => {
        const before = writeTree(tree) ?? ''
        const arrays = arraysOf(tree)
        const { path, array } = arrays[at % arrays.length] ?? expect.fail('no array')
        const key = array.entries[entryAt % (array.entries.length + 1)]?.key ?? newKey
        const there = [...path, key]
        const value = encodePhp(own)
        const set = tryEdit(() => setValue(before, there, value))
        const removed = tryEdit(() => removeValue(before, there))
        return [
          ...(set === undefined ? [] : [{ edit: 'set', before, after: set, path: there, value }]),
          ...(removed === undefined
            ? []
            : [{ edit: 'remove', before, after: removed, path: there }]),
        ]
      },
    )
    const verdicts = askPhp(cases) as { canonical: boolean; right: boolean; edited: string }[]
    const wrong = verdicts.flatMap(({ right, edited }, index) =>
      right ? [] : [{ ...cases[index], php: Buffer.from(edited, 'base64').toString() }],
    )
    expect(wrong.slice(0, 3)).toEqual([])
    // Otherwise the comparison would be between PHP's conversions of both, not between the bytes.
    const canonical = verdicts.filter((verdict) => verdict.canonical).length
    expect(canonical / verdicts.length).toBeGreaterThan(0.8)
    expect(cases.length).toBeGreaterThan(numRuns)
  })

  it('accepts every damaged text that this parser accepts', { timeout }, () => {
    const damage = fc.record({
      at: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
      remove: fc.nat(2),
      insert: fc.constantFrom(...'017;}":iRrs-+.E', '', 'N;'),
    })
    const rests = fc.constantFrom('', '}', ';', 'x', ' ', 'N;', 'R:1;', 'é')
    const accepted = sample(fc.tuple(trees, fc.array(damage, { maxLength: 2 }), rests))
      .map(([tree, damages, rest]) => {
        let text = writeTree(tree) ?? ''
        for (const { at, remove, insert } of damages) {
          const index = Math.floor(at * text.length)
          text = text.slice(0, index) + insert + text.slice(index + remove)
        }
        return text + rest
      })
      // PHP rejects enum cases that are not loaded: the text is not damaged.
      .filter((text) => !/E:\d+:"(?!Suit:(?:Hearts|Spades)")/.test(text))
      .filter((text) => tryEdit(() => String(scanPhp(text).tokens.length)) !== undefined)
    const verdicts = askPhp(accepted.map((text) => ({ accepts: text })))
    expect(accepted.filter((_, index) => verdicts[index] !== true).slice(0, 3)).toEqual([])
    expect(accepted.length).toBeGreaterThan(numRuns / 200)
  })

  it('decodes our encoding to the same value', { timeout }, () => {
    const values = sample(ownValue).map((value) => encodePhp(value))
    const verdicts = askPhp(
      values.map((value) => ({
        edit: 'set',
        before: 'a:0:{}',
        after: `a:1:{i:0;${value}}`,
        path: ['0'],
        value,
      })),
    ) as { canonical: boolean; right: boolean }[]
    expect(verdicts.every(({ canonical, right }) => canonical && right)).toBe(true)
  })

  it('writes floats in the same notation', { timeout }, () => {
    const floats = sample(fc.double({ noNaN: true, noDefaultInfinity: true })).filter(
      (float) => !Object.is(float, -0),
    )
    const spelled = askPhp(floats.map((float) => ({ float: String(float) })))
    const ours = floats.map((float) => base64(`d:${phpFloat(float)};`))
    expect(ours).toEqual(spelled)
  })
})
