import { decodeHTMLStrict } from 'entities'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type CompatFixture, createCompatFixture } from './support/compat-fixture.ts'
import { asData, type DataItem, dataOf, makeMenu, shownMenu } from './support/menu.ts'
import { type Branch, flat, trees } from './support/tree.ts'

let fixture: CompatFixture
beforeAll(async () => {
  fixture = await createCompatFixture()
})
afterAll(() => fixture?.close())

const RUNS = { numRuns: 25 }

/** The tree that the API and WordPress must show: with complete addresses and without empty classes. */
const shownTree = (tree: readonly Branch[]): object[] =>
  tree.map(({ url, title, target = '', classes = '', children }) => ({
    title: decodeHTMLStrict(title),
    url: url.startsWith('/') ? fixture.home + url : url,
    target,
    classes: classes.split(' ').filter(Boolean).join(' '),
    children: shownTree(children),
  }))

const withoutIds = (items: readonly DataItem[]): object[] =>
  items.map(({ title, url, target, classes, children }) => ({
    title,
    url,
    target,
    classes,
    children: withoutIds(children),
  }))

let menus = 0

describe('for any tree,', () => {
  it('WordPress reads what the API wrote', async () => {
    const { menu } = await makeMenu(fixture, { name: 'Replaced', location: 'header' }, 'root')
    await fc.assert(
      fc.asyncProperty(trees, async (items) => {
        await fixture.done('put', `/menus/${menu.id}/items`, { items }, 'root')
        const shown = await shownMenu(fixture, menu.id)
        const read = await dataOf(fixture, 'header')
        expect(read).toEqual(asData(shown.items))
        expect(withoutIds(read)).toEqual(shownTree(items))
        expect(shown.count).toBe(shown.items.length)
      }),
      RUNS,
    )
  })

  it('the API reads what WordPress wrote', async () => {
    await fc.assert(
      fc.asyncProperty(trees, async (tree) => {
        menus += 1
        const items = flat(tree)
        const name = `Written ${menus}`
        const { menu } = await fixture.wp<{ menu: number }>(
          'write_menu_on_screen',
          { name, location: 'footer_1', items },
          { user: 'root' },
        )
        const shown = await shownMenu(fixture, menu)
        expect(shown.items).toHaveLength(items.length)
        expect(await dataOf(fixture, 'footer_1')).toEqual(asData(shown.items))
      }),
      RUNS,
    )
  })
})
