import { describe, expect, it } from 'vitest'
import { DiffCache } from '../../../src/network/plan/plan-context.ts'

/** Characters that one diff may have, and how many of these diffs fill the cache of 32 MB. */
const MAX_LENGTH = 64 * 1024
const FILLING = 256

describe('the cache of diffs', () => {
  it('knows a diff by the digests of both sides', async () => {
    const diffs = new DiffCache()
    expect(diffs.find('a', 'b')).toBeUndefined()
    const text = await diffs.compare('frame', { before: 'a', after: 'b' }, '<p>1</p>', '<p>2</p>')
    expect(text.split('\n')).toEqual(expect.arrayContaining(['-<p>1</p>', '+<p>2</p>']))
    expect(diffs.find('a', 'b')).toBe(text)
    expect([diffs.find('b', 'a'), diffs.find(null, 'b'), diffs.find('a', null)]).toEqual([
      undefined,
      undefined,
      undefined,
    ])
  })

  it('shows a new thing as added lines', async () => {
    const diffs = new DiffCache()
    const sides = { before: null, after: 'b' }
    expect(await diffs.compare('dataset', sides, undefined, '["A"]')).toContain('+["A"]')
    expect(diffs.find(null, 'b')).toContain('+["A"]')
  })

  it('cuts a diff that is too long, and says so', () => {
    const diffs = new DiffCache()
    const text = diffs.add('a', 'b', 'x'.repeat(MAX_LENGTH + 1))
    expect(text.slice(MAX_LENGTH)).toBe('\n(The rest of this diff is left out.)')
    expect(diffs.add('a', 'c', 'x'.repeat(MAX_LENGTH))).toHaveLength(MAX_LENGTH)
  })

  it('leaves out further diffs when it is full, and still knows the others', () => {
    const diffs = new DiffCache()
    for (let at = 0; at < FILLING; at += 1) diffs.add(String(at), null, 'x'.repeat(MAX_LENGTH))
    expect(diffs.find('other', null)).toContain('too many different ones')
    expect(diffs.find('0', null)).toHaveLength(MAX_LENGTH)
  })
})
