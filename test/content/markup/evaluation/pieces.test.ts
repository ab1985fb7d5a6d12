import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type DeferredPiece,
  decodePieces,
  encodePieces,
  type Piece,
} from '../../../../src/content/markup/evaluation/pieces.ts'
import type { Insert } from '../../../../src/content/markup/evaluation/program.ts'

const insert: Insert = {
  op: 'insert',
  kind: 'content',
  params: {},
  path: null,
  ref: '',
  body: null,
  at: { line: 1, column: 1 },
}

const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: 'binary', minLength: 200, maxLength: 300 }),
)
const value = fc.jsonValue({ maxDepth: 2 }).map((json) => JSON.parse(JSON.stringify(json)))
const { piece } = fc.letrec<{ piece: Piece }>((tie) => ({
  piece: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    text,
    fc.record<DeferredPiece>({
      node: fc.constantFrom<DeferredPiece['node']>(insert, { ...insert, kind: 'lang-switcher' }),
      scope: fc.record(
        {
          frames: fc.array(fc.constantFrom('page', 'card')),
          props: fc.dictionary(fc.string(), value),
          item: value,
        },
        { requiredKeys: ['frames', 'props'] },
      ),
      pieces: fc.array(tie('piece'), { maxLength: 3 }),
    }),
  ),
}))
const languages = fc.array(fc.array(piece, { maxLength: 5 }), { minLength: 1, maxLength: 3 })

describe('pieces', () => {
  it('are decoded as they were encoded, in each language', () => {
    fc.assert(
      fc.property(languages, (all) => {
        const body = encodePieces(all)
        for (const [index, pieces] of all.entries()) {
          expect(decodePieces(body, index)).toEqual(pieces)
        }
      }),
    )
  })

  it('are encoded without four-byte characters', () => {
    fc.assert(
      fc.property(languages, (all) => {
        expect(encodePieces(all)).not.toMatch(/[\ud800-\udfff]/)
      }),
    )
    expect(decodePieces(encodePieces([['😀\ud83d']]), 0)).toEqual(['😀\ud83d'])
  })

  it('share long texts, rows and nodes between pieces and languages', () => {
    const long = 'x'.repeat(100_000)
    const row = { text: 'y'.repeat(100_000) }
    const deferred = (): Piece => ({
      node: insert,
      scope: { frames: ['page'], props: row, item: row },
      pieces: [],
    })
    const language = Array.from({ length: 50 }, () => [long, deferred()]).flat()
    expect(encodePieces([language, language, language]).length).toBeLessThan(210_000)
  })

  it.each([
    ['an empty text', ''],
    ['one line', '[]'],
    ['a missing language', '[]\n[]'],
    ['invalid JSON', '[]\n[]\n['],
    ['an index out of range', '[]\n[]\n[5]'],
    ['an inherited name', '[]\n[]\n["a",[0,0,0,-1,[]]]'],
  ])('cannot be decoded if damaged: %s', (_, body) => {
    expect(() => decodePieces(body, 1)).toThrow()
  })
})
