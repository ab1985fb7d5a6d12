import fc from 'fast-check'
import { expect, it } from 'vitest'
import { writeDataset } from '../../../src/content/frames/write-dataset.ts'
import { useApi } from '../../support/api.ts'
import { checksumsOf } from '../../support/checksums.ts'
import { runsOf } from '../../support/runs-of.ts'
import { saveTables } from '../../support/saved-tables.ts'
import { createSiteFixture } from '../../support/site-fixture.ts'
import { use } from '../../support/use.ts'

/** The home and About us, in each of their languages. */
const PAGES = [3, 4, 5, 6, 7, 8, 9]

const { network, api } = await useApi()
const { executor } = api
const { db, globals } = network
const shop = createSiteFixture(db, await network.site(2), { executor })
const STORED = {
  a: '<p>a</p><!-- svc/menu {"location":"header"} /-->',
  b: '<!-- svc/menu {"menu":"footer"} /-->',
  c: '<!-- svc/menu {"location":"header","lang":"fr"} /-->',
}
for (const [name, html] of Object.entries(STORED)) await shop.frame(name, html)
await shop.frame(
  'page',
  `<title data-op-bind="page.title"></title>${Object.keys(STORED)
    .map((name) => `<!-- svc/frame {"name":"${name}"} /-->`)
    .join('')}`,
)
await shop.assign('page', PAGES)
const own = ['svc_history', 'svc_work', 'svc_sites'].map((name) => globals.basePrefix + name)
const tables = [...Object.values(shop.site.tables), ...own]
const saved = await use(saveTables(network, tables))
const checksum = () => checksumsOf(network, tables)

const slug = fc.constantFrom('a', 'b', 'c', 'new-1', 'new-2')
const part = fc.oneof(
  slug.map((name) => `<!-- svc/frame {"name":"${name}"} /-->`),
  fc.constantFrom(
    '<!-- svc/menu {"location":"header"} /-->',
    '<!-- svc/menu {"menu":"main-menu"} /-->',
    '<!-- svc/menu {"location":"footer_1","lang":"en","current":true} /-->',
    '<b data-op-bind="dataset.news.title">old</b><i data-op-bind="page.nothing">x</i>',
    '<!-- svc/repeat {"source":"menu.header"} --><a data-op-bind="href:item.url; item.title"></a><!-- /svc/repeat -->',
    '<!-- svc/lang-switcher /--><!-- svc/content /-->',
    '<p lang="en" data-op-bind="lang:site.lang">text &amp; 😀</p>',
  ),
)
const html = fc.array(part, { minLength: 1, maxLength: 3 }).map((parts) => parts.join('\n'))
const item = fc.constantFrom<unknown>({ url: '/x?a=1&b=2', title: 'R&D <b>bold</b>' }, 'about-us', {
  page: 3,
  children: [{ url: '/below', title: 'Below' }],
})
const unsaved = fc.record({
  page: fc.constantFrom(...PAGES),
  frames: fc.uniqueArray(fc.record({ slug, html }), { selector: ({ slug }) => slug, maxLength: 4 }),
  assign: fc.option(fc.constantFrom('page', 'a', 'b'), { nil: undefined }),
  menus: fc.uniqueArray(
    fc.record({
      menu: fc.constantFrom('~header', 'main-menu', 'footer'),
      lang: fc.constantFrom('en', 'fr', 'ar'),
      items: fc.array(item, { maxLength: 3 }),
    }),
    { selector: ({ menu }) => menu, maxLength: 2 },
  ),
  datasets: fc.uniqueArray(
    fc.record({ name: fc.constant('news'), value: fc.constantFrom({ title: 'One <1>' }, null) }),
    { selector: ({ name }) => name, maxLength: 1 },
  ),
})
type Unsaved = typeof unsaved extends fc.Arbitrary<infer One> ? One : never

/** Writes the same things with requests of their own. Returns the status of the first one that fails, and its error. */
async function write({ page, frames, assign, menus, datasets }: Unsaved): Promise<Written> {
  const agent = await api.as('alice')
  const { body } = await agent.get('/site/2/frames')
  const stored = new Set(body.frames.map(({ slug }: { slug: string }) => slug))
  const sent = [
    ...frames.map(({ slug, html }) =>
      stored.has(slug)
        ? () => agent.put(`/site/2/frames/${slug}`).send({ html })
        : () => agent.post('/site/2/frames').send({ slug, html }),
    ),
    ...(assign ? [() => agent.post(`/site/2/frames/${assign}/assign`).send({ page })] : []),
    ...menus.map(
      ({ menu, ...more }) =>
        () =>
          agent.put(`/site/2/menus/${encodeURIComponent(menu)}/items`).send(more),
    ),
  ]
  for (const send of sent) {
    const { status, body } = await send()
    if (status !== 200) return { status, code: body.code }
  }
  const { db } = network
  for (const { name, value } of datasets) {
    const text = value === null ? undefined : JSON.stringify(value)
    await db.write({ site: shop.site }, (tx) => writeDataset(tx, shop.site, name, text))
  }
  return { status: 200, code: undefined }
}

type Written = { readonly status: number; readonly code: string | undefined }

/** Markup that every write of a frame refuses. */
const BROKEN = '\uD800'

/** Without ids of items: they are new with each write. */
const comparable = (html: string | undefined) => html?.replace(/menu-item-\d+/g, 'menu-item-n')

/** The pages as visitors get them, by id. */
async function pages(): Promise<Map<number, string | undefined>> {
  const shown = PAGES.map(
    async (id) => [id, comparable(await executor.renderById(shop.site, id))] as const,
  )
  return new Map(await Promise.all(shown))
}

it('a preview shows what a visitor gets after the same things are written, lists the pages that change, and stores nothing', async () => {
  let shown = 0
  let failed = 0
  await fc.assert(
    fc.asyncProperty(unsaved, async (one) => {
      await saved.restore()
      const agent = await api.as('alice')
      const before = await pages()
      const stored = await checksum()
      const preview = await agent.post('/site/2/preview').send(one)
      expect(await checksum()).toEqual(stored)
      // On a busy machine.
      fc.pre(preview.body.error !== 'preview_too_slow')
      expect(await pages()).toEqual(before)
      const { status, code } = await write(one)
      expect([preview.status, preview.body.code], JSON.stringify(preview.body)).toEqual([
        status,
        code,
      ])
      if (status !== 200) failed += 1
      else {
        const after = await pages()
        expect(comparable(preview.body.html)).toBe(after.get(one.page))
        const changed = PAGES.filter((id) => after.get(id) !== before.get(id))
        const affected = preview.body.affected_pages.items.map(({ id }: { id: number }) => id)
        expect(affected).toEqual(expect.arrayContaining(changed))
        if (changed.includes(one.page)) shown += 1
      }
    }),
    { numRuns: runsOf(25), endOnFailure: true },
  )
  expect([shown > 0, failed > 0], `${shown} ${failed}`).toEqual([true, true])
}, 180_000)

it.each([
  [
    'frames before all others',
    { frames: [{ slug: 'a', html: BROKEN }], assign: 'none' },
    'frames[0]',
  ],
  ['the assignment before menus', { assign: 'none' }, 'assign'],
  ['menus last', {}, 'menus[0]'],
])('a preview reports errors in the order of separate requests: %s', async (_, wrong, first) => {
  await saved.restore()
  const menus = [{ menu: 'main-menu', items: [{ page: 'nowhere' }] }]
  const { status, body } = await (await api.as('alice'))
    .post('/site/2/preview')
    .send({ page: 7, menus, ...wrong })
  expect([status >= 400, body.unsaved]).toEqual([true, first])
})
