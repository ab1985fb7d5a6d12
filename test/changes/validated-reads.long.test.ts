import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { endpointsOn } from '../../src/api/endpoints.ts'
import { SiteData } from '../../src/build/baking/site-data.ts'
import { startApi } from '../support/api.ts'
import { openSite, readEditable } from '../support/editable-site.ts'
import { makeEdit, randomEdit } from '../support/random-edits.ts'
import { runsOf } from '../support/runs-of.ts'
import { statementsOf } from '../support/statements.ts'
import { use } from '../support/use.ts'
import { startEditedSite } from './edited-site.ts'

const PATHS = [
  '/data/menu.header',
  '/data/menu.header?lang=de',
  '/data/pages',
  '/data/languages',
  '/data/site',
  '/data/settings',
  '/data/dataset.news',
  '/menus',
  '/frames',
  '/frames?include_html=1',
  '/frames/list',
  '/frames/header',
  '/address?url=/shop/about-us/',
]

/** Reads of the other endpoints. What they return depends on more than the rows that edits change. */
const OTHER_PATHS = [
  '/frames/defaults',
  '/graph',
  '/menus/24',
  '/menus/24/targets',
  '/menus/24/file',
  '/completions',
  '/pages',
  '/description',
  '/history',
  '/history/1',
  '/changes',
  '/findings',
  '/work',
  '/webhooks',
  '/webhooks/1',
  '/webhooks/1/deliveries',
]

// A front without static copies renders every page.
const shop = await use(
  startEditedSite(2, { front: (options) => ({ ...options, copies: undefined }) }),
)
const editable = await readEditable(shop.front.network.db, shop.site)
await makeEdit(editable, ['option', 'svc_data_news', '["A"]'])
const api = await use(startApi(shop.front.network, { executor: shop.front.executor }))

/** Every response of the API and every page, rendered on request. */
async function readAll(): Promise<Record<string, unknown>> {
  const { db } = shop.front.network
  const client = await api.as('admin')
  const read = async (path: string) => {
    const { status, text } = await client.get(`/site/${shop.site.blogId}${path}`)
    return [path, { status, text }] as const
  }
  const data = new SiteData(db, shop.site)
  const pages = await data.pagesById(editable.pages)
  const render = async (page: (typeof pages)[number]) => {
    const { status, body } = await shop.front.ask(await data.urlOf(page))
    return [`page ${page.id}`, { status, body }] as const
  }
  return Object.fromEntries(await Promise.all([...PATHS.map(read), ...pages.map(render)]))
}

it.each(PATHS)('%s takes a statement for its token and one for its rows', async (path) => {
  const { db } = shop.front.network
  const client = await api.as('admin')
  const read = () => client.get(`/site/${shop.site.blogId}${path}`)
  expect((await read()).status).toBe(200)
  const statements = await statementsOf(db, async () => {
    expect((await read()).status).toBe(200)
  })
  // The last use of the token may be recorded meanwhile.
  expect(statements.filter((statement) => !/^\s*(?:UPDATE|INSERT)/i.test(statement))).toHaveLength(
    2,
  )
})

it('every statement of a kept read selects the columns that it is ordered by', async () => {
  // The digest of rows does not depend on their order.
  const { db } = shop.front.network
  db.cache.clear()
  const client = await api.as('admin')
  const statements = new Set(
    await statementsOf(db, async () => {
      await readAll()
      for (const path of OTHER_PATHS) await client.get(`/site/${shop.site.blogId}${path}`)
    }),
  )
  const ordered = [...statements].filter((sql) => orderOf(sql).length > 0)
  expect(ordered.length).toBeGreaterThan(2)
  const unselected = ordered.flatMap((sql) =>
    orderOf(sql)
      .filter((column) => !selectedBy(sql).some((one) => one === column || one === '*'))
      .map((column) => ({ column, sql })),
  )
  expect(unselected).toEqual([])
})

it('every endpoint that reads has a path above', () => {
  const read = [...PATHS, ...OTHER_PATHS].map((path) => path.split('?')[0] ?? '')
  const missing = endpointsOn('site').filter(({ method, path }) => {
    const pattern = new RegExp(`^${path.replace(/:\w+/g, '[^/]+')}$`)
    return method === 'get' && !read.some((one) => pattern.test(one))
  })
  expect(missing.map(({ path }) => path)).toEqual([])
})

