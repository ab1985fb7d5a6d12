import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { TagPurges, type TagPurgesOptions } from '../../../src/build/executor/tag-purges.ts'
import { NetworkIdentities } from '../../../src/build/publishing/network-identity.ts'
import { createPurger } from '../../../src/build/publishing/purgers/create-purger.ts'
import { PURGE_TASK } from '../../../src/content/work/purges.ts'
import { readSiteWork } from '../../../src/content/work/work-status.ts'
import { pagesTable } from '../../../src/content/work/work-tables.ts'
import type { TaskRunner } from '../../../src/db/tasks/task-runner.ts'
import { tasksTable } from '../../../src/db/tasks/tasks-table.ts'
import type { PurgerSetting } from '../../../src/host/config/cache-purge.ts'
import { createLog } from '../../../src/host/log.ts'
import { setPurges } from '../../../src/network/identity/copied-network.ts'
import { cloudflareApi, fastlyApi, startCdn } from '../../support/cdn.ts'
import { eventually } from '../../support/eventually.ts'
import { freePort } from '../../support/free-port.ts'
import { useFront } from '../../support/front.ts'
import { startTasks } from '../../support/tasks.ts'
import { FAST, timed } from '../../support/timings.ts'
import { use } from '../../support/use.ts'

const cdn = await use(startCdn(cloudflareApi))
const cloudflare: PurgerSetting = {
  kind: 'cloudflare',
  id: '023e105f4ecef8ad9ca31a8372d0c353',
  plan: 'enterprise',
  token: 'cloudflare-secret',
  endpoint: cdn.endpoint,
}
const cacheTags = { header: 'Cache-Tag', prefix: 'net' } as const
const front = await useFront({ cacheTags, cachePurge: [cloudflare] })
const { db, globals } = front.network
for (const blogId of [2, 3]) await front.frame(blogId, 'page', 'x')

const opened: TagPurges[] = []
/** The purges of another process. */
const open = (options: Partial<TagPurgesOptions> = {}): TagPurges => {
  const purges = new TagPurges({
    db,
    globals,
    log: createLog('silent'),
    identities: new NetworkIdentities(db, globals),
    purgers: [createPurger(cloudflare, FAST.publishing)],
    prefix: 'net',
    ...options,
  })
  opened.push(purges)
  return purges
}
/** Sends as a process of the service does. */
const startSending = (purges: TagPurges): TaskRunner => {
  const tasks = startTasks(front.network)
  tasks.addSource(purges)
  return tasks
}
const record = (purges: TagPurges, blogId: number, pages: readonly number[]) =>
  db.write({}, async (tx) => purges.record(tx, { blogId, globals }, pages))
const rows = (): Promise<{ blog_id: number; page_id: number; purge_by: string }[]> =>
  db.sql(pagesTable(globals)).whereNotNull('purge_by').orderBy(['blog_id', 'page_id'])
const forget = () => db.sql(pagesTable(globals)).update({ purge_by: null })
/** The tasks of the page caches that fail. */
const failingCaches = (): Promise<{ tries: number; error: string; pause: number }[]> =>
  db
    .sql(tasksTable(globals))
    .where('name', 'like', `${PURGE_TASK}%`)
    .where('tries', '>', 0)
    .select('tries', 'error', db.sql.raw('TIMESTAMPDIFF(SECOND, NOW(), due_at) AS pause'))
const finished = () => eventually(async () => expect(await rows()).toEqual([]))
/** The tags of each request since the last call. */
const sent = (): string[][] => cdn.requests.splice(0).map(({ body }) => JSON.parse(body).tags)
const held = () => db.sql(tasksTable(globals)).whereNotNull('owner').select('name')
const makeDue = () => db.sql(tasksTable(globals)).update({ due_at: '2020-01-01', owner: null })

beforeEach(async () => {
  await forget()
  await db.sql(tasksTable(globals)).delete()
  sent()
})
afterEach(async () => {
  cdn.answer()
  for (const purges of opened.splice(0)) await purges.close()
})

