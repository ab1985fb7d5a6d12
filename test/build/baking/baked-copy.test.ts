import { describe, expect, it } from 'vitest'
import {
  createBakedCopy,
  decodeBakedCopy,
  encodeBakedCopy,
  fingerprint,
  piecesOf,
} from '../../../src/build/baking/baked-copy.ts'
import type { Closure } from '../../../src/build/baking/closure.ts'
import { collectNeeds } from '../../../src/content/markup/evaluation/needs.ts'
import { encodePieces } from '../../../src/content/markup/evaluation/pieces.ts'
import type { Values } from '../../../src/content/markup/evaluation/values.ts'
import { sha256Hex } from '../../../src/host/hash.ts'
import { NO_VALUES } from '../../content/markup/evaluation/print.ts'

const closure = { frames: [{ id: '0123456789abcdef', slug: 'page', sha256: 'x' }], missing: [] }
const needs = collectNeeds([])
const language = (lang: string) => ({
  lang,
  fingerprint: 'f',
  blocks: 1,
  bytes: 1,
  live: false,
  listIds: [],
  unresolved: [],
  warnings: ['😀'],
})
const facts = { unknown_inserts: [], bind_tags: 0, repeats: [] }
const header = { closure, needs, facts, digest: 'd', languages: [language('en'), language('fr')] }
const copyOf = (texts: readonly string[]) =>
  createBakedCopy(header, encodePieces(texts.map((text) => [text])))

const fingerprintOf = (frames: Closure, values: Values) =>
  fingerprint(frames, sha256Hex(JSON.stringify(values)))

describe('a baked copy', () => {
  it('is decoded as it was encoded', () => {
    const copy = copyOf(['a\n😀', 'b'])
    const stored = encodeBakedCopy(copy)
    expect(stored).not.toMatch(/[\ud800-\udfff]/)
    const read = decodeBakedCopy(stored)
    expect(read).toEqual(copy)
    expect(read?.header.languages.map((lang) => piecesOf(read, lang))).toEqual([['a\n😀'], ['b']])
  })

  it('is stored without its body if it is too large', () => {
    const read = decodeBakedCopy(encodeBakedCopy(copyOf(['a'.repeat(4e6), 'b'.repeat(4e6)])))
    expect(read?.header.languages).toHaveLength(2)
    expect(read?.body).toBeUndefined()
    expect(read && piecesOf(read, language('en'))).toBeUndefined()
  })

  it.each([
    ['missing', undefined],
    ['empty', ''],
    ['of the first format', '{"format":1,"languages":{}}'],
    ['of a later format', '{"format":99}\n[]\n[]'],
    ['cut short', '{"format":4,"clos\n'],
    ['not JSON', 'a:1:{i:0;s:1:"x";}\n'],
    ['null', 'null\n'],
  ])('is undefined if the option is %s', (_, text) => {
    expect(decodeBakedCopy(text)).toBeUndefined()
  })

  it('has no pieces for a language whose line is damaged', () => {
    const stored = encodeBakedCopy(copyOf(['a', 'b']))
    const read = decodeBakedCopy(stored.slice(0, -3))
    const [en, fr] = read?.header.languages ?? []
    expect(read && en && piecesOf(read, en)).toEqual(['a'])
    expect(read && fr && piecesOf(read, fr)).toBeUndefined()
  })

  it('has another fingerprint for other markup, embedded frames or values', () => {
    const larger = {
      ...closure,
      frames: [...closure.frames, { id: 'x', slug: 'card', sha256: 'y' }],
    }
    const fingerprints = [
      fingerprintOf(closure, NO_VALUES),
      fingerprintOf(larger, NO_VALUES),
      fingerprintOf({ ...closure, missing: ['card'] }, NO_VALUES),
      fingerprintOf(closure, { ...NO_VALUES, site: { title: 'x' } }),
      fingerprintOf(closure, { ...NO_VALUES, lang: 'en' }),
    ]
    expect(new Set(fingerprints).size).toBe(fingerprints.length)
    expect(fingerprintOf(closure, { ...NO_VALUES })).toBe(fingerprints[0])
  })
})
