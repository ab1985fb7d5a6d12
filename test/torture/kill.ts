import { setTimeout as sleep } from 'node:timers/promises'
import { untilCopiesEqual } from './support/compare-copies.ts'
import { historyDifferences } from './support/history-differences.ts'
import { Random } from './support/random.ts'
import { type Service, startService } from './support/service.ts'
import { Tally } from './support/tally.ts'
import { remainingFindings, tornState } from './support/torn-state.ts'
import {
  createTortureFixture,
  makeAccount,
  type TortureFixture,
} from './support/torture-fixture.ts'
import { Writers } from './support/writers.ts'
import type { Trial } from './trial.ts'

const KILLS = { short: 5, full: 300 }
/** Number of frames that a rename of the hub rewrites. */
const PARTS = 50
/** Number of processes that start while another one is under load, each to replace the killed one. */
const AHEAD = 2
/** A process is killed after at most this many answers and milliseconds. */
const LIFE = { answers: 10, ms: 80 }

/** While one process is under load the next ones start. Each continues with the database of the killed process. */
export const kill: Trial = {
  name: 'kill',
  targets: ['folder', 's3'],
  tries: `kill -9 at random moments while four writers create, replace, rename in ${PARTS} frames, delete, assign, fill menus`,
  async run({ short, folder, seed, progress, target }) {
    const kills = short ? KILLS.short : KILLS.full
    const fixture = await createTortureFixture(folder, { durable: false, target })
    const users = Array.from({ length: AHEAD + 1 }, (_, round) => `process${round}`)
    const addresses = await Promise.all(users.map((user) => makeAccount(fixture, user)))
    const start = (round: number): Promise<Service> =>
      startService({
        databaseUrl: addresses[round % users.length] ?? '',
        env: fixture.copies.envOf('the service'),
      })
    const random = new Random(seed)
    const tally = new Tally()
    const faults: string[] = []
    // At once: the report comes when all trials have ended.
    const note = (found: readonly string[]): void => {
      for (const fault of found) progress(fault)
      faults.push(...found)
    }
    let running = await start(0)
    const starting: Promise<Service>[] = []
    try {
      for (let round = 1; round < AHEAD; round += 1) starting.push(start(round))
      const writers = await Writers.prepare(fixture, [running.apiUrl], { seed, parts: PARTS })
      for (let round = 0; round < kills; round += 1) {
        if (round + AHEAD <= kills) starting.push(start(round + AHEAD))
        const victim = running
        let answers = random.below(LIFE.answers)
        const end = async () => {
          await sleep(random.below(LIFE.ms))
          await victim.kill()
        }
        let ended = answers === 0 ? end() : undefined
        await writers.writeUntil(({ kind, answer }) => {
          note(tally.count(kind, answer))
          answers -= 1
          if (answers <= 0) ended ??= end()
          return answer.status !== undefined
        })
        await ended
        await untilGone(fixture, users[round % users.length] ?? '')
        const describe = (sentence: string) => `after kill ${round + 1}: ${sentence}`
        const torn = [
          ...(await tornState(fixture)),
          ...(await historyDifferences(fixture)),
          ...(await fixture.copies.findTorn()),
        ]
        const found = [...(await writers.settle()), ...torn]
        note(found.map(describe))
        if (found.length > 0) for (const line of victim.errorLines) progress(`it logged ${line}`)
        running = (await starting.shift()) ?? running
        writers.callAt([running.apiUrl])
        if ((round + 1) % 25 === 0) progress(`${round + 1} kills, ${faults.length} faults`)
      }
      faults.push(...(await untilCopiesEqual(fixture, performance.now())).faults)
      faults.push(...(await remainingFindings(fixture)))
      return { figures: { kills, ...tally.figures() }, faults }
    } finally {
      for (const service of [running, ...(await Promise.all(starting))]) await service.kill()
      await fixture.close()
    }
  },
}

/** Waits until the connections of the killed process have ended: the server still executes the statements that were sent. */
async function untilGone({ db }: TortureFixture, user: string): Promise<void> {
  for (;;) {
    const [rows] = await db.sql.raw('SELECT 1 FROM information_schema.processlist WHERE user = ?', [
      user,
    ])
    if (rows.length === 0) return
    await sleep(5)
  }
}