describe('pages that a write has changed', () => {
  it('are recorded with the completion of the write, which waits for no page cache', async () => {
    cdn.answer(() => ({ status: 500 }))
    const { republish, statics } = await front.assign(2, 'page', [7, 8])
    expect(statics.get(7)).toMatchObject({ published: true })
    expect(republish).toMatchObject({
      status: 'ok',
      cache: {
        status: 'pending',
        pages: [7, 8],
        flushed: { urls: { status: 'skipped', by: 'none' }, tags: { by: 'Cloudflare' } },
      },
    })
    expect(await rows()).toMatchObject([{ page_id: 7 }, { page_id: 8 }])
    expect(sent()).toEqual([])
  })

  it('are purged by another process, whatever becomes of the one that recorded them', async () => {
    await front.assign(2, 'page', [7])
    startSending(open())
    await finished()
    expect(sent()).toEqual([['net-s2-p7']])
  })

  it('are not recorded while purges are turned off', async () => {
    await setPurges(db, globals, false)
    front.executor.identities.forget()
    const { republish } = await front.assign(2, 'page', [7])
    expect([republish.cache.status, await rows()]).toEqual(['skipped', []])
    const purges = open()
    await record(purges, 2, [7])
    await purges.close()
    expect([sent(), (await rows()).length]).toEqual([[], 1])
    await setPurges(db, globals, false)
    expect(await rows()).toEqual([])
    await setPurges(db, globals, true)
    front.executor.identities.forget()
  })

  it('are purged when their site is deleted', async () => {
    await front.assign(3, 'page', [2])
    await forget()
    const site = await front.network.site(3)
    const blog = await db.sql(globals.blogs).where({ blog_id: 3 }).first()
    await db.sql(globals.blogs).where({ blog_id: 3 }).delete()
    await front.executor.apply(site, { bake: true, work: [{ kind: 'all', name: '' }] })
    await eventually(async () => expect(await rows()).toMatchObject([{ blog_id: 3, page_id: 0 }]))
    await db.sql(globals.blogs).insert(blog)
  })
})

describe('requests', () => {
  it('carry the purges of all sites', async () => {
    const purges = open()
    for (const [blogId, pages] of [
      [2, [8, 7]],
      [3, [2]],
      [9, [1]],
    ] as const)
      await record(purges, blogId, pages)
    await purges.close()
    expect(sent()).toEqual([['net-s2-p7', 'net-s2-p8', 'net-s3-p2', 'net-s9-p1']])
  })

  it('name the site if too many of its pages have changed, at once or one after the other', async () => {
    const purges = open()
    const pages = Array.from({ length: 31 }, (_, index) => index + 1)
    await record(purges, 2, pages)
    expect(await rows()).toMatchObject([{ blog_id: 2, page_id: 0 }])
    for (const page of pages) await record(purges, 3, [page])
    await record(purges, 9, pages.slice(0, 30))
    await purges.close()
    const [tags = [], ...others] = sent()
    expect([tags.slice(0, 2), tags.length, others]).toEqual([['net-s2', 'net-s3'], 32, []])
  })

  it('have no more tags than the page cache accepts', async () => {
    const purges = open()
    await db.write({}, async (tx) => {
      for (let blogId = 100; blogId < 350; blogId += 1) purges.recordSite(tx, { blogId, globals })
    })
    await purges.close()
    expect(sent().map((tags) => tags.length)).toEqual([100, 100, 50])
    expect(await rows()).toEqual([])
  })

  it('repeat a purge that is recorded again while it is sent', async () => {
    const purges = open()
    await record(purges, 2, [7, 8])
    let isFirst = true
    let recording = Promise.resolve<unknown>(undefined)
    cdn.answer(() => {
      if (isFirst) recording = record(front.executor.tagPurges as TagPurges, 2, [8])
      isFirst = false
      return undefined
    })
    await purges.close()
    await recording
    startSending(open())
    await finished()
    const tags = sent().flat()
    expect(tags.filter((tag) => tag === 'net-s2-p8').length).toBeGreaterThanOrEqual(2)
  })
})

