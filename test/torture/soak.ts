import { readdir, readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { SERVICE_USER } from './disruptions/disruption.ts'
import { Load } from './support/load.ts'
import { type Service, startService } from './support/service.ts'
import {
  describeSize,
  readFolderSize,
  readTableSizes,
  type StoredSize,
} from './support/stored-sizes.ts'
import { quantile, spread } from './support/tally.ts'
import { tornState } from './support/torn-state.ts'
import {
  createTortureFixture,
  makeAccount,
  type TortureFixture,
} from './support/torture-fixture.ts'
import { Writers } from './support/writers.ts'
import type { Trial } from './trial.ts'

/** Number of measurements of a soak, including the warm-up. */
const MEASUREMENTS = 40
/** Allowed growth from the second fifth to the last: caches that fill, garbage on the heap, a busier machine. */
const MAX_GROWTH = { megabytes: 40, share: 1.25, descriptors: 5, latency: 3, work: 2.5 }
/** Pause of a writer after each write, in milliseconds: with an idle machine, the latency depends only on the work of the request. */
const REST_MS = 250
/** Ticks per second of Linux's CPU times (USER_HZ). */
const TICK_MS = 10
/** With the smallest history it reaches its limit in the soak, and is pruned. Edits by others are found by the poll. */
const ENV = { HISTORY_MB_PER_SITE: '1', WATCH_SECONDS: '2' }
/** Pause between two edits by SQL, in milliseconds. */
const EDIT_MS = 500
/** A page that no writer assigns to a frame. */
const EDITED_PAGE = 3
/** Rows of work, claims and keys go when they are done; megabytes of the other tables have limits. */
const MAX_STORED = { rows: 1.5, spareRows: 500 }
/** Tables that have a row for each write until it is old enough: for days, or a day. */
const KEPT = new Set(['svc_idempotency'])
/** A shorter soak is only a warm-up: it checks for errors, not for growth. */
const TELLING_MS = 120_000

type Measurement = {
  readonly megabytes: number
  readonly descriptors: number
  /** CPU time of the process since its start, in milliseconds. */
  readonly worked: number
  /** Durations of the answers since the previous measurement, in milliseconds. */
  readonly waits: readonly number[]
}

/** One process, API and front, under writes, reads and page requests for a long time. Other trials may run at the same time. */
export const soak: Trial = {
  name: 'soak',
  tries:
    'writes, reads and page requests for a long time: memory, descriptors, latency and CPU time of a request do not grow',
  async run({ folder, seed, soakMs, progress }) {
    const fixture = await createTortureFixture(folder, { durable: false })
    const databaseUrl = await makeAccount(fixture, SERVICE_USER)
    const { staticDir } = fixture
    const service = await startService({ databaseUrl, staticDir, env: { ...ENV } })
    try {
      const writers = await Writers.prepare(fixture, [service.apiUrl], { seed, parts: 10 })
      const load = await Load.prepare(fixture, [service], writers)
      const running = load.run({ sparesReads: true, rest: REST_MS })
      const editing = editBySql(fixture)
      const measured: Measurement[] = []
      const stored: Stored[] = []
      for (let round = 1; round <= MEASUREMENTS; round += 1) {
        await sleep(soakMs / MEASUREMENTS)
        measured.push({ ...(await measure(service)), waits: load.takeWaits() })
        if (round % (MEASUREMENTS / 5) === 0) stored.push(await readStored(fixture))
        if (round % 10 === 0)
          progress(
            `${round / 10} of ${MEASUREMENTS / 10}, ${describeMeasurements(measured.slice(-10))}`,
          )
      }
      load.stop()
      await Promise.all([running, editing.stop()])
      // The total would contain only the last durations: each part reports its own.
      load.takeWaits()
      const { figures, faults } = await load.findings()
      const early = measured.slice(MEASUREMENTS / 5, (MEASUREMENTS * 2) / 5)
      const late = measured.slice((MEASUREMENTS * 4) / 5)
      return {
        figures: {
          seconds: soakMs / 1000,
          requests: figures,
          'in the second fifth': describeMeasurements(early),
          'in the last fifth': describeMeasurements(late),
          'edits by SQL': editing.count(),
          stored: describeStored(stored),
        },
        faults: [
          ...faults,
          ...(soakMs < TELLING_MS ? [] : [...growth(early, late), ...storedGrowth(stored)]),
          ...service.errorLines,
          ...(await tornState(fixture)),
        ],
      }
    } finally {
      await service.kill()
      await fixture.close()
    }
  },
}

/** What the service keeps, by table, and its folder. */
type Stored = ReadonlyMap<string, StoredSize>

async function readStored({ db, staticDir }: TortureFixture): Promise<Stored> {
  return new Map([...(await readTableSizes(db)), ['STATIC_DIR', await readFolderSize(staticDir)]])
}

/** What differs between the measurements, for each table. */
function describeStored(stored: readonly Stored[]): string {
  const names = new Set(stored.flatMap((one) => [...one.keys()]))
  const lines = [...names].flatMap((name) => {
    const sizes = stored.map((one) => one.get(name) ?? NOTHING)
    const isSame = sizes.every(({ count }) => count === sizes[0]?.count)
    return isSame ? [] : [`${name} ${sizes.map(describeSize).join(', ')}`]
  })
  return lines.join('; ')
}

const NOTHING: StoredSize = { count: 0, megabytes: 0 }

/** A sentence for each table whose rows, and for the folder whose files, grew from the second fifth to the last although nothing of the network did. */
function storedGrowth([, early, , , late]: readonly Stored[]): string[] {
  return [...(late ?? [])].flatMap(([name, { count }]) => {
    const before = early?.get(name)?.count ?? 0
    const isMore = count > before * MAX_STORED.rows + MAX_STORED.spareRows
    return isMore && !KEPT.has(name) ? [`${name} grew from ${before} to ${count}`] : []
  })
}

/** Writes titles of a page without the service. */
function editBySql({ db, site }: TortureFixture) {
  const stopped = new AbortController()
  let edits = 0
  const run = async () => {
    while (!stopped.signal.aborted) {
      edits += 1
      await db
        .sql(site.tables.posts)
        .where({ ID: EDITED_PAGE })
        .update({ post_title: `Edit ${edits}` })
      await sleep(EDIT_MS, undefined, { signal: stopped.signal }).catch(() => {})
    }
  }
  const running = run()
  return {
    count: () => edits,
    stop: () => {
      stopped.abort()
      return running
    },
  }
}

async function measure({ pid }: Service): Promise<Omit<Measurement, 'waits'>> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8')
  const kilobytes = Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1])
  const descriptors = (await readdir(`/proc/${pid}/fd`)).length
  const times = (await readFile(`/proc/${pid}/stat`, 'utf8')).split(' ').slice(13, 15)
  const worked = times.reduce((sum, ticks) => sum + Number(ticks) * TICK_MS, 0)
  return { megabytes: Math.round(kilobytes / 1024), descriptors, worked }
}

