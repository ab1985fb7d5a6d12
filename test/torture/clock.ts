import { setTimeout as sleep } from 'node:timers/promises'
import { untilCopiesEqual } from './support/compare-copies.ts'
import { Deployment } from './support/deployment.ts'
import { FakeClock } from './support/fake-clock.ts'
import { PublishedSite } from './support/published-site.ts'
import { Tally } from './support/tally.ts'
import { createTortureFixture, type TortureFixture } from './support/torture-fixture.ts'
import type { Trial } from './trial.ts'

const LASTS_MS = { short: 2_000, full: 60_000 }
const HOUR = 3600
const PAGES = 54

/** A change of the clock under writes, in seconds after the system's clock. */
type Step = {
  readonly name: string
  readonly to: number
  /** Whether the service is killed before and restarted after it, so that its lease ends according to the former clock. */
  readonly kills: boolean
}

/** In this order: the clock starts with the system's time. */
const STEPS: readonly Step[] = [
  { name: 'the clock is set back by an hour', to: -HOUR, kills: false },
  { name: 'the clock is set forward by an hour', to: 0, kills: false },
  { name: 'the service is killed, and the clock is set back by an hour', to: -HOUR, kills: true },
  { name: 'the service is killed, and the clock is set forward by an hour', to: 0, kills: true },
]

/** The service and the database share the clock. */
export const clock: Trial = {
  name: 'clock',
  tries:
    'the clock of the service and the database is set back by an hour, and forward again, under writes: every static copy is true within 5 s, without a request',
  async run({ folder, short, seed, progress }) {
    const time = await FakeClock.make(folder)
    const fixture = await createTortureFixture(folder, { durable: false, env: time.env })
    const tally = new Tally()
    const faults: string[] = []
    const figures: Record<string, string> = {}
    const deployment = await Deployment.start(fixture, 'one process', time.env)
    try {
      const { apiUrl } = deployment
      const { writers } = await PublishedSite.prepare(fixture, apiUrl, { seed, pages: PAGES })
      for (const { name, to, kills } of STEPS) {
        progress(name)
        writers.callAt([deployment.apiUrl])
        let isOver = false
        const writing = writers.writeUntil(({ kind, answer }) => {
          const found = tally.count(kind, answer)
          if (!isOver) faults.push(...found.map((fault) => `${name}: ${fault}`))
          return !isOver && answer.status !== undefined
        })
        await sleep(LASTS_MS.short)
        const [victim = ''] = kills ? deployment.names : []
        if (kills) {
          isOver = true
          await deployment.kill(victim)
        }
        time.set(to)
        const found = await offsetFaults(fixture, to)
        if (kills) await deployment.restart(victim)
        else await sleep(short ? LASTS_MS.short : LASTS_MS.full)
        isOver = true
        await writing
        const recovery = await untilCopiesEqual(fixture, performance.now())
        found.push(...recovery.faults, ...(await writers.settle()))
        faults.push(...found.map((fault) => `${name}: ${fault}`))
        figures[`${name}, time until all pages were true`] = `${recovery.ms} ms`
      }
      return { figures: { ...figures, ...tally.figures() }, faults }
    } finally {
      await deployment.close()
      await fixture.close()
    }
  },
}

/** Asserts that the database has the changed time. */
async function offsetFaults({ db }: TortureFixture, seconds: number): Promise<string[]> {
  const [[row]] = await db.sql.raw('SELECT UNIX_TIMESTAMP(NOW(6)) now')
  const offset = Number(row.now) - Date.now() / 1000
  if (Math.abs(offset - seconds) < 60) return []
  return [`the clock of the database is ${offset} s after the system's, expected ${seconds} s`]
}
