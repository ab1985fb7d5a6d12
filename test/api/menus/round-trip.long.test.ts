import fc from 'fast-check'
import { beforeEach, describe, expect, it } from 'vitest'
import { encodePhp } from '#php-serialized'
import { menuItemClasses, menuName } from '../../../src/wordpress/formatting/menu-texts.ts'
import { sanitizeUrl } from '../../../src/wordpress/formatting/sanitize-url.ts'
import { hostileText } from '../../support/hostile-text.ts'
import { useMenusApi } from '../../support/menus-api.ts'
import { runsOf } from '../../support/runs-of.ts'

const menus = await useMenusApi()

const ESCAPED = '&lt;script&gt;alert(1)&lt;/script&gt;'

type Row = {
  readonly id: number
  readonly title: string
  readonly url: string
  readonly type: string
  readonly page: number | null
  readonly target: string
  readonly classes: string
  readonly children: readonly Row[]
}

/** The menu at the last footer, as a user reads it. */
const read = async (login: string): Promise<{ menu: { name: string }; items: readonly Row[] }> =>
  (await menus.as(login)('get', '/data/menu.footer_3')).body

/** All columns of a menu's items and of its term, except the dates. */
async function rowsOf(menuId: number) {
  const { posts, postmeta, terms, termTaxonomy, termRelationships } = menus.site.tables
  const { sql } = menus.network.db
  const related = { object_id: sql.ref('ID') }
  const items = (
    await sql(posts)
      .whereExists(
        sql({ tr: termRelationships })
          .join({ tt: termTaxonomy }, 'tt.term_taxonomy_id', 'tr.term_taxonomy_id')
          .where({ 'tt.term_id': menuId, ...related }),
      )
      .orderBy('menu_order')
  ).map(({ post_date, post_date_gmt, post_modified, post_modified_gmt, ...row }) => row)
  const metas = await sql(postmeta)
    .whereIn(
      'post_id',
      items.map(({ ID }) => ID),
    )
    .orderBy('meta_id')
  return { items, metas, terms: await sql(terms).where({ term_id: menuId }) }
}

/** The same without columns that differ in new rows: ids, values that contain them, and the author. */
function withoutIds({ items, metas, terms }: Awaited<ReturnType<typeof rowsOf>>) {
  const itemNames = new Map(items.map(({ ID }, index) => [String(ID), `item ${index}`]))
  return {
    terms,
    items: items.map(({ ID, guid, post_name, post_author, ...row }) => row),
    metas: metas.map(({ post_id, meta_key, meta_value }) => [
      itemNames.get(String(post_id)),
      meta_key,
      itemNames.get(meta_value) ?? meta_value,
    ]),
  }
}

/** The fields of a read item that are sent back; a page takes precedence over a URL. */
const itemOf = ({ title, url, page, target, classes }: Row) => ({
  title,
  url,
  page,
  target,
  classes,
})

async function sendBack(menuId: number, login: string, items: readonly Row[]): Promise<void> {
  const requests = items.map((item) => ({
    method: 'PATCH',
    path: `/menus/${menuId}/items/${item.id}`,
    body: itemOf(item),
  }))
  const { status, body } = await menus.as(login)('post', '/batch', { requests })
  expect([status, body.error, items[body.request?.index]]).toEqual([200, undefined, undefined])
}

describe('texts of menus that are read', () => {
  it('do not become markup through a linked page', async () => {
    const { posts } = menus.site.tables
    await menus.network.db.sql(posts).where({ ID: 7 }).update({ post_title: ESCAPED })
    const pages: { id: number; title: string; url: string }[] = (
      await menus.as('admin')('get', '/data/pages')
    ).body.items
    const page = pages.find(({ id }) => id === 7)
    const { menu } = await menus.makeMenu()
    const { status } = await menus.as('admin')('put', `/menus/${menu.id}/items`, {
      items: [
        { page: 7, title: page?.title },
        { url: page?.url, title: page?.title },
      ],
    })
    expect(status).toBe(200)
    const titles = (await menus.itemsOf(menu.id)).map(({ ownTitle }) => ownTitle)
    expect(titles).toEqual(['', ESCAPED])
  })

  it('keep an item of another kind, and one without a title', async () => {
    const { menu } = await menus.makeMenu([3, 7, { url: '#x', title: 'X' }], {
      location: 'footer_3',
    })
    const { posts, postmeta } = menus.site.tables
    const { sql } = menus.network.db
    const [archive, untitled, empty] = (await menus.itemsOf(menu.id)).map(({ id }) => id)
    const metas = { _menu_item_type: 'post_type_archive', _menu_item_object: 'product' }
    for (const [meta_key, meta_value] of Object.entries(metas))
      await sql(postmeta).where({ post_id: archive, meta_key }).update({ meta_value })
    await sql(posts).where({ ID: 7 }).update({ post_title: '' })
    await sql(postmeta)
      .where({ post_id: empty, meta_key: '_menu_item_url' })
      .update({ meta_value: '' })
    const before = await rowsOf(menu.id)
    const { items } = await read('alice')
    expect(items.map(({ title }) => title)).toEqual(['product', '#7 (no title)', 'X'])
    await sendBack(menu.id, 'alice', items)
    expect(await rowsOf(menu.id)).toEqual(before)
    await menus.send('put', `/menus/${menu.id}/items`, { items: items.slice(1, 2).map(itemOf) })
    expect((await menus.itemsOf(menu.id))[0]).toMatchObject({ objectId: 7, ownTitle: '' })
    expect(untitled).toBeGreaterThan(0)
  })
})

