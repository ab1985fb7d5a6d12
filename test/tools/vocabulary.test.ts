import { describe, expect, it } from 'vitest'
import { findFormerWords } from '../../tools/vocabulary.ts'

const wordsOf = (text: string): string[] => findFormerWords(text).map(({ word }) => word)

describe('findFormerWords', () => {
  it.each([
    ['the frame stands on a page', ['stands']],
    ['const heldGraph = 1', ['held']],
    ['in-page-turn.ts', ['turn']],
    ['MENU_PLACE', ['place']],
    ['db.rehearse(work)', ['rehearse']],
    ['HTTPVisit', ['visit']],
    ['tellVersion(newVersionWord)', ['word']],
    ['Mended: nothing', ['mended']],
  ])('reports the former words of "%s"', (text, words) => {
    expect(wordsOf(text)).toEqual(words)
  })

  it.each([
    'return the password of a WordPress visitor',
    'wordpress/ and WORDPRESS_URL',
    'edited in place, in the background',
    'replace the placeholder',
    'recommended amendments',
  ])('accepts "%s"', (text) => {
    expect(wordsOf(text)).toEqual([])
  })

  it('reports the line and the term to use', () => {
    expect(findFormerWords('one\nmend it')).toEqual([{ line: 2, word: 'mend', use: 'fix' }])
  })
})
