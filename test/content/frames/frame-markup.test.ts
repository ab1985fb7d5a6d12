import { describe, expect, it } from 'vitest'
import {
  analyzeMarkup,
  assertReferencesAgree,
  resolveReferences,
} from '../../../src/content/frames/frame-markup.ts'
import { Registry } from '../../../src/content/frames/registry.ts'

const registry = new Registry(
  new Map([
    ['a1', 'header'],
    ['a2', 'card'],
  ]),
)

describe('references in markup', () => {
  it('are resolved to slugs, sorted and without duplicates, including missing ones', () => {
    expect(resolveReferences(['z', 'header', 'a2', 'a1', 'b'], registry)).toEqual({
      frame_refs: ['b', 'card', 'header', 'z'],
      frame_refs_missing: ['b', 'z'],
    })
    expect(resolveReferences([], registry)).toEqual({ frame_refs: [], frame_refs_missing: [] })
  })

  it.each(['{"name":"header","id":"a1"}', '{"name":"gone","ref":"gone"}', '{"name":"gone"}'])(
    'agree in an insert with %s',
    (json) => {
      const { aliases } = analyzeMarkup(`<!-- svc/frame ${json} /-->`)
      expect(() => assertReferencesAgree(aliases, registry)).not.toThrow()
    },
  )

  it.each([
    ['{"name":"header","id":"a2"}', ['header', 'a2']],
    ['{"name":"header","slug":"gone"}', ['header', 'gone']],
    ['{"name":"header","id":"a1","slug":"gone"}', ['header', 'gone', 'a1']],
    ['{"name":"gone","slug":"lost","id":"a1"}', ['gone', 'lost', 'a1']],
    ['{"id":"a","slug":"b","frame":"c","ref":"d","name":"e"}', ['e', 'd', 'c', 'b', 'a']],
  ])('are rejected in an insert with %s', (json, values) => {
    const { aliases } = analyzeMarkup(`x\n  <!-- svc/frame ${json} /-->`)
    expect(() => assertReferencesAgree(aliases, registry)).toThrow(
      expect.objectContaining({
        code: 'frame_ref_conflict',
        message: expect.stringContaining('line 2, column 3'),
        fields: {
          conflicts: values.map((value) => expect.objectContaining({ value })),
          line: 2,
          column: 3,
        },
      }),
    )
  })
})
