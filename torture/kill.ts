import { setTimeout as sleep } from 'node:timers/promises'
import { Random } from './support/random.ts'
import { type Service, startService } from './support/service.ts'
import { makeAccount, type Stage, setStage } from './support/stage.ts'
import { examineCopies } from './support/static-copies.ts'
import { Tally } from './support/tally.ts'
import { incurable, tornState } from './support/torn-state.ts'
import { Writers } from './support/writers.ts'
import type { Trial } from './trial.ts'

const KILLS = { short: 5, full: 300 }
/** Frames that a rename of the hub rewrites. */
const PARTS = 50
/** How many processes are starting, to take over in turn, while one is under load. */
const AHEAD = 2
/** A process is killed after fewer answers than this, and so many milliseconds at most. */
const LIFE = { answers: 10, ms: 80 }

/** Processes take turns: while one is under load the next ones start, each to take over the database that the killed one leaves. */
export const kill: Trial = {
  name: 'kill',
  tries: `kill -9 at random moments while four writers create, replace, rename in ${PARTS} frames, delete, assign, fill menus`,
  async run({ short, folder, seed, progress }) {
    const kills = short ? KILLS.short : KILLS.full
    const stage = await setStage(folder, { durable: false })
    const { staticDir } = stage
    const users = Array.from({ length: AHEAD + 1 }, (_, turn) => `turn${turn}`)
    const addresses = await Promise.all(users.map((user) => makeAccount(stage, user)))
    const start = (turn: number): Promise<Service> =>
      startService({ databaseUrl: addresses[turn % users.length] ?? '', staticDir })
    const random = new Random(seed)
    const tally = new Tally()
    const faults: string[] = []
    let running = await start(0)
    const starting: Promise<Service>[] = []
    try {
      for (let turn = 1; turn < AHEAD; turn += 1) starting.push(start(turn))
      const writers = await Writers.prepare(stage, [running.apiUrl], { seed, parts: PARTS })
      for (let turn = 0; turn < kills; turn += 1) {
        if (turn + AHEAD <= kills) starting.push(start(turn + AHEAD))
        const victim = running
        let answers = random.below(LIFE.answers)
        const end = async () => {
          await sleep(random.below(LIFE.ms))
          await victim.kill()
        }
        let ended = answers === 0 ? end() : undefined
        await writers.writeUntil(({ kind, answer }) => {
          faults.push(...tally.count(kind, answer))
          answers -= 1
          if (answers <= 0) ended ??= end()
          return answer.status !== undefined
        })
        await ended
        await untilGone(stage, users[turn % users.length] ?? '')
        const told = (sentence: string) => `after kill ${turn + 1}: ${sentence}`
        const copies = await examineCopies(staticDir)
        const torn = await tornState(stage)
        faults.push(...[...(await writers.settle()), ...torn, ...copies.faults].map(told))
        running = (await starting.shift()) ?? running
        writers.callAt([running.apiUrl])
        if ((turn + 1) % 25 === 0) progress(`${turn + 1} kills, ${faults.length} faults`)
      }
      const { unfinished } = await examineCopies(staticDir)
      faults.push(...(await incurable(stage)), ...(await untrueCopies(stage, writers)))
      return {
        figures: {
          kills,
          ...tally.figures(),
          'static files left unfinished, which nobody reads and the doctor removes in time':
            unfinished,
        },
        faults,
      }
    } finally {
      for (const service of [running, ...(await Promise.all(starting))]) await service.kill()
      await stage.close()
    }
  },
}

/** A statement that was sent is carried out though its sender is dead: its connections must have ended too. */
async function untilGone({ db }: Stage, user: string): Promise<void> {
  for (;;) {
    const [rows] = await db.sql.raw('SELECT 1 FROM information_schema.processlist WHERE user = ?', [
      user,
    ])
    if (rows.length === 0) return
    await sleep(5)
  }
}

/** A static copy that is there when the doctor has mended the site shows what was acknowledged; a sentence for each that does not. */
async function untrueCopies({ staticDir }: Stage, { all }: Writers): Promise<string[]> {
  const { pages } = await examineCopies(staticDir)
  return all
    .filter(({ page, frame }) => pages.has(page) && pages.get(page) !== frame?.html)
    .map(
      ({ page, frame }) =>
        `the copy of page ${page} shows ${markOf(pages.get(page))}, not ${markOf(frame?.html)} of ${frame?.slug}`,
    )
}

const markOf = (html = ''): string | undefined =>
  /data-mark="[^"]*" data-lines="\d+"/.exec(html)?.[0]
