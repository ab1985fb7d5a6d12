import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { rewriteReferences } from '../../support/rewrite-references.ts'
import { randomMarkup } from './random-markup.ts'

const rewrite = (json: string, kind = 'frame'): string => {
  const { html } = rewriteReferences(
    `<!-- svc/${kind} ${json} /-->`,
    new Map([['card', 'tile--big']]),
  )
  return html.slice(`<!-- svc/${kind} `.length, -' /-->'.length)
}

describe('rewriteReferences', () => {
  it.each([
    ['the value', '{"name":"card"}', '{"name":"tile--big"}'],
    ['a value in other letters', '{"name":" Card "}', '{"name":"tile--big"}'],
    ['a value in escapes', '{"name":"\\u0063ard"}', '{"name":"tile--big"}'],
    ['an alias', '{"ref":"card"}', '{"name":"tile--big"}'],
    ['an alias in escapes', '{"\\u0072ef":"card"}', '{"name":"tile--big"}'],
    [
      'the alias that counts',
      '{"slug":"card","ref":"card"}',
      '{"slug":"tile--big","name":"tile--big"}',
    ],
    [
      'an alias beside an empty name',
      '{"name":"","slug":"card"}',
      '{"name":"","slug":"tile--big"}',
    ],
    ['all that agree', '{"slug":"card","name":"card"}', '{"slug":"tile--big","name":"tile--big"}'],
    [
      'an alias beside the id',
      '{"id":"0123456789abcdef","slug":"card"}',
      '{"id":"0123456789abcdef","name":"tile--big"}',
    ],
    [
      'an alias that does not count',
      '{"ref":"other","slug":"card"}',
      '{"ref":"other","slug":"tile--big"}',
    ],
    ['the last of a key', '{"name":"card","name":"card"}', '{"name":"card","name":"tile--big"}'],
    [
      'and nothing else',
      '{ "a":1.0 ,\n"name"\t: "card","title":"card","b":{"name":"card"} }',
      '{ "a":1.0 ,\n"name"\t: "tile--big","title":"card","b":{"name":"card"} }',
    ],
  ])('rewrites %s', (_, json, expected) => {
    expect(rewrite(json)).toBe(expected)
    expect(rewrite(json, 'partial')).toBe(expected)
  })

  it.each([
    '{"name":"cards"}',
    '{"id":"0123456789abcdef"}',
    '{"name":"other","title":"card"}',
    '{"name":"card","name":"other"}',
    '{"name":["card"]}',
    '{"props":{"name":"card"}}',
    '{name:"card"}',
  ])('does not change %s', (json) => {
    expect(rewrite(json)).toBe(json)
  })

  it('keeps the only key of a repeat', () => {
    const json = '{"source":"pages","frame":"card","name":"card"}'
    expect(rewrite(json, 'repeat')).toBe('{"source":"pages","frame":"tile--big","name":"card"}')
    expect(rewrite(json, 'menu')).toBe(json)
  })

  it('counts inserts at any depth', () => {
    const card = '<!-- svc/frame {"slug":"card","ref":"card"} /-->'
    const source = `${card}<p data-op-bind="site.title">${card}</p><!-- svc/repeat {"source":"pages"} -->${card}<!-- /svc/repeat -->`
    expect(rewriteReferences(source, new Map([['card', 'tile']])).replaced).toBe(3)
  })

  it('rewrites frames that exchange their slugs at the same time', () => {
    const insert = (slug: string) => `<!-- svc/frame {"name":"${slug}"} /-->`
    const exchanged = new Map([
      ['a', 'b'],
      ['b', 'a'],
    ])
    expect(rewriteReferences(insert('a') + insert('b'), exchanged)).toEqual({
      html: insert('b') + insert('a'),
      replaced: 2,
    })
  })

  it('does not change text', () => {
    const card = '<!-- svc/frame {"name":"card"} /-->'
    const source = `<script>${card}</script><textarea>${card}</textarea><a title='${card}'>${card.replace('-->', '--!>')}`
    expect(rewriteReferences(source, new Map([['card', 'tile']]))).toEqual({
      html: source,
      replaced: 0,
    })
  })

  it('is byte-exactly reversible if the key is already "name"', () => {
    fc.assert(
      fc.property(randomMarkup({ references: ['name'] }), (source) => {
        const there = rewriteReferences(source, new Map([['card', 'never-there']]))
        const back = rewriteReferences(there.html, new Map([['never-there', 'card']]))
        expect(back).toEqual({ html: source, replaced: there.replaced })
        expect(rewriteReferences(there.html, new Map([['card', 'tile']])).replaced).toBe(0)
      }),
    )
  })

  it('changes only the tokens of references', () => {
    const blank = (source: string): string =>
      source.replace(/"(?:name|ref|frame|slug|id)":"(?:card|never-there)"/g, '_')
    fc.assert(
      fc.property(
        randomMarkup({ references: ['name', 'ref', 'frame', 'slug', 'id'] }),
        (source) => {
          const { html } = rewriteReferences(source, new Map([['card', 'never-there']]))
          expect(blank(html)).toBe(blank(source))
        },
      ),
    )
  })
})