/** A statement without what is in parentheses. */
function outerOf(sql: string): string {
  const outer = sql.replace(/\([^()]*\)/g, '')
  return outer === sql ? sql : outerOf(outer)
}

/** The names of columns, without those of their tables. */
const namesIn = (list: string): string[] =>
  list.split(',').map((column) => (/[\w*]+(?=`?\s*(?:asc|desc)?\s*$)/i.exec(column) ?? [''])[0])

function orderOf(sql: string): string[] {
  const [, list] = /\bORDER BY\s+(.*?)(?:\bLIMIT\b.*)?$/is.exec(outerOf(sql)) ?? []
  return list === undefined ? [] : namesIn(list)
}

function selectedBy(sql: string): string[] {
  const [, list = ''] = /\bSELECT\s+(?:DISTINCT\s+)?(.*?)\s+FROM\b/is.exec(outerOf(sql)) ?? []
  return namesIn(list)
}

it('a kept result follows an edit that changes only the order of rows', async () => {
  const { db } = shop.front.network
  const { tables } = shop.site
  const client = await api.as('admin')
  const read = async () => {
    const { body } = await client.get(`/site/${shop.site.blogId}/data/languages`)
    return body.items.map(({ slug }: { slug: string }) => slug)
  }
  const before = await read()
  expect(await read()).toEqual(before)
  const last = before.at(-1)
  const languages = db
    .sql({ t: tables.terms })
    .join({ tt: tables.termTaxonomy }, 'tt.term_id', 't.term_id')
    .where({ 'tt.taxonomy': 'language', 't.slug': last })
  const [term_group] = await languages.clone().pluck('t.term_group')
  await languages.clone().update({ 't.term_group': -1 })
  expect(await read()).toEqual([last, ...before.slice(0, -1)])
  await languages.clone().update({ 't.term_group': term_group })
  const [page] = editable.pages
  const metas = db.sql(tables.postmeta).where({ post_id: page, meta_key: '_svc_frame' })
  const [{ meta_id, meta_value }] = await metas.clone().select('meta_id', 'meta_value')
  const url = await new SiteData(db, shop.site)
    .pagesById([page ?? 0])
    .then(([first]) => first && new SiteData(db, shop.site).urlOf(first))
  const ask = async () => (await shop.front.ask(url ?? '')).body
  const shown = await ask()
  const [other] = await db
    .sql(tables.postmeta)
    .where({ meta_key: '_svc_frame' })
    .whereNot({ meta_value })
    .pluck('meta_value')
  const row = { post_id: page, meta_key: '_svc_frame', meta_value: other }
  const [added] = await db.sql(tables.postmeta).insert(row)
  expect(await ask()).toBe(shown)
  expect(await ask()).toBe(shown)
  // The duplicates get the value of each other.
  await db.sql(tables.postmeta).where({ meta_id: added }).update({ meta_value })
  await db.sql(tables.postmeta).where({ meta_id }).update({ meta_value: other })
  expect(await ask()).not.toBe(shown)
  await db.sql(tables.postmeta).where({ meta_id: added }).delete()
  await db.sql(tables.postmeta).where({ meta_id }).update({ meta_value })
})

it('a kept result equals one that is read again, whatever was edited', async () => {
  const { db } = shop.front.network
  await fc.assert(
    fc.asyncProperty(fc.array(randomEdit, { minLength: 1, maxLength: 3 }), async (edits) => {
      await openSite(editable)
      await readAll()
      for (const edit of edits) await makeEdit(editable, edit)
      // What is known of the markup of a frame without a meta lasts until the edit is found.
      if (edits.some(([kind]) => kind === 'frame')) await shop.follow()
      const kept = await readAll()
      db.cache.clear()
      const fresh = await readAll()
      const different = Object.keys(fresh).filter((of) => !isDeepStrictEqual(kept[of], fresh[of]))
      const again = different.length > 0 ? await readAll() : fresh
      const report = different.map((of) => [of, kept[of], fresh[of], again[of]])
      expect(report, 'what was read, as it was kept, fresh, and once more').toEqual([])
    }),
    { numRuns: Number(process.env.EDIT_RUNS ?? runsOf(25)), endOnFailure: true },
  )
}, 600_000)
