import { setTimeout as sleep } from 'node:timers/promises'
import { Load } from '../support/load.ts'
import { type Service, startService } from '../support/service.ts'
import { makeAccount, type Stage } from '../support/stage.ts'
import { tornState } from '../support/torn-state.ts'
import { Writers } from '../support/writers.ts'
import type { Conditions, Findings } from '../trial.ts'
import { type Injury, SERVICE_USER } from './injury.ts'

const PROCESSES = 2
/** Connections of a process at most (DB_POOL_SIZE). */
const POOL_SIZE = 10
/** How soon the service must be itself again, in milliseconds. */
const RECOVERY_MS = 10_000
/** How long all is well before and afterwards. */
const CALM_MS = 500

/** Does one injury after the other to the database of the same processes, and closes the stage. */
export async function standInjuries(
  stage: Stage,
  injuries: readonly Injury[],
  { short, seed, progress }: Conditions,
): Promise<Findings> {
  const databaseUrl = await makeAccount(stage, SERVICE_USER)
  const services: Service[] = []
  const figures: Record<string, string> = {}
  const faults: string[] = []
  try {
    for (let index = 0; index < PROCESSES; index += 1)
      services.push(await startService({ databaseUrl, staticDir: stage.staticDir }))
    const urls = services.map(({ apiUrl }) => apiUrl)
    const writers = await Writers.prepare(stage, urls, { seed, parts: 10 })
    const load = await Load.prepare(stage, services, writers)
    for (const injury of injuries) {
      progress(injury.name)
      const found = await hurt(stage, load, injury, short ? 1_500 : 4_000)
      figures[injury.name] = found.figures
      faults.push(...found.faults.map((fault) => `${injury.name}: ${fault}`))
    }
    for (const { stop } of services)
      if ((await stop()) !== 0) faults.push('a process did not end as it was told to')
    return { figures, faults }
  } finally {
    for (const service of services) await service.kill()
    await stage.close()
  }
}

/** Does one injury under load, and tells what came of it once all are served again. */
export async function hurt(
  stage: Stage,
  load: Load,
  injury: Injury,
  lasts: number,
): Promise<{ figures: string; faults: string[] }> {
  const running = load.run({ sparesReads: injury.spares === 'reads' })
  try {
    await sleep(CALM_MS)
    load.hurt()
    const heal = await injury.inflict(stage)
    await sleep(Math.max(lasts, injury.lasts ?? 0))
    const dealt = await heal()
    const recovery = await load.recover(RECOVERY_MS)
    await sleep(CALM_MS)
    load.stop()
    await running
    const { figures, faults } = await load.findings()
    return {
      figures: `${dealt === undefined ? '' : `${dealt}; `}${figures}; all served again after ${recovery} ms`,
      faults: [...faults, ...(await leaksOf(stage)), ...(await tornState(stage))],
    }
  } finally {
    load.stop()
  }
}

/** Connections and locks that nobody gives back. */
async function leaksOf({ db }: Stage): Promise<string[]> {
  const ask = async (sql: string): Promise<number> => Number((await db.sql.raw(sql))[0][0].n)
  const connections = await ask(
    `SELECT COUNT(*) n FROM information_schema.processlist WHERE user = '${SERVICE_USER}'`,
  )
  const busy = await ask(
    `SELECT COUNT(*) n FROM information_schema.processlist WHERE user = '${SERVICE_USER}' AND command <> 'Sleep'`,
  )
  const transactions = await ask('SELECT COUNT(*) n FROM information_schema.innodb_trx')
  return [
    ...(connections > PROCESSES * POOL_SIZE ? [`${connections} connections are open`] : []),
    ...(busy > 0 ? [`${busy} connections are at work though nobody asks for anything`] : []),
    ...(transactions > 0 ? [`${transactions} transactions are open`] : []),
  ]
}
