import { afterAll, beforeAll, expect, it } from 'vitest'
import { sanitizeTitle } from '../src/wordpress/formatting/slugs.ts'
import { NEWER_LETTERS } from './support/newer-letters.ts'
import { openScene, type Scene } from './support/scene.ts'

let scene: Scene
beforeAll(async () => {
  scene = await openScene()
})
afterAll(() => scene?.close())

const LETTERS_A_CALL = 8192
const PLANES = 2

it('every letter of the first two planes becomes in a slug what sanitize_title makes of it', async () => {
  const titles = Array.from({ length: PLANES * 0x10000 }, (_, code) => String.fromCodePoint(code))
    .filter((letter) => letter.isWellFormed() && !NEWER_LETTERS.test(letter))
    .map((letter) => `a${letter}b`)
  for (let from = 0; from < titles.length; from += LETTERS_A_CALL) {
    const some = titles.slice(from, from + LETTERS_A_CALL)
    const calls = some.map((title) => ['sanitize_title', [title]])
    const theirs = await scene.wp<string[]>('calls', calls)
    const differing = some
      .map((title, place) => ({
        title,
        ours: sanitizeTitle(title, 'en_US'),
        theirs: theirs[place],
      }))
      .filter((slug) => slug.ours !== slug.theirs)
    expect(differing).toEqual([])
  }
})
