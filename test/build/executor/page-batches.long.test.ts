import fc from 'fast-check'
import { expect, it } from 'vitest'
import { Bakery } from '../../../src/build/baking/bakery/bakery.ts'
import { createSourceCache } from '../../../src/build/baking/frame-sources.ts'
import { SiteData } from '../../../src/build/baking/site-data.ts'
import { pageRow } from '../../../src/build/baking/sources/page-source.ts'
import { publicationsOf } from '../../../src/build/executor/page-publication.ts'
import { batchesOf, readPages } from '../../../src/build/executor/publish-pages.ts'
import { SiteBuild } from '../../../src/build/executor/site-build.ts'
import { recordOption } from '../../../src/content/frames/option-names.ts'
import { readSiteGraph } from '../../../src/content/frames/read-graph.ts'
import type { Db } from '../../../src/db/database.ts'
import { WorkerPool } from '../../../src/host/concurrency/worker-pool.ts'
import { createLog } from '../../../src/host/log.ts'
import { SiteHosts } from '../../../src/wordpress/hosts/site-hosts.ts'
import type { Site } from '../../../src/wordpress/network/site.ts'
import { isPublic, type Page, type Post, readPosts } from '../../../src/wordpress/pages/posts.ts'
import { postUrl } from '../../../src/wordpress/permalinks/urls.ts'
import { useNetwork } from '../../support/network.ts'
import { runsOf } from '../../support/runs-of.ts'
import { createSiteFixture } from '../../support/site-fixture.ts'
import { statementsOf } from '../../support/statements.ts'
import { FAST } from '../../support/timings.ts'
import { use } from '../../support/use.ts'
import {
  applyChoices,
  FIRST_ID,
  type LinkChoices,
  linkChoices,
  replacePages,
  SITES,
  type TestPage,
  testPages,
} from './page-tree.ts'

const published = async (build: SiteBuild, ids: readonly number[]) => ({
  pages: await build.data.pagesById(ids),
  frames: await build.framesOf(ids),
})

const PAGE = `<!doctype html><title data-op-bind="page.title">x</title>
<!-- svc/menu {"location":"header","current":true} /-->
<!-- svc/lang-switcher /-->
<ol><!-- svc/repeat {"source":"page.ancestors"} --><li data-op-bind="item.title"></li><!-- /svc/repeat --></ol>
<dl><!-- svc/repeat {"source":"page.children"} --><dt data-op-bind="item.url"></dt><!-- /svc/repeat --></dl>
<main><!-- svc/content /--></main>`
const OTHER = '<p data-op-bind="site.title">x</p>'

/** By blog id and slug. */
const frameIds = new Map<number, Map<string, string>>()
const workers = await use(new WorkerPool(FAST.threads))
const bakery = new Bakery(workers)
const network = await useNetwork()
for (const blogId of SITES) {
  const fixture = createSiteFixture(network.db, await network.site(blogId))
  const ids = new Map<string, string>()
  for (const [slug, html] of Object.entries({ page: PAGE, other: OTHER })) {
    await fixture.frame(slug, html)
    ids.set(slug, await fixture.idOf(slug))
  }
  frameIds.set(blogId, ids)
}

async function startBuild(site: Site, reads: Db) {
  const { db, globals } = network
  const options = {
    db,
    reads,
    bakery,
    log: createLog('silent'),
    sourceCache: createSourceCache(),
    pageBakes: { running: new Map<string, Promise<void>>(), finished: 0 },
  }
  const build = new SiteBuild(options, site, await readSiteGraph(reads, site))
  const hosts = new SiteHosts(db, globals)
  return { build, routing: { db: reads, site, hosts, startedAt: performance.now() } }
}

/** The publication of a page that nothing else is read with. */
async function publishAlone(site: Site, page: Page) {
  const { build, routing } = await startBuild(site, network.db)
  return (await publicationsOf(routing, build, await published(build, [page.id]))).get(page.id)
}

const ALL_FIELDS = new Set(['content', 'excerpt', 'ancestors', 'children', 'translations'])

/** The public relatives of a page, from a list of all posts. */
function relativesOf(page: Page, posts: ReadonlyMap<number, Post>) {
  const ancestors: Post[] = []
  for (let at = posts.get(page.parent); at && !ancestors.includes(at); at = posts.get(at.parent))
    ancestors.unshift(at)
  const translations = [...page.translations.values()].flatMap((id) => posts.get(id) ?? [])
  return {
    ancestors: ancestors.filter(isPublic),
    children: [...posts.values()].filter(
      (post) => post.type === 'page' && post.parent === page.id && isPublic(post),
    ),
    translations: translations.filter(isPublic),
  }
}

const ORDINARY_PAGE: TestPage = {
  post_name: 'about',
  parent: null,
  post_status: 'publish',
  post_password: '',
  post_type: 'page',
  lang: 'en',
  group: null,
  frames: ['page'],
}
const ORDINARY_CHOICES: LinkChoices = {
  blogId: 2,
  structure: '/%postname%/',
  front: null,
  forceLang: 1,
  hideDefault: 1,
  redirectLang: 0,
  french: 'http://laden.fr',
  rival: null,
  home: 'http://brand.test',
}

async function write(site: Site, pages: readonly TestPage[], of: LinkChoices): Promise<void> {
  await replacePages(network.db, site, pages, frameIds.get(site.blogId) ?? new Map())
  await applyChoices(network, site, of)
}

