import { describe, expect, it } from 'vitest'
import { fits } from '../src/palette/fits.ts'

describe('what a search finds', () => {
  it.each([
    ['', 'anything'],
    ['head', 'site-header'],
    ['header site', 'site-header'],
    ['hedaer', 'site-header'],
    ['heder', 'site-header'],
    ['headder', 'site-header'],
    ['langing', 'landing'],
    ['asign', 'Assign to a page: card'],
    ['قهوه', 'قهوة من الرصيف'],
  ])('"%s" finds "%s"', (search, text) => {
    expect(fits(search, text)).toBe(true)
  })

  it.each([
    ['footer', 'site-header'],
    ['cat', 'card'],
    ['header shop', 'site-header'],
  ])('"%s" does not find "%s"', (search, text) => {
    expect(fits(search, text)).toBe(false)
  })
})
