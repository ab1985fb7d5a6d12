import { setTimeout as sleep } from 'node:timers/promises'
import { MAX_PREVIEWS, MAX_SNAPSHOTS, MAX_WORK_CONNECTIONS } from '../../../src/db/database.ts'
import { countWork, untilCopiesEqual } from '../support/compare-copies.ts'
import { Load } from '../support/load.ts'
import { PublishedSite } from '../support/published-site.ts'
import { type Service, startService } from '../support/service.ts'
import { tornState } from '../support/torn-state.ts'
import { makeAccount, type TortureFixture } from '../support/torture-fixture.ts'
import { Writers } from '../support/writers.ts'
import type { Conditions, Findings } from '../trial.ts'
import { type Disruption, SERVICE_USER } from './disruption.ts'

const PROCESSES = 2
/**
 * Maximum connections of a process: DB_POOL_SIZE for reads, half as many each for transactions and for reads that travel together, and those of its
 * workers and previews.
 */
const POOL_SIZE = 2 * 10 + MAX_SNAPSHOTS + MAX_WORK_CONNECTIONS + MAX_PREVIEWS
/** Time in which the service must recover, in milliseconds. */
const RECOVERY_MS = 10_000
/** Duration of the undisturbed load before and after a disruption, in milliseconds. */
const CALM_MS = 500

/**
 * Runs the disruptions one after the other against the same processes, and closes the fixture.
 * @param pages number of pages that writes publish; after each disruption their copies are compared [few, which are not compared]
 */
export async function runDisruptions(
  fixture: TortureFixture,
  disruptions: readonly Disruption[],
  { short, seed, progress }: Conditions,
  pages?: number,
): Promise<Findings> {
  const databaseUrl = await makeAccount(fixture, SERVICE_USER)
  const services: Service[] = []
  const figures: Record<string, string> = {}
  const faults: string[] = []
  try {
    for (let index = 0; index < PROCESSES; index += 1)
      services.push(
        await startService({ databaseUrl, env: fixture.copies.envOf(`process ${index}`) }),
      )
    const urls = services.map(({ apiUrl }) => apiUrl)
    const writers =
      pages === undefined
        ? await Writers.prepare(fixture, urls, { seed, parts: 10 })
        : (await PublishedSite.prepare(fixture, urls[0] ?? '', { seed, pages })).writers
    writers.callAt(urls)
    const load = await Load.prepare(fixture, services, writers)
    for (const disruption of disruptions) {
      progress(disruption.name)
      const lasts = short ? 1_500 : 4_000
      const found = await hurt(fixture, load, disruption, lasts, pages !== undefined)
      figures[disruption.name] = found.figures
      faults.push(...found.faults.map((fault) => `${disruption.name}: ${fault}`))
    }
    for (const { stop } of services)
      if ((await stop()) !== 0) faults.push('a process did not end with exit code 0')
    return { figures, faults }
  } finally {
    for (const service of services) await service.kill()
    await fixture.close()
  }
}

/** Waits for the work of the last writes. What failed during the disruption is tried again after a pause; what stays is found by the doctor. */
async function untilDone(fixture: TortureFixture): Promise<undefined> {
  const end = performance.now() + RECOVERY_MS
  while ((await countWork(fixture)) > 0 && performance.now() < end) await sleep(CALM_MS)
}

/**
 * Runs one disruption under load, and reports the results once all clients are served again.
 * @param comparesCopies whether all static copies must be true soon after the load
 */
export async function hurt(
  fixture: TortureFixture,
  load: Load,
  disruption: Disruption,
  lasts: number,
  comparesCopies = false,
): Promise<{ figures: string; faults: string[] }> {
  const running = load.run({ sparesReads: disruption.spares === 'reads' })
  try {
    await sleep(CALM_MS)
    load.hurt()
    const heal = await disruption.inflict(fixture)
    await sleep(Math.max(lasts, disruption.lasts ?? 0))
    const dealt = await heal()
    const recovery = await load.recover(RECOVERY_MS)
    await sleep(CALM_MS)
    load.stop()
    await running
    const ended = performance.now()
    const { figures, faults } = await load.findings()
    const published = comparesCopies
      ? await untilCopiesEqual(fixture, ended)
      : await untilDone(fixture)
    // The COMMIT of a snapshot waits a moment for the next one.
    await sleep(CALM_MS)
    return {
      figures: [
        ...(dealt === undefined ? [] : [dealt]),
        figures,
        `recovered after ${recovery} ms`,
        ...(published ? [`all pages were true after ${published.ms} ms`] : []),
      ].join('; '),
      faults: [
        ...faults,
        ...(published?.faults ?? []),
        ...(await leaksOf(fixture)),
        ...(await tornState(fixture)),
      ],
    }
  } finally {
    load.stop()
  }
}

/** Looks at what is open: background loops execute short statements at any time, so a leak is what each look finds. */
const LOOKS = 10
const LOOK_MS = 100

/** Connections and locks that were not released. */
async function leaksOf({ db }: TortureFixture): Promise<string[]> {
  const idsOf = async (sql: string): Promise<unknown[]> =>
    (await db.sql.raw(sql))[0].map(({ id }: { id: unknown }) => String(id))
  const count = async (sql: string): Promise<number> => {
    let left = await idsOf(sql)
    for (let look = 1; look < LOOKS && left.length > 0; look += 1) {
      await sleep(LOOK_MS)
      const found = new Set(await idsOf(sql))
      left = left.filter((id) => found.has(id))
    }
    return left.length
  }
  const ofService = `SELECT id FROM information_schema.processlist WHERE user = '${SERVICE_USER}'`
  const connections = await count(ofService)
  const busy = await count(`${ofService} AND command <> 'Sleep'`)
  const transactions = await count('SELECT trx_id AS id FROM information_schema.innodb_trx')
  return [
    ...(connections > PROCESSES * POOL_SIZE ? [`${connections} connections are open`] : []),
    ...(busy > 0 ? [`${busy} connections execute statements without a request`] : []),
    ...(transactions > 0 ? [`${transactions} transactions are open`] : []),
  ]
}
