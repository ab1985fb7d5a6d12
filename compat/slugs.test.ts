import { afterAll, beforeAll, expect, it } from 'vitest'
import { sanitizeTitle } from '../src/wordpress/formatting/slugs.ts'
import { type CompatFixture, createCompatFixture } from './support/compat-fixture.ts'
import { NEWER_LETTERS } from './support/newer-letters.ts'

let fixture: CompatFixture
beforeAll(async () => {
  fixture = await createCompatFixture()
})
afterAll(() => fixture?.close())

const LETTERS_A_CALL = 8192
const PLANES = 2

it('converts every letter of the first two planes as sanitize_title does', async () => {
  const titles = Array.from({ length: PLANES * 0x10000 }, (_, code) => String.fromCodePoint(code))
    .filter((letter) => letter.isWellFormed() && !NEWER_LETTERS.test(letter))
    .map((letter) => `a${letter}b`)
  for (let from = 0; from < titles.length; from += LETTERS_A_CALL) {
    const some = titles.slice(from, from + LETTERS_A_CALL)
    const calls = some.map((title) => ['sanitize_title', [title]])
    const theirs = await fixture.wp<string[]>('calls', calls)
    const differing = some
      .map((title, index) => ({
        title,
        ours: sanitizeTitle(title, 'en_US'),
        theirs: theirs[index],
      }))
      .filter((slug) => slug.ours !== slug.theirs)
    expect(differing).toEqual([])
  }
})
