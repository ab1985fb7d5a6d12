import request from 'supertest'
import { afterEach, describe, expect, it } from 'vitest'
import { openApiDocument } from '../../src/api/docs/openapi-document.ts'
import type { Endpoint, Method } from '../../src/api/endpoint.ts'
import { endpointsOn } from '../../src/api/endpoints.ts'
import { seenTables } from '../../src/changes/seen-tables.ts'
import { pagesTable, workTable } from '../../src/content/work/work-tables.ts'
import { historyTable } from '../../src/record/history/history-row.ts'
import { numberChanges } from '../../src/record/history/number-changes.ts'
import { sitesTable } from '../../src/wordpress/hosts/network-version.ts'
import { useApi } from '../support/api.ts'
import { checksumsOf, tablesOf } from '../support/checksums.ts'
import { createTestExecutor } from '../support/local-executor.ts'
import { saveTables } from '../support/saved-tables.ts'
import { use } from '../support/use.ts'
import { type FieldRow, type Fields, fieldRows, type Naming, UNUSED_NAME } from './field-rows.ts'
import { createNamedContent, missingContent, type NamedContent } from './named-content.ts'

/**
 * Content of another site must look as if it did not exist: whichever field names it, the response is that to a name that does not exist
 * on any site, and no row of another site changes.
 */

/** The caller's site, and the site whose content the caller tries to reach. */
const SHOP = { blogId: 2, login: 'alice', lang: 'en' }
const BRAND = { blogId: 4, login: 'dave', lang: 'sr' }

let made = 0
const { network, api } = await useApi()
const [shop, brand] = [await network.site(SHOP.blogId), await network.site(BRAND.blogId)]
const { posts, terms, termTaxonomy } = brand.tables
// No other site has these ids.
for (const table of [posts, terms, termTaxonomy])
  await network.db.sql.raw('ALTER TABLE ?? AUTO_INCREMENT = 900000', [table])
const foreign = await createNamedContent({ network, api, ...BRAND }, 'secret')
const absent = missingContent(foreign, 'absent', 'xx')
/** The caller's own content. */
const own = await createNamedContent({ network, api, ...SHOP }, 'native')
const names = await tablesOf(network)
/** The tables of the other site. */
const foreignTables = names.filter((name) => name.startsWith(brand.prefix))
/** All tables except those of the caller's site, of tokens and of work. */
const othersTables = names.filter(
  (name) =>
    !name.startsWith(shop.prefix) &&
    !/svc_(?:tokens|token_failures|history|changes|sites|work|pages|tasks|seen_\w+)$/.test(name),
)
/** The tables of the caller's site with its own content. */
const saved = await use(
  saveTables(
    network,
    names.filter((name) => name.startsWith(shop.prefix)),
  ),
)
const digestOf = (tables: readonly string[]) => checksumsOf(network, tables)

/** The blog id of entries of tokens. */
const TOKENS = 0

/** The rows of these tables belong to sites by their column, not by the table's name. */
const readOthersWork = async (): Promise<unknown[]> => {
  const { db, globals } = network
  const seen = Object.values(seenTables(globals))
  const tables = [sitesTable(globals), workTable(globals), pagesTable(globals), ...seen]
  const history = db
    .sql(historyTable(globals))
    .whereNotIn('blog_id', [SHOP.blogId, TOKENS])
    .orderBy('id')
  return Promise.all([
    ...tables.map((table) => db.sql(table).whereNot({ blog_id: SHOP.blogId }).orderBy('blog_id')),
    history,
  ])
}

const othersBefore = await digestOf(othersTables)
/** The versions, the pending work and the static copies of all other sites. */
// The list of events numbers the entries of all sites.
await numberChanges(network.db, network.globals)
const othersWorkBefore = await readOthersWork()

/** Restores what requests have changed on the caller's site. Before that, nothing there may have content of the other site. */
const restoreOwn = () =>
  saved.restore(async () => {
    const { tables } = await network.site(SHOP.blogId)
    const columns = [
      [tables.options, 'option_value'],
      [tables.posts, 'post_title'],
      [tables.posts, 'post_content'],
      [tables.postmeta, 'meta_value'],
    ] as const
    for (const [table, column] of columns) {
      const rows = await network.db.sql(table).where(column, 'like', `%${foreign.content}%`)
      expect(rows).toEqual([])
    }
  })
afterEach(restoreOwn)

type Part = 'path' | 'query' | 'body'
const PARTS = ['path', 'query', 'body'] as const

const isNaming = (value: unknown): value is Naming => typeof value === 'function'

