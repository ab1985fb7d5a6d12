import fc from 'fast-check'
import { expect, it } from 'vitest'
import { encodePhp } from '#php-serialized'
import { formatMenuFile, menuContent, readMenuFile } from '../../src/content/menus/menu-file.ts'
import { readPortableMenu } from '../../src/content/menus/portable-menu.ts'
import { listMenus } from '../../src/wordpress/nav-menus/nav-menu.ts'
import { readLinkSettings } from '../../src/wordpress/permalinks/link-settings.ts'
import { createPlannedSite, menu as described } from '../network/plan/planned-site.ts'
import { hostileText } from '../support/hostile-text.ts'
import { useMenusApi } from '../support/menus-api.ts'
import { runsOf } from '../support/runs-of.ts'

/**
 * Other programs stored values in a menu that no save of WordPress would store: `md:flex` as a class, `_Top` as a target, SVG in a description.
 * Right: WordPress 7.1 reads them (`wp_setup_nav_menu_item()` filters nothing), so what was read and comes back unchanged changes no row.
 */
const menus = await useMenusApi()
const { network, site, send } = menus
const { db } = network
const { posts, postmeta } = site.tables

const text = (...likely: string[]) => fc.oneof(fc.constantFrom('', ' ', ...likely), hostileText())
const classes = fc.oneof(
  fc
    .array(text('md:flex', 'lg:w-1/2', '3-col@md', 'one two'), { maxLength: 3 })
    .map((list) => encodePhp(list)),
  text('a b', 'a:1:{broken', 'i:5;'),
)
const item = fc.record({
  post_title: text('<svg viewBox="0 0 8 8"/> Shop', 'About', 'A & B', '&amp;amp;'),
  post_excerpt: text('<b onclick="x()">t</b>'),
  post_content: text('<script>x</script>', '  ', '\n'),
  post_status: fc.constantFrom('publish', 'publish', 'publish', 'draft'),
  menu_order: fc.integer({ min: 0, max: 3 }),
  parent: fc.integer({ min: -1, max: 5 }),
  _menu_item_classes: classes,
  _menu_item_target: text('_Top', '_blank '),
  _menu_item_xfn: text('me@x nofollow', ' me'),
  link: fc.constantFrom('page', 'gone', 'url', 'path', '#pll_switcher'),
})

it('come back unchanged: an unedited export and an unedited tree change no row', async () => {
  const links = await readLinkSettings(db, site)
  const planned = createPlannedSite(network, site)
  await fc.assert(
    fc.asyncProperty(fc.array(item, { minLength: 1, maxLength: 6 }), async (items) => {
      const made = await menus.makeMenu(items.map(() => 'about-us'))
      const ids: number[] = made.items.map(({ id }: { id: number }) => id)
      for (const [index, { link, parent, ...stored }] of items.entries()) {
        const { post_title, post_excerpt, post_content, post_status, menu_order, ...meta } = stored
        const columns = { post_title, post_excerpt, post_content, post_status, menu_order }
        await db.sql(posts).where({ ID: ids[index] }).update(columns)
        const custom = link === 'page' || link === 'gone' ? undefined : link
        const values = {
          ...meta,
          _menu_item_menu_item_parent: parent === index ? '9999999' : String(ids[parent] ?? 0),
          ...(link === 'gone' ? { _menu_item_object_id: '987654' } : {}),
          ...(custom
            ? {
                _menu_item_type: 'custom',
                _menu_item_object: 'custom',
                _menu_item_object_id: String(ids[index]),
                _menu_item_url: ADDRESSES.get(custom) ?? custom,
              }
            : {}),
        }
        for (const [meta_key, meta_value] of Object.entries(values))
          await db.sql(postmeta).where({ post_id: ids[index], meta_key }).update({ meta_value })
      }
      const rows = async () => ({
        posts: await db.sql(posts).whereIn('ID', ids).orderBy('ID'),
        meta: await db.sql(postmeta).whereIn('post_id', ids).orderBy('meta_id'),
      })
      const before = await rows()

      const own = (await listMenus(db, site)).find(({ id }) => id === made.menu.id)
      if (!own) throw new Error('no menu')
      const portable = await readPortableMenu(db, site, links, own)
      const file = readMenuFile(formatMenuFile(menuContent(portable), 'yaml'))
      expect(file.problems ?? []).toEqual([])
      const wanted = { ...described(portable.slug, []), name: portable.name, tree: file.tree }
      const { steps, problems } = await planned.plan({ menus: [wanted] })
      expect([steps, problems]).toEqual([[], []])
      // A step that changes something says what.
      const [first] = file.tree.items
      if (first) {
        const other = { ...first, classes: `${first.classes ?? ''} other` }
        const tree = { ...file.tree, items: [other, ...file.tree.items.slice(1)] }
        expect((await planned.plan({ menus: [{ ...wanted, tree }] })).steps[0]?.diff).toContain(
          'other',
        )
      }

      const { body } = await send('get', `/menus/${own.id}`)
      const shown = body.items as { id: number; parent: number; [field: string]: unknown }[]
      const known = new Set(shown.map(({ id }) => id))
      const below = (parent: number): object[] =>
        shown
          .filter((one) => (known.has(one.parent) ? one.parent : 0) === parent)
          .map(({ status: _, order: __, parent: ___, ...one }) => ({
            ...one,
            children: below(one.id),
          }))
      const isTree = JSON.stringify(below(0)).split('"id"').length - 1 === shown.length
      if (isTree) {
        const kept = await send('put', `/menus/${own.id}/items`, { items: below(0), keep: true })
        expect(kept.status).toBe(200)
        expect(unordered(await rows())).toEqual(unordered(before))
        const isShown = items.every(
          ({ post_status, link }) => post_status === 'publish' && link !== 'gone',
        )
        if (isShown) {
          const sent = await send('put', `/menus/${own.id}/items`, { items: below(0) })
          expect(sent.status).toBe(200)
          expect(unordered(await rows())).toEqual(unordered(before))
        }
      }
      await send('delete', `/menus/${own.id}`)
    }),
    { numRuns: runsOf(40) },
  )
})

const ADDRESSES = new Map([
  ['url', 'HTTPS://net.test/shop/x?a=b&c'],
  ['path', '/path'],
])

/** A tree that is sent whole is numbered without gaps. */
const unordered = ({
  posts: rows,
  meta,
}: {
  posts: Record<string, unknown>[]
  meta: unknown[]
}) => ({
  meta,
  posts: rows.map(({ menu_order: _, ...row }) => row),
})