const hostile = hostileText()
const items = fc.array(
  fc.record({
    title: hostile,
    classes: fc.oneof(hostile, fc.constantFrom('a b', 'a  b ', ' ', 'A_-9')),
    target: fc.oneof(fc.constantFrom('', '_blank', '_Blank'), hostile),
    url: fc.oneof(
      fc.constantFrom('http://x.test/', '#', '/x?a=1&b=2#c', 'mailto:a@x.test', '//x.test/[1]'),
      hostile.map((text) => `http://x.test/${text}`),
    ),
    page: fc.boolean(),
  }),
  { minLength: 1, maxLength: 12 },
)

/** Writer, reader, and the user who writes the read menu back: the same user or a more privileged one. */
const CALLERS = [
  ['alice', 'alice', 'alice'],
  ['alice', 'alice', 'admin'],
  ['alice', 'admin', 'admin'],
  ['admin', 'alice', 'alice'],
  ['admin', 'alice', 'admin'],
  ['admin', 'admin', 'admin'],
  ['WordPress', 'alice', 'alice'],
  ['WordPress', 'alice', 'admin'],
  ['WordPress', 'admin', 'admin'],
] as const

describe.each(CALLERS)(
  'a menu that %s wrote, %s read and %s wrote back',
  (writer, reader, last) => {
    let menuId: number
    beforeEach(async () => {
      menuId = (await menus.makeMenu([], { location: 'footer_3' })).menu.id
      await menus.network.db
        .sql(menus.site.tables.posts)
        .where({ ID: 7 })
        .update({ post_title: 'R&amp;D &lt;b&gt;' })
    })

    /** Through the API, or as rows that WordPress may have stored. */
    async function write(wanted: ReturnType<(typeof items)['generate']>['value']): Promise<void> {
      const sent = wanted.map(({ page, url, ...texts }) => ({
        ...texts,
        ...(page ? { page: 7 } : { url }),
      }))
      const login = writer === 'WordPress' ? 'admin' : writer
      const { status, body } = await menus.as(login)('put', `/menus/${menuId}/items`, {
        items: sent,
      })
      expect([status, body.errors ?? '']).toEqual([200, ''])
      if (writer !== 'WordPress') return
      const { posts, postmeta } = menus.site.tables
      const { sql } = menus.network.db
      for (const [index, { id }] of (await menus.itemsOf(menuId)).entries()) {
        const { title = '', classes = '', url = '', page } = wanted[index] ?? {}
        await sql(posts).where({ ID: id }).update({ post_title: title })
        const metas = {
          _menu_item_classes: encodePhp(menuItemClasses(classes)),
          _menu_item_url: page ? '' : sanitizeUrl(url),
        }
        for (const [meta_key, meta_value] of Object.entries(metas))
          await sql(postmeta).where({ post_id: id, meta_key }).update({ meta_value })
      }
    }

    it('keeps the rows of items', async () => {
      await fc.assert(
        fc.asyncProperty(items, async (wanted) => {
          await write(wanted)
          const before = await rowsOf(menuId)
          const { items } = await read(reader)
          await sendBack(menuId, last, items)
          expect(await rowsOf(menuId)).toEqual(before)
          const { status } = await menus.as(last)('put', `/menus/${menuId}/items`, {
            items: items.map(itemOf),
          })
          expect(status).toBe(200)
          expect(withoutIds(await rowsOf(menuId))).toEqual(withoutIds(before))
        }),
        { numRuns: runsOf(8) },
      )
    })

    it('keeps the rows of menus', async () => {
      const { terms } = menus.site.tables
      const { sql } = menus.network.db
      const rowOf = () => sql(terms).where({ term_id: menuId })
      await fc.assert(
        fc.asyncProperty(hostile, hostile, async (name, slug) => {
          if (menuName(name) === '') return
          if (writer === 'WordPress')
            await sql(terms)
              .where({ term_id: menuId })
              .update({ name: menuName(name) })
          else
            expect(
              (await menus.as(writer)('patch', `/menus/${menuId}`, { name, slug })).status,
            ).toBe(200)
          const before = await rowOf()
          const list = (await menus.as(reader)('get', '/menus')).body.menus
          const { name: shown, slug: own } = list.find(({ id }: { id: number }) => id === menuId)
          const { status, body } = await menus.as(last)('patch', `/menus/${menuId}`, {
            name: shown,
            slug: own,
          })
          expect([status, body.warnings]).toEqual([200, []])
          expect(await rowOf()).toEqual(before)
          const { menu } = await read(reader)
          await menus.as(last)('patch', `/menus/${menuId}`, { name: menu.name })
          expect(await rowOf()).toEqual(before)
        }),
        { numRuns: runsOf(15) },
      )
    })
  },
)