/** The fields of a row to test. */
const namings = (row: FieldRow): { part: Part; name: string; naming: Naming }[] =>
  PARTS.flatMap((part) =>
    Object.entries(row[part] ?? {}).flatMap(([name, naming]) =>
      isNaming(naming) && (row.only ?? [name]).includes(name) ? [{ part, name, naming }] : [],
    ),
  )

/** How the request names the site. */
type Addressing = {
  readonly site: string
  readonly query?: Fields
  readonly body?: Fields
  readonly header?: string
}
const OWN: Addressing = { site: `/site/${SHOP.blogId}` }

type Request = { readonly [part in Part]: Fields }

/** The request of a row about the given content; each field has its first name. */
function requestOf(row: FieldRow, content: NamedContent): Request {
  const fill = (fields: Fields = {}) =>
    Object.fromEntries(
      Object.entries(fields).map(([name, value]) => [
        name,
        isNaming(value) ? value(content)[0] : value,
      ]),
    )
  return { path: fill(row.path), query: fill(row.query), body: fill(row.body) }
}

async function send(route: string, { path, query, body }: Request, addressing = OWN) {
  const [method, pattern = ''] = route.split(' ') as [Method, string]
  const filled = pattern.replace(/:(\w+)/g, (_, name) => encodeURIComponent(String(path[name])))
  const sent = Object.entries({ ...body, ...addressing.body }).map(([name, value]) => {
    if (value !== UNUSED_NAME) return [name, value]
    made += 1
    return [name, `fresh-${made}`]
  })
  const hasBody = sent.some(([, value]) => value !== undefined)
  return request(api.url)
    [method](`${addressing.site}${filled}`)
    .query({ ...query, ...addressing.query })
    .set('Authorization', `Bearer ${await api.token(SHOP.login)}`)
    .set(addressing.header === undefined ? {} : { 'X-Svc-Blog-Id': addressing.header })
    .send(hasBody ? Object.fromEntries(sent) : undefined)
}

/** A response without the parts that differ between requests: ids, times, the requested names, what was already built. */
function masked(
  { status, text }: { status: number; text: string },
  { prefix, langs }: NamedContent,
) {
  const names = new RegExp(`${prefix}|${own.prefix}|fresh-\\d+|\\b(?:${langs.join('|')})\\b`, 'g')
  const masked = text
    .replace(names, '<name>')
    .replace(/(?<![0-9a-z])(?:[0-9a-f]{64}|[0-9a-f]{16})(?![0-9a-z])/g, '<id>')
    .replace(/"bake":"\w+","detail":"[^"]*"/g, '"bake":"<done>"')
  return `${status} ${masked.replace(/\d+/g, '<number>')}`
}

const document = await openApiDocument('1.0.0', '')

/** All parameters and fields of an endpoint, as `path.ref`. */
function fieldsOf({ method, path, params, query }: Endpoint): string[] {
  const template = `/site/{site_id}${path.replace(/:(\w+)/g, '{$1}')}`
  const body = document.paths?.[template]?.[method]?.requestBody
  const content = body && 'content' in body ? body.content['application/json'] : undefined
  const { properties = {} } = { ...content?.schema } as { properties?: object }
  return [
    ...Object.keys(params.shape).map((name) => `path.${name}`),
    // Each write has `dry_run`, which names nothing.
    ...Object.keys(query.shape)
      .filter((name) => name !== 'dry_run')
      .map((name) => `query.${name}`),
    ...Object.keys(properties).map((name) => `body.${name}`),
  ].sort()
}

describe('the table of fields', () => {
  it.each(
    endpointsOn('site').map((endpoint) => ({
      route: `${endpoint.method} ${endpoint.path}`,
      endpoint,
    })),
  )('has all fields of $route', ({ route, endpoint }) => {
    const fields = fieldsOf(endpoint)
    const rows = fieldRows.filter((row) => row.route === route)
    const documented = rows.map((row) =>
      PARTS.flatMap((part) => Object.keys(row[part] ?? {}).map((name) => `${part}.${name}`)).sort(),
    )
    expect(documented).toEqual(rows.map(() => fields))
    expect(fields.length === 0 || rows.length > 0).toBe(true)
  })
})

/** The first row of each route. */
const firstRows = [...new Map(fieldRows.toReversed().map((row) => [row.route, row])).values()]

