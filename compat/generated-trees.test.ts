import { decodeHTMLStrict } from 'entities'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { asData, type DataItem, dataOf, makeMenu, shownMenu } from './support/menu.ts'
import { openScene, type Scene } from './support/scene.ts'
import { type Branch, flat, trees } from './support/tree.ts'

let scene: Scene
beforeAll(async () => {
  scene = await openScene()
})
afterAll(() => scene?.close())

const RUNS = { numRuns: 25 }

/** A tree as the API and WordPress are to show it: addresses completed, classes without the empty ones. */
const shownTree = (tree: readonly Branch[]): object[] =>
  tree.map(({ url, title, target = '', classes = '', children }) => ({
    title: decodeHTMLStrict(title),
    url: url.startsWith('/') ? scene.home + url : url,
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

describe('whatever the tree,', () => {
  it('WordPress reads the one that the API wrote', async () => {
    const { menu } = await makeMenu(scene, { name: 'Replaced', location: 'header' }, 'root')
    await fc.assert(
      fc.asyncProperty(trees, async (items) => {
        await scene.done('put', `/menus/${menu.id}/items`, { items }, 'root')
        const shown = await shownMenu(scene, menu.id)
        const read = await dataOf(scene, 'header')
        expect(read).toEqual(asData(shown.items))
        expect(withoutIds(read)).toEqual(shownTree(items))
        expect(shown.count).toBe(shown.items.length)
      }),
      RUNS,
    )
  })

  it('the API reads the one that WordPress wrote', async () => {
    await fc.assert(
      fc.asyncProperty(trees, async (tree) => {
        menus += 1
        const items = flat(tree)
        const name = `Written ${menus}`
        const { menu } = await scene.wp<{ menu: number }>(
          'write_menu_on_screen',
          { name, location: 'footer_1', items },
          { user: 'root' },
        )
        const shown = await shownMenu(scene, menu)
        expect(shown.items).toHaveLength(items.length)
        expect(await dataOf(scene, 'footer_1')).toEqual(asData(shown.items))
      }),
      RUNS,
    )
  })
})
