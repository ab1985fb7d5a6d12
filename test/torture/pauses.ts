import { setTimeout as sleep } from 'node:timers/promises'
import { sumCopyBytes } from '../../src/build/publishing/copies-table.ts'
import { siteTask } from '../../src/content/work/due-work.ts'
import { tasksTable } from '../../src/db/tasks/tasks-table.ts'
import { TIMINGS } from '../../src/host/timings.ts'
import { differences, summarize, untilCopiesEqual } from './support/compare-copies.ts'
import { Deployment } from './support/deployment.ts'
import { type FreshPage, renderFreshPages } from './support/fresh-render.ts'
import { PublishedSite } from './support/published-site.ts'
import { Random } from './support/random.ts'
import { spread } from './support/tally.ts'
import { createTortureFixture, type TortureFixture } from './support/torture-fixture.ts'
import type { Trial } from './trial.ts'

const ROUNDS = { short: 1, full: 10 }
/** Enough pages to suspend an executor in the middle of their publication. */
const PAGES = 300
/** Attempts to suspend an executor while it builds the site. */
const MAX_ATTEMPTS = 20
/** The part of the copies that an executor has written when it is suspended, at most. */
const MAX_PART = 1 / 4
/** Until the lease of a suspended executor has ended, in milliseconds. */
const LEASE_MS = TIMINGS.work.leaseMs
/** An executor that runs renews its lease within this time, in milliseconds. */
const RENEWAL_MS = LEASE_MS / 2
/** How long the copies are compared after an executor continues, in milliseconds. */
const LATE_MS = 2000
const POLL_MS = 5

/** SIGSTOP has the effect of a machine that is suspended, or of a long garbage collection: the executor does not notice it. */
export const pauses: Trial = {
  name: 'pauses',
  targets: ['folder', 's3'],
  tries: `one of two executors is suspended while it publishes ${PAGES} pages, and continues after another one has published a later version: nothing older appears`,
  async run({ folder, short, seed, progress, target }) {
    const fixture = await createTortureFixture(folder, { durable: false, target })
    const random = new Random(seed)
    const faults: string[] = []
    const times: number[] = []
    let attempts = 0
    const deployment = await Deployment.start(fixture, 'apart')
    try {
      const { apiUrl } = deployment
      const site = await PublishedSite.prepare(fixture, apiUrl, { seed, pages: PAGES })
      faults.push(...(await untilCopiesEqual(fixture, performance.now())).faults)
      for (let round = 1; round <= (short ? ROUNDS.short : ROUNDS.full); round += 1) {
        const paused = await pause(fixture, deployment, site, random)
        attempts += paused.attempts
        await site.replaceHub(`paused-${attempts}-later`, random.below(30))
        await sleep(Math.max(0, paused.at + LEASE_MS - performance.now()))
        const recovery = await untilCopiesEqual(fixture, performance.now())
        const pages = await renderFreshPages(fixture.db, fixture.site)
        process.kill(paused.pid, 'SIGCONT')
        const found = [...recovery.faults, ...(await olderCopies(fixture, pages))]
        faults.push(...found.map((fault) => `pause ${round}: ${fault}`))
        times.push(recovery.ms)
        progress(`${round} pauses, ${faults.length} faults`)
      }
      return {
        figures: {
          pauses: `${times.length} within a build, of ${attempts}`,
          'time from the end of the lease until all pages were true': spread(times),
        },
        faults,
      }
    } finally {
      await deployment.close()
      await fixture.close()
    }
  },
}

type Paused = { readonly pid: number; readonly at: number; readonly attempts: number }

/** Size of the static copies of the site, in bytes. */
async function sizeOf({ db, site }: TortureFixture): Promise<number> {
  let size = 0
  await db.write({}, (tx) =>
    sumCopyBytes(tx, site, (bytes) => {
      size = bytes
    }),
  )
  return size
}

/** Suspends an executor that builds the site and has published a part of the pages. */
async function pause(
  fixture: TortureFixture,
  deployment: Deployment,
  site: PublishedSite,
  random: Random,
): Promise<Paused> {
  const names = deployment.names.filter((name) => name.startsWith('executor'))
  const most = (await sizeOf(fixture)) * MAX_PART
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
    const before = await bytesOf(deployment, names)
    const written = site.replaceHub(`paused-${attempt}-${random.below(1e6)}`, random.below(30))
    const limit = random.below(Math.floor(most))
    const name = await firstBeyond(deployment, names, before, limit)
    const pid = deployment.pidOf(name)
    process.kill(pid, 'SIGSTOP')
    const at = performance.now()
    const lease = await leaseOf(fixture)
    await sleep(RENEWAL_MS)
    const isSame = lease !== undefined && (await leaseOf(fixture)) === lease
    await written
    if (isSame) return { pid, at, attempts: attempt }
    process.kill(pid, 'SIGCONT')
    await untilCopiesEqual(fixture, performance.now())
  }
  throw new Error('no executor could be suspended while it built the site')
}

const bytesOf = (deployment: Deployment, names: readonly string[]): Promise<number[]> =>
  Promise.all(names.map((name) => deployment.writtenBy(name)))

/** The executor that first has written more than so many bytes. */
async function firstBeyond(
  deployment: Deployment,
  names: readonly string[],
  before: readonly number[],
  limit: number,
): Promise<string> {
  for (;;) {
    const bytes = await bytesOf(deployment, names)
    const name = names.find((_, at) => (bytes[at] ?? 0) - (before[at] ?? 0) > limit)
    if (name !== undefined) return name
    await sleep(POLL_MS)
  }
}

/** Who builds the site, and until when without renewal. */
async function leaseOf({ db, site }: TortureFixture): Promise<string | undefined> {
  const row = await db
    .sql(tasksTable(site.globals))
    .where({ name: siteTask(site.blogId) })
    .first('owner', 'due_at')
  return row?.owner ? `${row.owner} until ${row.due_at}` : undefined
}

/** Differences that appear after the suspended executor continues. */
async function olderCopies(
  fixture: TortureFixture,
  pages: readonly FreshPage[],
): Promise<string[]> {
  const { copies, site } = fixture
  const end = performance.now() + LATE_MS
  while (performance.now() < end) {
    const found = await copies.findDifferences(site.blogId, pages)
    if (found.length > 0) return [`after it continues, ${summarize(found)}`]
    await sleep(POLL_MS)
  }
  const found = await differences(fixture)
  return found.length === 0 ? [] : [`after it has continued, ${summarize(found)}`]
}