const most = (values: readonly number[]): number => Math.max(...values)

const median = (values: readonly number[]): number => quantile(values, 0.5)

const waitsOf = (measured: readonly Measurement[]): number[] =>
  measured.flatMap(({ waits }) => waits)

/** CPU milliseconds per answer, including the page requests. */
function workOf(measured: readonly Measurement[]): number {
  const [first, ...rest] = measured
  return ((rest.at(-1)?.worked ?? 0) - (first?.worked ?? 0)) / waitsOf(rest).length
}

function describeMeasurements(measured: readonly Measurement[]): string {
  const megabytes = most(measured.map((one) => one.megabytes))
  const descriptors = most(measured.map((one) => one.descriptors))
  const work = `${workOf(measured).toFixed(1)} ms of work each`
  return `${megabytes} MB and ${descriptors} descriptors at most, ${spread(waitsOf(measured))}, ${work}`
}

/** A sentence for each figure that has grown. */
function growth(early: readonly Measurement[], late: readonly Measurement[]): string[] {
  const memory = [early, late].map((part) => median(part.map(({ megabytes }) => megabytes)))
  const open = [early, late].map((part) => most(part.map(({ descriptors }) => descriptors)))
  const latency = [early, late].map((part) => median(waitsOf(part)))
  const work = [early, late].map(workOf)
  const [before = 0, after = 0] = memory
  const isMore = after > before + MAX_GROWTH.megabytes && after > before * MAX_GROWTH.share
  return [
    ...(isMore ? [`memory grew from ${before} to ${after} MB`] : []),
    ...((open[1] ?? 0) > (open[0] ?? 0) + MAX_GROWTH.descriptors
      ? [`descriptors grew from ${open[0]} to ${open[1]}`]
      : []),
    ...((latency[1] ?? 0) > (latency[0] ?? 0) * MAX_GROWTH.latency
      ? [`the median latency grew from ${latency[0]} to ${latency[1]} ms`]
      : []),
    ...((work[1] ?? 0) > (work[0] ?? 0) * MAX_GROWTH.work
      ? [`the work of a request grew from ${work[0]} to ${work[1]} ms`]
      : []),
  ]
}
