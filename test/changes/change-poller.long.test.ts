import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { listSitesWithCopies } from '../../src/build/publishing/copies-table.ts'
import { ChangePoller } from '../../src/changes/change-poller.ts'
import { ALL_ROWS } from '../../src/changes/changed-rows.ts'
import { type EditedSites, findEditedSites } from '../../src/changes/find-edited-sites.ts'
import { recordEdits } from '../../src/changes/record-edits.ts'
import { seenTables } from '../../src/changes/seen-tables.ts'
import { UnreadableSites } from '../../src/changes/unreadable-sites.ts'
import { createLog } from '../../src/host/log.ts'
import { eventually } from '../support/eventually.ts'
import { useFront } from '../support/front.ts'
import { setOption as storeOption } from '../support/network.ts'
import { NO_TEXTS } from '../support/site-fixture.ts'
import { statementsOf } from '../support/statements.ts'
import { startTasks, taskRow } from '../support/tasks.ts'
import { makeDue, putWork } from '../support/work-rows.ts'

const SHOP = 2
/** Team and Services, in English. */
const [TEAM, SERVICES] = [10, 16]

const front = await useFront()
await front.frame(
  SHOP,
  'page',
  '<h1 data-op-bind="page.title"></h1><!-- svc/menu {"location":"footer_1"} /--><!-- svc/data {"source":"dataset.news.0"} /-->',
)
await front.assign(SHOP, 'page', [TEAM, SERVICES])

const services = () => ({ db: front.network.db, globals: front.network.globals })
await sync(SHOP)

/** Records edits and builds what follows from them. @returns whether there were any */
async function sync(blogId: number): Promise<boolean> {
  const edits = await recordEdits(services(), blogId)
  await front.executor.finish(blogId)
  return edits !== undefined
}

const team = () => front.copyAt('net.test/shop/about-us/team')

/** Edits a row as WordPress does, without a change for the service. */
async function edit(
  table: 'posts' | 'terms' | 'postmeta',
  where: Record<string, unknown>,
  columns: Record<string, unknown>,
): Promise<void> {
  const site = await front.network.site(SHOP)
  await front.network.db.sql(site.tables[table]).where(where).update(columns)
}

/** Exchanges the pages of two rows. */
async function exchangeFrames(): Promise<void> {
  const { tables } = await front.network.site(SHOP)
  const { sql } = front.network.db
  await sql(tables.postmeta)
    .where({ meta_key: '_svc_frame' })
    .whereIn('post_id', [TEAM, SERVICES])
    .update({ post_id: sql.raw('? - post_id', [TEAM + SERVICES]) })
}

/** Moves the archived site of the network. */
async function moveArchived(path: string): Promise<void> {
  const { db, globals } = front.network
  await db.sql(globals.blogs).where({ blog_id: 5 }).update({ path })
}

const setOption = (name: string, value: string) => storeOption(front.network, SHOP, name, value)

const withValues = ({ sql, text }: { readonly sql: string; readonly text?: string }) => text ?? sql