it('a batch of pages gives each page what it gives the page alone', async () => {
  await fc.assert(
    fc.asyncProperty(linkChoices, testPages, async (of, tree) => {
      const { db } = network
      const site = await network.site(of.blogId)
      await write(site, tree, of)
      const ids = tree.map((_, at) => FIRST_ID + at)
      const batch = await db.snapshot(async (reads) => {
        const { build, routing } = await startBuild(site, reads)
        return publicationsOf(routing, build, await published(build, ids))
      })
      const found = await new SiteData(db, site).pagesById(ids)
      expect([...batch.keys()]).toEqual(found.map(({ id }) => id))
      for (const one of found)
        expect([one.id, batch.get(one.id)]).toEqual([one.id, await publishAlone(site, one)])
    }),
    { numRuns: runsOf(30) },
  )
})

it('a batch of pages gives each page its own values', async () => {
  await fc.assert(
    fc.asyncProperty(linkChoices, testPages, async (of, tree) => {
      const { db } = network
      const site = await network.site(of.blogId)
      await write(site, tree, of)
      const data = new SiteData(db, site)
      const links = await data.links()
      const found = await data.pagesById(tree.map((_, at) => FIRST_ID + at))
      const values = await Promise.all(found.map((one) => data.pageValues(one, ALL_FIELDS)))
      const posts = await readPosts(db, site, await data.languages(), { inMenuOrder: true })
      const rows = (all: readonly Post[]) => all.map((post) => pageRow(links, post))
      for (const [at, one] of found.entries()) {
        const { ancestors, children, translations } = relativesOf(one, posts)
        // Menus have tests of their own.
        const { isFront: _, ancestorIds: __, ...shown } = values[at] ?? {}
        expect(shown).toEqual({
          ...pageRow(links, one),
          lang: one.lang ?? links.languages.default,
          content: `<p>text ${one.id - FIRST_ID}</p>`,
          excerpt: `excerpt ${one.id - FIRST_ID}`,
          ancestors: rows(ancestors),
          children: rows(children),
          translations: Object.fromEntries(
            translations.map((post) => [post.lang, postUrl(links, post)]),
          ),
        })
      }
    }),
    { numRuns: runsOf(30) },
  )
})

it('a batch of pages gives the error of a page that fails, and the other pages', async () => {
  const site = await network.site(2)
  const fixture = createSiteFixture(network.db, site)
  await fixture.frame('damaged', PAGE)
  const id = await fixture.idOf('damaged')
  frameIds.get(2)?.set('damaged', id)
  await fixture.setOption(recordOption(id), 'a:5:{s:4:"slug";s:4:"da')
  const tree = ['page', 'damaged', 'other'].map((frame) => ({
    ...ORDINARY_PAGE,
    post_name: `on-${frame}`,
    frames: [frame],
  }))
  await write(site, tree, ORDINARY_CHOICES)
  const { build, routing } = await startBuild(site, network.db)
  const pages = await build.data.pagesById(tree.map((_, at) => FIRST_ID + at))
  const html = { isRoutable: true, publication: { html: expect.stringContaining('<') } }
  expect([
    ...(
      await publicationsOf(routing, build, {
        pages,
        frames: await build.framesOf(pages.map(({ id }) => id)),
      })
    ).values(),
  ]).toMatchObject([html, { error: { code: 'frame_unreadable' } }, html])
  await fixture.removeFrame('damaged')
})

it('pages with long contents are in batches of their own', async () => {
  const site = await network.site(2)
  const pages = Array.from({ length: 4 }, () => ORDINARY_PAGE)
  await write(site, pages, ORDINARY_CHOICES)
  const ids = pages.map((_, at) => FIRST_ID + at)
  const [long = 0, other = 0] = ids
  await network.db
    .sql(site.tables.posts)
    .whereIn('ID', [long, other])
    .update({ post_content: network.db.sql.raw("REPEAT('x', ?)", [5 * 1024 * 1024]) })
  const { build } = await startBuild(site, network.db)
  const batches = await batchesOf(build, ids, await readPages(build, ids))
  expect([...batches]).toEqual([[long], [other, ...ids.slice(2)]])
})

it('has 50 ordinary pages in a batch', async () => {
  const site = await network.site(2)
  const pages = Array.from({ length: 120 }, (_, at) => ({ ...ORDINARY_PAGE, parent: at % 20 }))
  await write(site, pages, ORDINARY_CHOICES)
  const ids = pages.map((_, at) => FIRST_ID + at)
  const { build } = await startBuild(site, network.db)
  const batches = await batchesOf(build, ids, await readPages(build, ids))
  expect([...batches].map(({ length }) => length)).toEqual([50, 50, 20])
})

it('a batch of pages needs as many statements for 90 pages as for 60', async () => {
  const site = await network.site(2)
  const statementsFor = async (size: number) => {
    const pages = Array.from({ length: size }, (_, at) => ({ ...ORDINARY_PAGE, parent: at % 20 }))
    await write(site, pages, ORDINARY_CHOICES)
    const ids = pages.map((_, at) => FIRST_ID + at)
    const publish = async () => {
      const { build, routing } = await startBuild(site, network.db)
      return publicationsOf(routing, build, await published(build, ids))
    }
    await publish()
    return statementsOf(network.db, publish)
  }
  const few = await statementsFor(60)
  expect(await statementsFor(90)).toHaveLength(few.length)
  expect(few.length).toBeLessThan(60)
})

it('fails once when the pages of a frame that is named twice cannot be read', async () => {
  const unhandled: unknown[] = []
  const note = (error: unknown) => unhandled.push(error)
  process.on('unhandledRejection', note)
  try {
    const site = await network.site(2)
    const { build } = await startBuild(
      { ...site, tables: { ...site.tables, postmeta: 'missing' } },
      network.db,
    )
    await expect(build.pagesOn(['a', 'b', 'a'])).rejects.toThrow('missing')
    // Node reports a rejection that nobody handles when the microtasks are done.
    await new Promise((resolve) => setImmediate(resolve))
    expect(unhandled).toEqual([])
  } finally {
    process.off('unhandledRejection', note)
  }
})
