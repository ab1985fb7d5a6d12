import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { binlogArgs } from '../../demo/private-database/start-server.ts'
import { networkTable } from '../../src/build/publishing/network-identity.ts'
import { type Backup, dumpOf, filesOf, lostCopies, replicaOf } from './restore/backups.ts'
import { untilCopiesEqual } from './support/compare-copies.ts'
import { Deployment, type Layout } from './support/deployment.ts'
import { PublishedSite } from './support/published-site.ts'
import { createTortureFixture, makeFeedAccount, SHOP } from './support/torture-fixture.ts'
import type { Conditions, Trial } from './trial.ts'

/** Time after a restore in which all pages must be true, in milliseconds. */
const LIMIT_MS = 60_000
/** Time in which a restore would have been noticed: one of a single site must not be, in milliseconds. */
const NOTICE_MS = 10_000
const LOOK_MS = 100
/** Pages that are made private after the backup, so that they must come back. */
const PRIVATE = [16, 17]

type Variant = {
  readonly name: string
  readonly backup: Backup
  readonly layout?: Layout
  readonly hasFeed?: true
  /** The service is killed before the restore and started afterwards. */
  readonly isStopped?: true
  /** The database as a whole does not go back. A restore of one site, or of one of its tables, is an edit of that site. */
  readonly isPart?: true
  /** Pages of the site [54]. */
  readonly pages?: number
  readonly isLong?: true
}

const everything = dumpOf(() => true)
const oneSite = dumpOf((table) => table.startsWith(`wp_${SHOP}_`))
const oneTable = dumpOf((table) => table === `wp_${SHOP}_options`)

const VARIANTS: readonly Variant[] = [
  { name: 'a dump', backup: everything },
  { name: 'a dump, feed', backup: everything, hasFeed: true, isLong: true },
  { name: 'a dump that loads slowly, feed', backup: dumpOf(() => true, 400), hasFeed: true },
  { name: 'a dump, service stopped', backup: everything, isStopped: true, isLong: true },
  { name: 'a dump, several processes', backup: everything, layout: 'apart', isLong: true },
  {
    name: 'a dump, several processes, feed',
    backup: everything,
    layout: 'apart',
    hasFeed: true,
    isLong: true,
  },
  { name: 'a dump, 2,000 pages', backup: everything, pages: 2000, isLong: true },
  { name: 'a failover', backup: replicaOf },
  { name: 'a failover, feed', backup: replicaOf, hasFeed: true, isLong: true },
  { name: 'a failover, several processes', backup: replicaOf, layout: 'apart', isLong: true },
  { name: 'files, GTIDs go back', backup: filesOf, hasFeed: true, isLong: true },
  { name: 'files, several processes', backup: filesOf, layout: 'apart', isLong: true },
  { name: "one site's tables", backup: oneSite, isPart: true, isLong: true },
  { name: 'one table of a site', backup: oneTable, isPart: true },
  { name: 'the folder of the static copies is lost', backup: lostCopies, isPart: true },
  {
    name: "one site's tables, feed",
    backup: oneSite,
    isPart: true,
    hasFeed: true,
    isLong: true,
  },
]

export const restore: Trial = {
  name: 'restore',
  tries: `the database goes back, by a dump, its files, or a replica that takes over without the last transactions: within ${LIMIT_MS / 1000} s every static copy is true for the restored state`,
  async run(conditions) {
    const figures: Record<string, string> = {}
    const faults: string[] = []
    for (const [at, variant] of VARIANTS.entries()) {
      if (conditions.short && variant.isLong) continue
      const folder = join(conditions.folder, String(at))
      const found = await goBack(variant, { ...conditions, folder })
      conditions.progress(`${variant.name}: ${found.time}, ${found.faults.length} faults`)
      figures[`${variant.name}, time until all pages were true`] = found.time
      faults.push(...found.faults.map((fault) => `${variant.name}: ${fault}`))
    }
    return { figures, faults }
  },
}

async function goBack(
  { backup, layout = 'one process', hasFeed, isStopped, isPart, pages = 54 }: Variant,
  { folder, seed }: Conditions,
): Promise<{ readonly time: string; readonly faults: readonly string[] }> {
  mkdirSync(folder)
  const fixture = await createTortureFixture(folder, { durable: true, args: binlogArgs() })
  const { db, site } = fixture
  const feed: Record<string, string> = hasFeed
    ? { FEED_DATABASE_URL: await makeFeedAccount(fixture) }
    : {}
  const deployment = await Deployment.start(fixture, layout, { WATCH_SECONDS: '2', ...feed })
  try {
    const published = await PublishedSite.prepare(fixture, deployment.apiUrl, { seed, pages })
    const begin = await untilCopiesEqual(fixture, performance.now(), LIMIT_MS)
    const goBack = await backup(fixture, join(folder, 'backup'))
    await published.replaceHub('w0-after', 20)
    const { posts, postmeta } = site.tables
    await db.sql(posts).whereIn('ID', PRIVATE).update({ post_status: 'private' })
    await addPage()
    const after = await untilCopiesEqual(fixture, performance.now(), LIMIT_MS)
    if (isStopped) for (const name of deployment.names) await deployment.kill(name)
    await goBack()
    if (isStopped) for (const name of deployment.names) await deployment.restart(name)
    const since = performance.now()
    const noticing = untilNoticed(since + (isPart ? NOTICE_MS : LIMIT_MS))
    // Until the service notices it, there is no work, and pages may be true by chance. A comparison of thousands of pages takes longer than the limit.
    if (!isPart) await noticing
    const { ms, faults } = await untilCopiesEqual(fixture, since, LIMIT_MS)
    // A comparison of thousands of pages takes long. No work was pending when it began, and it found all pages true.
    const end = Math.round(performance.now() - since)
    const noticed = await noticing
    const noticedAfter =
      noticed === undefined ? 'not noticed' : `noticed after ${Math.round(noticed - since)} ms`
    const verified = await untilCopiesEqual(fixture, performance.now(), LIMIT_MS)
    return {
      time: `${ms} ms, compared until ${end} ms, ${noticedAfter}`,
      faults: [
        ...begin.faults.map((fault) => `before: ${fault}`),
        ...after.faults.map((fault) => `before the restore: ${fault}`),
        ...faults,
        ...((noticed === undefined) === Boolean(isPart) ? [] : [`the restore was ${noticedAfter}`]),
        ...verified.faults.map((fault) => `afterwards: ${fault}`),
      ],
    }

    /** The time at which the service says that the database went back. */
    async function untilNoticed(limit: number): Promise<number | undefined> {
      while (performance.now() < limit) {
        const row = await db
          .sql(networkTable(site.globals))
          .first('restored_at')
          .catch(() => undefined)
        if (row?.restored_at != null) return performance.now()
        await sleep(LOOK_MS)
      }
      return undefined
    }

    /** A public page that the backup does not have. */
    async function addPage(): Promise<void> {
      const { ID: model, ...row } = await db.sql(posts).where({ ID: 14 }).first()
      const [page] = await db.sql(posts).insert({ ...row, post_name: 'late', post_parent: 0 })
      const metas = await db.sql(postmeta).where({ post_id: model })
      for (const { meta_id: _, ...meta } of metas)
        await db.sql(postmeta).insert({ ...meta, post_id: page })
    }
  } finally {
    await deployment.close()
    await fixture.close()
  }
}
