import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ChangePoller, recordEdits } from '../../src/executor/change-poller.ts'
import { createLog } from '../../src/log.ts'
import { listSitesWithCopies } from '../../src/publishing/copies-table.ts'
import { writeOptions } from '../../src/wordpress/options/write-options.ts'
import { workTable } from '../../src/work/work-tables.ts'
import { eventually } from '../support/eventually.ts'
import { startFront, type TestFront } from '../support/front.ts'
import { statementsOf } from '../support/statements.ts'

const SHOP = 2
/** Team and Services, in English. */
const [TEAM, SERVICES] = [10, 16]

let front: TestFront
beforeAll(async () => {
  front = await startFront()
  await front.frame(
    SHOP,
    'page',
    '<h1 data-op-bind="page.title"></h1><!-- svc/menu {"location":"footer_1"} /--><!-- svc/data {"source":"dataset.news.0"} /-->',
  )
  await front.assign(SHOP, 'page', [TEAM, SERVICES])
  await sync(SHOP)
})
afterAll(() => front.stop())

const services = () => ({ db: front.network.db, globals: front.network.globals })

/** Records edits and builds what follows from them. @returns whether there were any */
async function sync(blogId: number): Promise<boolean> {
  const isEdited = await recordEdits(services(), blogId)
  await front.executor.finish(blogId)
  return isEdited
}

const copyAt = (path: string): string | undefined => {
  const file = join(front.staticDir, 'net.test/shop', path, 'index.html')
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined
}
const team = () => copyAt('about-us/team')

/** Edits a row as WordPress does, without a change for the service. */
async function edit(
  table: 'posts' | 'terms' | 'postmeta',
  where: Record<string, unknown>,
  columns: Record<string, unknown>,
): Promise<void> {
  const site = await front.network.site(SHOP)
  await front.network.db.sql(site.tables[table]).where(where).update(columns)
}

async function setOption(name: string, value: string): Promise<void> {
  const site = await front.network.site(SHOP)
  await front.network.db.write({}, (tx) => writeOptions(tx, site, [{ name, value }], 'off'))
}

describe('recordEdits', () => {
  it('only reads, in four statements, if nothing was edited', async () => {
    const statements = await statementsOf(front.network.db, async () => {
      expect(await recordEdits(services(), SHOP)).toBe(false)
    })
    expect(statements.length).toBeLessThanOrEqual(4)
    for (const statement of statements) expect(statement).toMatch(/^select /i)
  })

  it.each<[string, () => Promise<void>, () => void]>([
    [
      "a page's title",
      () => edit('posts', { ID: TEAM }, { post_title: 'The team' }),
      () => expect(team()).toContain('<h1>The team</h1>'),
    ],
    [
      "a page's text, with its modification time",
      () =>
        edit(
          'posts',
          { ID: TEAM },
          { post_content: 'x', post_modified_gmt: '2030-01-01 00:00:00' },
        ),
      () => expect(team()).toContain('The team'),
    ],
    [
      "a menu item's title",
      () => edit('posts', { ID: 45 }, { post_title: 'Imprint' }),
      () => expect(team()).toContain('>Imprint</a>'),
    ],
    [
      'the page that a menu item links to',
      () => edit('posts', { ID: 22 }, { post_name: 'with-a-password' }),
      () => expect(team()).toContain('/shop/with-a-password/'),
    ],
    [
      'data',
      () => setOption('svc_data_news', '["First"]'),
      () => expect(team()).toContain('First'),
    ],
    [
      'the slug of a page',
      () => edit('posts', { ID: SERVICES }, { post_name: 'help' }),
      () => {
        expect(copyAt('services')).toBeUndefined()
        expect(copyAt('help')).toContain('<h1>')
      },
    ],
    [
      'the visibility of a page',
      () => edit('posts', { ID: SERVICES }, { post_status: 'draft' }),
      () => expect(copyAt('help')).toBeUndefined(),
    ],
  ])('follows an edit of %s', async (_, write, check) => {
    await write()
    expect(await sync(SHOP)).toBe(true)
    check()
    expect(await sync(SHOP)).toBe(false)
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

  it('records no more while the work of earlier edits is left', async () => {
    await edit('posts', { ID: TEAM }, { post_title: 'Us' })
    expect(await recordEdits(services(), SHOP)).toBe(true)
    await edit('posts', { ID: TEAM }, { post_title: 'We' })
    expect(await recordEdits(services(), SHOP)).toBe(false)
    await front.executor.finish(SHOP)
    expect(await sync(SHOP)).toBe(true)
    expect(team()).toContain('<h1>We</h1>')
  })

  it('records edits although other work of the site fails again and again', async () => {
    const { db, globals } = front.network
    const work = db.sql(workTable(globals))
    const due_at = db.sql.raw('NOW(6) + INTERVAL 200 SECOND')
    const row = { blog_id: SHOP, kind: 'page', name: '99', version: 1, since: '2026-01-01' }
    await work.clone().insert({ ...row, due_at, tries: 7, error: 'The page cannot be built.' })
    await edit('posts', { ID: TEAM }, { post_title: 'Them' })
    expect(await recordEdits(services(), SHOP)).toBe(true)
    await work.clone().where({ name: '99' }).delete()
    await front.executor.finish(SHOP)
    expect(team()).toContain('<h1>Them</h1>')
  })
})

describe('ChangePoller', () => {
  it('syncs copies after an edit, and stops on request', async () => {
    const watch = new ChangePoller({
      ...services(),
      log: createLog('silent'),
      wake: (blogId) => front.executor.wake(blogId),
      intervalMs: 5,
    })
    await edit('posts', { ID: TEAM }, { post_title: 'Everyone' })
    await eventually(() => expect(team()).toContain('<h1>Everyone</h1>'))
    await watch.stop()
    await edit('posts', { ID: TEAM }, { post_title: 'Nobody' })
    expect(team()).toContain('<h1>Everyone</h1>')
  })
})
