import { describe, expect, it } from 'vitest'
import {
  findReferenceConflicts,
  listReferences,
} from '../../../src/content/markup/insert-references.ts'
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

describe('findReferenceConflicts', () => {
  const isSameFrame = (a: string, b: string): boolean =>
    [a, b].sort().join() === '0123456789abcdef,card'
  const name = { key: 'name', value: 'card' } as const
  const id = { key: 'id', value: '0123456789abcdef' } as const
  const other = { key: 'slug', value: 'other' } as const

  it('finds none between references to one frame', () => {
    expect(findReferenceConflicts([], isSameFrame)).toEqual([])
    expect(findReferenceConflicts([name], isSameFrame)).toEqual([])
    expect(findReferenceConflicts([name, { key: 'slug', value: 'card' }], isSameFrame)).toEqual([])
    expect(findReferenceConflicts([name, id], isSameFrame)).toEqual([])
  })

  it('lists all pairs if one differs', () => {
    expect(findReferenceConflicts([name, id, other], isSameFrame)).toEqual([name, id, other])
  })
})