describe('recordEdits', () => {
  it('only reads, in some statements, if nothing was edited', async () => {
    const work = async () => expect(await recordEdits(services(), SHOP)).toBe(undefined)
    const statements = await statementsOf(front.network.db, work, withValues)
    expect(statements.length).toBeLessThanOrEqual(14)
    for (const statement of statements) expect(statement).toMatch(/^[\s(]*select /i)
  })

  it('removes the copies of a deleted site, but not of a site whose tables are missing', async () => {
    await front.frame(4, 'page', '<p>x</p>')
    await front.assign(4, 'page', [2])
    expect(existsSync(join(front.staticDir, 'brand.test'))).toBe(true)
    const { db, globals } = front.network
    const { options } = (await front.network.site(4)).tables
    await db.sql.schema.renameTable(options, 'played_in')
    expect(await sync(4)).toBe(false)
    expect(existsSync(join(front.staticDir, 'brand.test'))).toBe(true)
    await db.sql.schema.renameTable('played_in', options)
    await db.sql(globals.blogs).where({ blog_id: 4 }).delete()
    expect(await sync(4)).toBe(true)
    expect(existsSync(join(front.staticDir, 'brand.test'))).toBe(false)
    expect(await listSitesWithCopies(db, globals)).not.toContain(4)
  })

  it('records edits although other work of the site fails again and again', async () => {
    const failing = { name: '99', due: 200, tries: 7, error: 'The page cannot be built.' }
    await putWork(front.network, SHOP, [failing])
    await edit('posts', { ID: TEAM }, { post_title: 'Them' })
    expect(await recordEdits(services(), SHOP)).toBeDefined()
    await makeDue(front.network)
    await front.executor.finish(SHOP)
    expect(team()).toContain('<h1>Them</h1>')
  })
})

/** Starts a poll as another process does. */
function startPoller() {
  const unreadable = new UnreadableSites(createLog('silent'))
  const poller = new ChangePoller({
    ...services(),
    unreadable,
    wake: (blogId) => front.executor.wake(blogId),
    intervalMs: 5,
  })
  const tasks = startTasks(front.network, poller)
  const [rounds, losses] = [vi.spyOn(unreadable, 'update'), vi.spyOn(unreadable, 'forget')]
  return {
    rounds: () => rounds.mock.calls.length,
    losses: () => losses.mock.calls.length,
    stop: () => tasks.stop(),
  }
}

describe('ChangePoller', () => {
  it('syncs copies after an edit, and stops on request', async () => {
    const watch = startPoller()
    await edit('posts', { ID: TEAM }, { post_title: 'Everyone' })
    await eventually(() => expect(team()).toContain('<h1>Everyone</h1>'))
    await watch.stop()
    await edit('posts', { ID: TEAM }, { post_title: 'Nobody' })
    expect(team()).toContain('<h1>Everyone</h1>')
  })
  it('polls in one process for all, and in another one when that stops', async () => {
    const first = startPoller()
    await eventually(() => expect(first.rounds()).toBeGreaterThan(0))
    const second = startPoller()
    const rounds = first.rounds()
    await eventually(() => expect(first.rounds()).toBeGreaterThan(rounds + 5))
    expect(second.rounds()).toBe(0)
    await first.stop()
    await eventually(() => expect(second.rounds()).toBeGreaterThan(0))
    await second.stop()
  })

  it('ends its poll when another process has taken over', async () => {
    const first = startPoller()
    await eventually(() => expect(first.rounds()).toBeGreaterThan(0))
    await taskRow(front.network, 'poll').update({ owner: 'another process' })
    await eventually(() => expect(first.losses()).toBe(1))
    await first.stop()
    await taskRow(front.network, 'poll').delete()
  })
})

describe('findEditedSites', () => {
  it('needs as many statements for many sites as for few, and reads only', async () => {
    const { db } = front.network
    await recordAll()
    const work = async () => expect(await listEdited()).toEqual([])
    const statements = await statementsOf(db, work, withValues)
    expect(statements.length).toBeLessThanOrEqual(6)
    for (const statement of statements)
      expect(statement).toMatch(
        /^(?:\/\*M!100100 SET STATEMENT max_statement_time = 1,[^*]* FOR \*\/ )?[\s(]*select /i,
      )
  })

  it.each<[string, () => Promise<unknown>]>([
    [
      'the text of a page, by a script',
      () => edit('posts', { ID: TEAM }, { post_content: 'replaced' }),
    ],
    [
      'the target of a menu item alone',
      () =>
        edit('postmeta', { post_id: 45, meta_key: '_menu_item_target' }, { meta_value: '_blank' }),
    ],
    [
      'the frame of a page',
      () => edit('postmeta', { post_id: TEAM, meta_key: '_svc_frame' }, { meta_value: 'none' }),
    ],
    ['the frames of two pages that were exchanged', exchangeFrames],
    [
      'a value with a high id',
      () =>
        edit('postmeta', { post_id: TEAM, meta_key: '_svc_frame' }, { meta_id: 4_000_000_000_000 }),
    ],
    ['the plugins', () => setOption('active_plugins', 'a:0:{}')],
    ['the permalink structure', () => setOption('permalink_structure', '/%postname%')],
    ['the theme', () => setOption('stylesheet', 'other')],
    ["Polylang's settings", () => setOption('polylang', 'a:0:{}')],
    ['a frame', async () => setOption(`svc_frame_${await frameId()}`, '<p>PHP</p>')],
    ['the state of the site', () => setBlog({ archived: 1 })],
    ['the path of another site', () => setBlog({ archived: 0, path: '/store/' })],
    ['the path of the site', () => setBlog({ path: '/shop/' })],
  ])('notices an edit of %s', async (_, write) => {
    await recordAll()
    expect(await listEdited()).toEqual([])
    await write()
    const found = await listEdited()
    expect(found.map(({ blogId }) => blogId)).toContain(SHOP)
    await recordAll()
    expect(await listEdited()).toEqual([])
  })

  it('does not notice rows that no page shows', async () => {
    const { db } = front.network
    const { tables } = await front.network.site(SHOP)
    await recordAll()
    const room = {
      ...NO_TEXTS,
      post_type: 'wp_sync_storage',
      post_title: 'Room',
    }
    const [id] = await db.sql(tables.posts).insert(room)
    const update = { post_id: id, meta_key: 'wp_sync_update', meta_value: 'x' }
    await db.sql(tables.postmeta).insert([update, { ...update, post_id: TEAM }])
    expect(await listEdited()).toEqual([])
  })

  it('notices a site that was closed before it was first compared, if it has copies', async () => {
    const { db, globals } = front.network
    const seen = seenTables(globals)
    await recordAll()
    await setBlog({ archived: 1 })
    await db.sql(seen.sites).where({ blog_id: SHOP }).delete()
    const copy = {
      blog_id: SHOP,
      page_id: 9999,
      url: 'http://net.test/shop/x/',
      version: 1,
      bytes: 0,
    }
    await db.sql(`${globals.basePrefix}svc_pages`).insert(copy)
    expect(await listEdited()).toEqual([{ blogId: SHOP, state: undefined }])
    await setBlog({ archived: 0 })
    await recordAll()
    await front.executor.finish(SHOP)
  })

  it('forgets what it has seen of a deleted site without copies', async () => {
    const { db, globals } = front.network
    const seen = seenTables(globals)
    await recordAll()
    await db.sql(seen.sites).insert({ blog_id: 88 })
    expect(await listEdited()).toEqual([{ blogId: 88, state: undefined }])
    await recordAll()
    expect(await db.sql(seen.sites).where({ blog_id: 88 })).toEqual([])
    await front.executor.finish(88)
  })

  it('notices a site that was copied, with its frames', async () => {
    const { db, globals } = front.network
    await recordAll()
    const { tables } = await front.network.site(SHOP)
    await db.sql(globals.blogs).insert({ ...BLOG, blog_id: 77 })
    for (const table of Object.values(tables)) {
      const copy = table.replace('_2_', '_77_')
      await db.sql.raw('CREATE TABLE ?? LIKE ??', [copy, table])
      await db.sql.raw('INSERT INTO ?? SELECT * FROM ??', [copy, table])
    }
    expect(await listEdited()).toContainEqual({
      blogId: 77,
      state: undefined,
    })
    expect(await recordEdits(services(), 77)).toBeDefined()
  })
})

describe('a page whose address another site takes over', () => {
  it('loses its copy', async () => {
    const page = join(front.staticDir, 'net.test/products')
    const site = await front.network.site(1)
    await front.network.db.sql(site.tables.posts).where({ ID: 2 }).update({ post_name: 'products' })
    await front.frame(1, 'page', '<p>x</p>')
    await front.assign(1, 'page', [2])
    await sync(1)
    expect(existsSync(join(page, 'index.html'))).toBe(true)
    await moveArchived('/products/')
    await sync(1)
    expect(existsSync(page)).toBe(false)
    await moveArchived('/archived/')
    await sync(1)
  })

  it('is noticed, also if the path of that site has the length of its former one', async () => {
    await front.frame(1, 'page', '<p>x</p>')
    await recordAll()
    await moveArchived('/products/')
    expect((await listEdited()).map(({ blogId }) => blogId)).toContain(1)
    await moveArchived('/archived/')
    await recordAll()
  })
})

const BLOG = {
  site_id: 1,
  domain: 'copy.test',
  path: '/',
  registered: '2026-01-01',
  last_updated: '2026-01-01',
}

async function listEdited() {
  const edited: EditedSites['edited'][number][] = []
  const { db, globals } = front.network
  for await (const part of findEditedSites(db, globals)) edited.push(...part.edited)
  return edited
}

/** Records the edits of all sites that differ, as the poller does. */
async function recordAll(): Promise<void> {
  for (let round = 0; round < 2; round += 1)
    for (const { blogId, state } of await listEdited())
      await recordEdits(services(), blogId, ALL_ROWS, state)
}

async function setBlog(columns: object): Promise<void> {
  const { db, globals } = front.network
  await db.sql(globals.blogs).where({ blog_id: SHOP }).update(columns)
}

async function frameId(): Promise<string> {
  const site = await front.network.site(SHOP)
  const [name]: string[] = await front.network.db
    .sql(site.tables.options)
    .whereRaw("option_name REGEXP '^svc_frame_[0-9a-f]{16}$'")
    .pluck('option_name')
  return name?.slice('svc_frame_'.length) ?? ''
}
