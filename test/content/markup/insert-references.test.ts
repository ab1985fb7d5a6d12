import { describe, expect, it } from 'vitest'
import { listReferences } from '../../../src/content/markup/insert-references.ts'
import { parseMarkup } from '../../../src/content/markup/parse-markup.ts'

function referencesIn(source: string): string[] {
  const node = parseMarkup(source).nodes[0]
  if (node?.type !== 'insert') throw new Error(`no insert in ${source}`)
  return listReferences(node).map(({ key, value }) => `${key} ${value}`)
}

describe('listReferences', () => {
  it.each([
    [
      '{"id":"e","slug":"d","frame":"c","ref":"b","name":"a"}',
      ['name a', 'ref b', 'frame c', 'slug d', 'id e'],
    ],
    ['{"name":" Card--Wide "}', ['name card--wide']],
    ['{"name":"  ","slug":"a"}', ['slug a']],
    ['{"name":404,"ref":null,"slug":["a"]}', []],
    ['{"title":"a"}', []],
  ])('lists the keys of svc/frame in order of precedence: %s', (json, expected) => {
    expect(referencesIn(`<!-- svc/frame ${json} /-->`)).toEqual(expected)
    expect(referencesIn(`<!-- svc/partial ${json} /-->`)).toEqual(expected)
  })

  it('lists "frame" only for a repeat without a body', () => {
    const json = '{"source":"pages","frame":"card","name":"a"}'
    expect(referencesIn(`<!-- svc/repeat ${json} /-->`)).toEqual(['frame card'])
    expect(referencesIn(`<!-- svc/repeat ${json} --><!-- /svc/repeat -->`)).toEqual([])
    expect(referencesIn('<!-- svc/menu {"name":"a"} /-->')).toEqual([])
  })
})
