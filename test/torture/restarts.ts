import { setTimeout as sleep } from 'node:timers/promises'
import { fixSite } from '../../src/network/doctor/fix.ts'
import { countWork, untilCopiesEqual } from './support/compare-copies.ts'
import { Deployment, type Layout } from './support/deployment.ts'
import { PublishedSite } from './support/published-site.ts'
import { Random } from './support/random.ts'
import { spread, Tally } from './support/tally.ts'
import { createTortureFixture, type TortureFixture } from './support/torture-fixture.ts'
import type { Conditions, Findings, Trial } from './trial.ts'

/** Kills of each trial. */
const KILLS = { short: 6, full: 150 }
/** Number of pages that embed one frame: a kill at a random moment is mostly in the middle of their publication. */
const PAGES = 54
/** One kill of so many is that of the database. */
const DATABASE_SHARE = 6
const DATABASE = 'the database'
/** A process is killed after at most this many answers and milliseconds. */
const LIFE = { answers: 10, ms: 150 }
/** A trial ends after so many kills with faults: each of them takes a quarter of a minute. */
const MAX_FAULTY_KILLS = 10
/** An executor that wrote fewer bytes has not published all pages a single time. Objects are compressed. */
const MIN_BYTES = { folder: 500_000, s3: 25_000 }

export const restarts: Trial = {
  name: 'restarts',
  targets: ['folder', 's3'],
  tries: `kill -9 of the service or the database at random moments of writes to ${PAGES} pages: without a request every static copy is true again within 5 s`,
  run: (conditions) => killRandomly('one process', conditions),
}

export const executors: Trial = {
  name: 'executors',
  targets: ['folder', 's3'],
  tries:
    'the same with an API and two executors that share the folder of static copies: any of them is killed, or the database',
  run: (conditions) => killRandomly('apart', conditions),
}

async function killRandomly(
  layout: Layout,
  { short, folder, seed, progress, target }: Conditions,
): Promise<Findings> {
  const kills = short ? KILLS.short : KILLS.full
  const fixture = await createTortureFixture(folder, { durable: true, target })
  const random = new Random(seed)
  const tally = new Tally()
  const faults: string[] = []
  const times = new Map<string, number[]>()
  let inTheMiddle = 0
  let faulty = 0
  const deployment = await Deployment.start(fixture, layout)
  try {
    const { apiUrl } = deployment
    const site = await PublishedSite.prepare(fixture, apiUrl, { seed, pages: PAGES })
    const { writers } = site
    const victims = [...deployment.names, DATABASE]
    for (let round = 0; round < kills && faulty < MAX_FAULTY_KILLS; round += 1) {
      const victim = isOfDatabase(round) ? DATABASE : random.pick(deployment.names)
      let isOver = false
      const replace = async (): Promise<number> => {
        await sleep(random.below(LIFE.ms))
        const killed = victim === DATABASE ? fixture.server.kill() : deployment.kill(victim)
        isOver = true
        await killed
        if (victim !== DATABASE && (await countWork(fixture)) > 0) inTheMiddle += 1
        await (victim === DATABASE ? fixture.server.start() : deployment.restart(victim))
        return performance.now()
      }
      let answers = random.below(LIFE.answers)
      let replaced = answers === 0 ? replace() : undefined
      await writers.writeUntil(({ kind, answer }) => {
        const found = tally.count(kind, answer)
        const isRefusal = answer.status === undefined || answer.status >= 500
        if (!isOver || !isRefusal) faults.push(...found)
        answers -= 1
        if (answers <= 0) replaced ??= replace()
        return !isOver && !isRefusal
      })
      const listening = await (replaced ?? replace())
      writers.callAt([deployment.apiUrl])
      const recovery = await untilCopiesEqual(fixture, listening)
      times.set(victim, [...(times.get(victim) ?? []), recovery.ms])
      const found = [...recovery.faults, ...(await writers.settle())]
      faults.push(...found.map((fault) => `after kill ${round + 1} (${victim}): ${fault}`))
      if (found.length > 0) {
        faulty += 1
        // So that the next kills do not report the same faults.
        await fixSite(fixture.doctor, fixture.site)
      }
      if ((round + 1) % 25 === 0) progress(`${round + 1} kills, ${faults.length} faults`)
    }
    if (layout === 'apart') faults.push(...(await publishWithoutFirst(fixture, deployment, site)))
    const shares = await sharesOf(deployment)
    for (const [name, bytes] of shares)
      if (bytes < MIN_BYTES[target])
        faults.push(`${name} published nothing: it wrote ${bytes} bytes`)
    return {
      figures: {
        ...Object.fromEntries(
          [...shares].map(([name, bytes]) => [`bytes written by ${name}`, bytes]),
        ),
        ...Object.fromEntries(
          victims.map((victim) => [
            `kills of ${victim}, time until all pages were true`,
            `${times.get(victim)?.length ?? 0}, ${spread(times.get(victim) ?? [])}`,
          ]),
        ),
        'kills of processes that left work': inTheMiddle,
        'time until all pages were true': spread([...times.values()].flat()),
        ...tally.figures(),
      },
      faults,
    }
  } finally {
    await deployment.close()
    await fixture.close()
  }
}

/** While the executor that the API calls is away, the other one builds what is stored. A sentence for each fault. */
async function publishWithoutFirst(
  fixture: TortureFixture,
  deployment: Deployment,
  site: PublishedSite,
): Promise<string[]> {
  const [first = ''] = deployment.names
  await deployment.kill(first)
  const status = await site.replaceHub('w0-alone', 20)
  const { faults } = await untilCopiesEqual(fixture, performance.now())
  await deployment.restart(first)
  const refused = status === 502 ? [] : [`a write was answered ${status}, expected 502`]
  return [...refused, ...faults].map((fault) => `while ${first} was away: ${fault}`)
}

/** The bytes of static copies that each executor wrote. */
async function sharesOf(deployment: Deployment): Promise<Map<string, number>> {
  const names = deployment.names.filter((name) => name.startsWith('executor'))
  const written = await Promise.all(names.map((name) => deployment.writtenBy(name)))
  return new Map(names.map((name, at) => [name, written[at] ?? 0]))
}

const isOfDatabase = (round: number): boolean => round % DATABASE_SHARE === DATABASE_SHARE - 1