describe('a purge that fails', () => {
  it('is tried again, and shows in the work of the site', async () => {
    cdn.answer(() => ({ status: 500 }))
    const purges = open()
    await record(purges, 2, [7])
    startSending(purges)
    await eventually(async () => expect(await failingCaches()).toMatchObject([{ tries: 2 }]))
    const { pending, failing, failures } = await readSiteWork(db, await front.network.site(2))
    expect([pending, failing]).toEqual([
      { pages: 0, frames: 0, purges: 1 },
      { pages: 0, frames: 0, purges: 1 },
    ])
    expect(failures).toMatchObject([
      {
        kind: 'purge',
        name: '7',
        error: expect.stringMatching(/^Cloudflare responded with 500 to a purge\. Check the zone/),
      },
    ])
    cdn.answer()
    await makeDue()
    await finished()
  })

  it('waits for as long as the page cache asks, and so do later ones', async () => {
    cdn.answer(() => ({ status: 429, headers: { 'Retry-After': '120' } }))
    const purges = open()
    const tasks = startSending(purges)
    await record(purges, 2, [7])
    await eventually(async () => expect(await failingCaches()).toMatchObject([{ tries: 1 }]))
    const [row] = await failingCaches()
    expect(row?.pause).toBeGreaterThan(100)
    cdn.answer()
    sent()
    await record(purges, 3, [2])
    await tasks.stop()
    expect(sent()).toEqual([])
    await makeDue()
    startSending(open())
    await finished()
    expect(sent()).toEqual([['net-s2-p7', 'net-s3-p2']])
  })

  describe('at one of two page caches', async () => {
    const fast = await use(startCdn(fastlyApi))
    const fastly = createPurger(
      {
        kind: 'fastly',
        id: 'SU1Z0isxPaozGVKXdv0eY',
        token: 'fastly-secret',
        endpoint: fast.endpoint,
      },
      FAST.publishing,
    )
    const [near, far] = [createPurger(cloudflare, FAST.publishing), fastly]
    const sentFar = (): string[] =>
      fast.requests.splice(0).flatMap(({ body }) => JSON.parse(body).surrogate_keys)
    /** What each page cache is asked in one round. */
    const round = async (requests: number) => {
      const slow = timed(db, { work: { backoffMs: 60_000, maxBackoffMs: 60_000 } })
      const purges = open({ db: slow, purgers: [near, far] })
      const tasks = startSending(purges)
      await eventually(async () => {
        expect(cdn.requests.length + fast.requests.length).toBeGreaterThanOrEqual(requests)
        expect(await held()).toEqual([])
      })
      await tasks.stop()
      return [sent().flat(), sentFar()]
    }
    beforeEach(() => {
      sentFar()
      fast.answer()
    })

    it('keeps the other one from nothing', async () => {
      const dead = createPurger(
        { kind: 'xkey', url: `http://127.0.0.1:${await freePort()}` },
        FAST.publishing,
      )
      const purges = open({ purgers: [dead, fastly] })
      await db.write({}, async (tx) => {
        for (let blogId = 100; blogId < 250; blogId += 1) purges.recordSite(tx, { blogId, globals })
      })
      await purges.close()
      expect(sentFar()).toHaveLength(150)
      const left = await rows()
      expect(left).toHaveLength(150)
      expect((await failingCaches())[0]?.error).toMatch(
        /^Varnish at 127\.0\.0\.1:\d+ could not be reached/,
      )
    })

    it('is tried again there only', async () => {
      fast.answer(() => ({ status: 500 }))
      await record(front.executor.tagPurges as TagPurges, 2, [7])
      expect(await round(2)).toEqual([['net-s2-p7'], ['net-s2-p7']])
      await makeDue()
      expect(await round(1)).toEqual([[], ['net-s2-p7']])
      expect(await failingCaches()).toMatchObject([
        { tries: 2, error: expect.stringMatching(/^Fastly/) },
      ])
      fast.answer()
      await makeDue()
      expect(await round(1)).toEqual([[], ['net-s2-p7']])
      expect(await rows()).toEqual([])
    })

    it('is repeated at the one behind it once it succeeds: that may have taken the page from it', async () => {
      cdn.answer(() => ({ status: 500 }))
      await record(front.executor.tagPurges as TagPurges, 2, [7])
      expect(await round(2)).toEqual([['net-s2-p7'], ['net-s2-p7']])
      await makeDue()
      expect(await round(1)).toEqual([['net-s2-p7'], []])
      const { failures } = await readSiteWork(db, await front.network.site(2))
      expect(failures).toMatchObject([{ kind: 'purge', name: '7', tries: 2 }])
      cdn.answer()
      await makeDue()
      expect(await round(2)).toEqual([['net-s2-p7'], ['net-s2-p7']])
      expect(await rows()).toEqual([])
    })

    it('delays no purge that is recorded later, there only for the first pause', async () => {
      fast.answer(() => ({ status: 500 }))
      const recorder = open({ purgers: [near, far] })
      await record(recorder, 2, [7])
      await round(2)
      await db
        .sql(tasksTable(globals))
        .update({ due_at: db.sql.raw('NOW(6) + INTERVAL 200 SECOND') })
      await record(recorder, 2, [8])
      expect(await round(1)).toEqual([['net-s2-p8'], []])
      expect(await recorder.find()).toHaveLength(2)
      expect((await failingCaches())[0]?.pause).toBeLessThan(100)
    })
  })
})
