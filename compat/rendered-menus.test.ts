import { parseFragment, serialize } from 'parse5'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { renderById } from '../test/support/render-by-id.ts'
import { type CompatFixture, createCompatFixture } from './support/compat-fixture.ts'
import { makeMenu } from './support/menu.ts'
import { TEXTS } from './support/texts.ts'

let fixture: CompatFixture
let pages: readonly number[] = []

beforeAll(async () => {
  fixture = await createCompatFixture()
  pages = await fixture.wp<number[]>('make_pages', [
    { title: 'About & more' },
    { title: 'Team', under: 0 },
    { title: 'Elsewhere' },
    { title: 'Start' },
  ])
  const [, , , start] = pages
  await fixture.wp('calls', [
    ['update_option', ['show_on_front', 'page']],
    ['update_option', ['page_on_front', start]],
  ])
  await fixture.done('post', '/frames', {
    slug: 'header',
    html: '<!-- svc/menu {"location":"header","current":true} /-->',
  })
  for (const page of pages) await fixture.done('post', '/frames/header/assign', { page })
})
afterAll(() => fixture?.close())

/** Elements, attributes and texts, normalized. WordPress adds `rel="noopener"` up to a version after 6.1. */
const elements = (html: string): string =>
  serialize(parseFragment(html.replaceAll(' rel="noopener"', '')))

/** Asserts that on each page the frame prints the menu that a theme prints. */
async function expectPrinted(items: readonly object[]): Promise<void> {
  const menu = { name: `Menu ${TEXTS[3]}`, location: 'header', items }
  const { menu: made } = await makeMenu(fixture, menu, 'root')
  for (const page of pages) {
    const theirs = await fixture.wp<string | false>('render', { location: 'header', page })
    const ours = await renderById(fixture.executor, fixture.network.db, fixture.site, page)
    expect(elements(ours ?? '')).toBe(elements(theirs || ''))
  }
  await fixture.done('delete', `/menus/${made.id}`)
}

describe('a frame prints the menu that wp_nav_menu prints,', () => {
  it('on pages in the menu, above it and outside it', async () => {
    const [about, team, , start] = pages
    await expectPrinted([
      { page: start },
      {
        page: about,
        classes: 'a b',
        children: [{ page: team, children: [{ url: '/x', title: 'X' }] }],
      },
      { url: 'https://other.test/?a=1&b=2', title: 'Other', target: '_blank' },
      { url: '/about-more/team/', title: 'By its address' },
      { url: `${fixture.home}/`, title: 'Home' },
      { url: '#here', title: 'Here' },
    ])
  })

  it('with titles in all scripts', async () => {
    // WordPress prints the markup of titles; a frame prints their text.
    const titles = TEXTS.filter((title) => !/<[a-z!]|&\w/.test(title))
    await expectPrinted(titles.map((title) => ({ url: '/x', title })))
  })

  it('with many levels', async () => {
    const [about] = pages
    const deep = Array.from({ length: 12 }).reduce<object[]>(
      (children, _, level) => [{ url: `/${level}`, title: `Level ${level}`, children }],
      [{ page: about }],
    )
    await expectPrinted(deep)
  })

  it('without items', () => expectPrinted([]))
})
