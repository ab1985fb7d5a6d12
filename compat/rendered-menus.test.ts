import { parseFragment, serialize } from 'parse5'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeMenu } from './support/menu.ts'
import { openScene, type Scene } from './support/scene.ts'
import { TEXTS } from './support/texts.ts'

let scene: Scene
let pages: readonly number[] = []

beforeAll(async () => {
  scene = await openScene()
  pages = await scene.wp<number[]>('make_pages', [
    { title: 'About & more' },
    { title: 'Team', under: 0 },
    { title: 'Elsewhere' },
    { title: 'Start' },
  ])
  const [, , , start] = pages
  await scene.wp('calls', [
    ['update_option', ['show_on_front', 'page']],
    ['update_option', ['page_on_front', start]],
  ])
  await scene.done('post', '/frames', {
    slug: 'header',
    html: '<!-- svc/menu {"location":"header","current":true} /-->',
  })
  for (const page of pages) await scene.done('post', '/frames/header/assign', { page })
})
afterAll(() => scene?.close())

/** Elements, attributes and texts, however they are spelled. `rel="noopener"` is WordPress's own up to a version after 6.1. */
const elements = (html: string): string =>
  serialize(parseFragment(html.replaceAll(' rel="noopener"', '')))

/** On each page, the frame prints the menu that a theme would. */
async function expectPrinted(items: readonly object[]): Promise<void> {
  const menu = { name: `Menu ${TEXTS[3]}`, location: 'header', items }
  const { menu: made } = await makeMenu(scene, menu, 'root')
  for (const page of pages) {
    const theirs = await scene.wp<string | false>('render', { location: 'header', page })
    const ours = await scene.executor.render(scene.site, page)
    expect(elements(ours ?? '')).toBe(elements(theirs || ''))
  }
  await scene.done('delete', `/menus/${made.id}`)
}

describe('a frame prints the menu that wp_nav_menu prints,', () => {
  it('on the pages that are in it, above it and beside it', async () => {
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
      { url: `${scene.home}/`, title: 'Home' },
      { url: '#here', title: 'Here' },
    ])
  })

  it('with titles in all scripts', async () => {
    // WordPress prints the markup of titles; a frame prints what people read.
    const titles = TEXTS.filter((title) => !/<[a-z!]|&\w/.test(title))
    await expectPrinted(titles.map((title) => ({ url: '/x', title })))
  })

  it('deep', async () => {
    const [about] = pages
    const deep = Array.from({ length: 12 }).reduce<object[]>(
      (children, _, level) => [{ url: `/${level}`, title: `Level ${level}`, children }],
      [{ page: about }],
    )
    await expectPrinted(deep)
  })

  it('without items', () => expectPrinted([]))
})
