import { describe, expect, it } from 'vitest'
import { findFormerTerms } from '../../tools/vocabulary.ts'

const termsOf = (text: string): string[] => findFormerTerms(text).map(({ term }) => term)

describe('findFormerTerms', () => {
  it.each([
    ['the frame stands on a page', ['stands']],
    ['in-page-turn.ts', ['turn']],
    ['MENU_PLACE', ['place']],
    ['db.rehearse(work)', ['rehearse']],
    ['HTTPVisit', ['visit']],
    ['tellVersion(newVersionWord)', ['word']],
    ['Mended: nothing', ['mended']],
  ])('reports the former terms of "%s"', (text, terms) => {
    expect(termsOf(text)).toEqual(terms)
  })

  it.each([
    'return the password of a WordPress visitor',
    'wordpress/ and WORDPRESS_URL',
    'edited in place, in the background',
    'replace the placeholder',
    'recommended amendments',
  ])('accepts "%s"', (text) => {
    expect(termsOf(text)).toEqual([])
  })

  it('accepts former names of the --json output in the changelog only', () => {
    expect(findFormerTerms('the field `mend`', 'CHANGELOG.md')).toEqual([])
    expect(findFormerTerms('the field `mend`', 'docs/commands.md')).toHaveLength(1)
  })

  it('reports other words for what the glossary names, where users read them', () => {
    const text = 'A run can be taken back, and the feed of changes shows it.'
    expect(findFormerTerms(text, 'docs/network.md').map(({ term }) => term)).toEqual([
      'taken back',
      'feed of changes',
    ])
    expect(findFormerTerms(text, 'test/api/undo.test.ts')).toEqual([])
  })

  it('reports the line and the term to use', () => {
    expect(findFormerTerms('one\nmend it')).toEqual([{ line: 2, term: 'mend', use: 'fix' }])
  })
})