/** Markup that names content of a site in every insert and every parameter. */
function namingAll({ frames, menus, pages, datasets }: NamedContent): string {
  const names = ['header', ...frames, ...menus, ...pages, ...datasets]
  const params = ['name', 'ref', 'frame', 'slug', 'id', 'location', 'menu', 'page', 'lang']
  const inserts = ['frame', 'menu', 'content', 'lang-switcher'].flatMap((kind) =>
    params.flatMap((param) =>
      names.map((name) => `<!-- svc/${kind} ${JSON.stringify({ [param]: name })} /-->`),
    ),
  )
  const sources = ['menu', 'dataset', 'pages', 'page', 'settings'].flatMap((root) =>
    names.flatMap((name) => [
      `${root}.${name}`,
      `${root}.${name}.value`,
      `${root}.${name}.0.title`,
    ]),
  )
  const values = sources.map(
    (source) =>
      `<!-- svc/data {"source":"${source}"} /--><!-- svc/repeat {"source":"${source}"} --><!-- svc/data {"source":"item.title"} /--><!-- /svc/repeat -->`,
  )
  return `<main>${[...inserts, ...values].join('')}</main>`
}

describe("another site's content", () => {
  for (const [index, row] of fieldRows.entries()) {
    for (const { part, name, naming } of namings(row)) {
      const spellings = [...naming(foreign).keys()]
      const field = `${part}.${name} of ${row.route} (row ${index + 1})`
      it.each(spellings)(`cannot be named by ${field}, spelling %i`, async (spelling) => {
        const ask = async (content: NamedContent) => {
          const base = requestOf(row, own)
          const sent = { ...base, [part]: { ...base[part], [name]: naming(content)[spelling] } }
          return send(row.route, sent)
        }
        const answer = await ask(foreign)
        expect(answer.text).not.toContain(foreign.content)
        const expected = masked(await ask(absent), absent)
        expect(masked(answer, foreign)).toBe(expected)
        // The caller's own content must be found, otherwise the request proves nothing.
        const found = masked(await ask(own), own)
        if (!row.making?.includes(`${part}.${name}`)) expect(found).not.toBe(expected)
      })
    }
  }

  it('is not shown on pages whose frames name it, nor in menus whose rows reference it', async () => {
    const shop = await network.site(SHOP.blogId)
    const executor = createTestExecutor({ ...network })
    const agent = await api.as(SHOP.login)
    const [page] = own.pages
    const show = async (content: NamedContent) => {
      const slug = `naming-${content.prefix}`
      await agent.post(`${OWN.site}/frames`).send({ slug, html: namingAll(content), bake: false })
      await agent.post(`${OWN.site}/frames/${slug}/assign`).send({ page })
      return (await executor.renderById(shop, Number(page)))?.replaceAll(content.prefix, '<name>')
    }
    expect(await show(own)).toContain(own.content)
    await network.db
      .sql(shop.tables.postmeta)
      .where({ post_id: own.below[0], meta_key: '_menu_item_object_id' })
      .update({ meta_value: String(foreign.pages[0]) })
    const shown = await show(foreign)
    expect(shown).toMatch(/^<main>/)
    expect(shown).not.toContain(foreign.content)
    expect(shown).toBe(await show(absent))
    await executor.close()
  })

  it.each(firstRows)('is rejected by $route however the site is named', async (row) => {
    const { blogId } = BRAND
    const addressings: Addressing[] = [
      { site: `/site/${blogId}` },
      { site: '', query: { blog_id: blogId } },
      { site: '', body: { blog_id: blogId } },
      { site: '', header: String(blogId) },
      { site: '', query: { domain: 'brand.test' } },
      { site: '', body: { domain: 'brand.test' } },
    ]
    for (const addressing of addressings) {
      const { status, body } = await send(row.route, requestOf(row, foreign), addressing)
      const refusal = addressing.site === '' ? '403 insufficient_role' : '404 site_not_found'
      expect(`${status} ${body.code}`).toBe(refusal)
    }
  })

  it.each(firstRows)(
    'are not reached by $route with a second site beside the one that counts',
    async (row) => {
      const { blogId } = BRAND
      const second = {
        query: { blog_id: blogId, domain: 'brand.test' },
        body: { blog_id: blogId, domain: 'brand.test', site_id: blogId },
        header: String(blogId),
      }
      const addressings: Addressing[] = [
        { ...second, site: OWN.site },
        { ...second, site: '', query: { ...second.query, blog_id: SHOP.blogId } },
      ]
      for (const addressing of addressings) {
        const answer = await send(row.route, requestOf(row, foreign), addressing)
        expect(answer.text).not.toContain(foreign.content)
        expect(answer.body.site_id ?? SHOP.blogId).toBe(SHOP.blogId)
      }
    },
  )

  it('is unchanged, and so are the tables of no site', async () => {
    expect(othersTables).toEqual(expect.arrayContaining(foreignTables))
    expect(othersTables.length).toBeGreaterThan(foreignTables.length + 10)
    expect(await digestOf(othersTables)).toEqual(othersBefore)
    expect(await readOthersWork()).toEqual(othersWorkBefore)
  })
})
