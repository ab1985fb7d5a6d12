import { readdir, readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { SERVICE_USER } from './injuries/injury.ts'
import { Load } from './support/load.ts'
import { type Service, startService } from './support/service.ts'
import { makeAccount, setStage } from './support/stage.ts'
import { spread } from './support/tally.ts'
import { tornState } from './support/torn-state.ts'
import { Writers } from './support/writers.ts'
import type { Trial } from './trial.ts'

/** How often the process is measured over a soak, the warming up counted. */
const MEASUREMENTS = 40
/** What may come on top between the second fifth and the last: caches that fill, a heap that is not yet swept, a busier machine. */
const MAX_GROWTH = { megabytes: 40, share: 1.25, descriptors: 5, latency: 3, work: 2.5 }
/** How long a writer rests after each write, in milliseconds: with time to spare, answers come late for no other reason than their work. */
const REST_MS = 250
/** Of Linux's clock of processor times (USER_HZ). */
const TICK_MS = 10
/** A shorter soak is all warming up, and shows only that nothing fails. */
const TELLING_MS = 120_000

type Measurement = {
  readonly megabytes: number
  readonly descriptors: number
  /** Time that the process has had a processor since it began, in milliseconds. */
  readonly worked: number
  /** How long answers took since the measurement before, in milliseconds. */
  readonly waits: readonly number[]
}

/** One process, API and front, under writes, reads and visits for a long time; other trials may run beside it. */
export const soak: Trial = {
  name: 'soak',
  tries:
    'writes, reads and visits for a long time: memory, descriptors, latency and the work of a request stay as they are',
  async run({ folder, seed, soakMs, progress }) {
    const stage = await setStage(folder, { durable: false })
    const databaseUrl = await makeAccount(stage, SERVICE_USER)
    const { staticDir } = stage
    const service = await startService({ databaseUrl, staticDir })
    try {
      const writers = await Writers.prepare(stage, [service.apiUrl], { seed, parts: 10 })
      const load = await Load.prepare(stage, [service], writers)
      const running = load.run({ sparesReads: true, rest: REST_MS })
      const measured: Measurement[] = []
      for (let turn = 1; turn <= MEASUREMENTS; turn += 1) {
        await sleep(soakMs / MEASUREMENTS)
        measured.push({ ...(await measure(service)), waits: load.takeWaits() })
        if (turn % 10 === 0)
          progress(`${turn / 10} of ${MEASUREMENTS / 10}, ${told(measured.slice(-10))}`)
      }
      load.stop()
      await running
      // Those of the last moment alone would stand for all: the parts have told of each other one.
      load.takeWaits()
      const { figures, faults } = await load.findings()
      const early = measured.slice(MEASUREMENTS / 5, (MEASUREMENTS * 2) / 5)
      const late = measured.slice((MEASUREMENTS * 4) / 5)
      return {
        figures: {
          seconds: soakMs / 1000,
          requests: figures,
          'in the second fifth': told(early),
          'in the last fifth': told(late),
        },
        faults: [
          ...faults,
          ...(soakMs < TELLING_MS ? [] : growth(early, late)),
          ...service.complaints,
          ...(await tornState(stage)),
        ],
      }
    } finally {
      await service.kill()
      await stage.close()
    }
  },
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

const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

const waitsOf = (measured: readonly Measurement[]): number[] =>
  measured.flatMap(({ waits }) => waits)

/** Milliseconds of a processor for each answer, the visits beside it included. */
function workOf(measured: readonly Measurement[]): number {
  const [first, ...rest] = measured
  return ((rest.at(-1)?.worked ?? 0) - (first?.worked ?? 0)) / waitsOf(rest).length
}

function told(measured: readonly Measurement[]): string {
  const megabytes = most(measured.map((one) => one.megabytes))
  const descriptors = most(measured.map((one) => one.descriptors))
  const work = `${workOf(measured).toFixed(1)} ms of work each`
  return `${megabytes} MB and ${descriptors} descriptors at most, ${spread(waitsOf(measured))}, ${work}`
}

/** A sentence for each that has grown. */
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
