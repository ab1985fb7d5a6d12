import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { SERVICE_USER } from './disruptions/disruption.ts'
import { untilCopiesEqual } from './support/compare-copies.ts'
import { Load } from './support/load.ts'
import {
  createTortureFixture,
  makeAccount,
  NETWORK_DATABASE,
  type TortureFixture,
} from './support/torture-fixture.ts'
import { Writers } from './support/writers.ts'
import { type Trial, Unavailable } from './trial.ts'
import {
  type BuiltVersion,
  buildVersion,
  findLastTag,
  presentVersion,
  runCommand,
} from './upgrade/built-version.ts'
import { type Instance, Instances } from './upgrade/instances.ts'

/** Upgrades, each with the way back. */
const ROUNDS = { short: 1, full: 5 }
/** Load before and after a process is replaced, in milliseconds. */
const PHASE_MS = { short: 500, full: 2000 }
/** Pause of a writer after each write, so that executors have time to publish pages. In milliseconds. */
const REST_MS = 10
/** Frames that embed the hub of the first writer. */
const PARTS = 10
const INCOMPATIBLE = '-incompatible.sql'

export const upgrade: Trial = {
  name: 'upgrade',
  tries:
    'two APIs, executors and fronts are replaced one by one, from the last tagged version (or --from) to this one and back, under load: each request is answered, no write is lost, and every static copy is true after each step',
  async run({ short, folder, seed, from, progress }) {
    const former = await buildVersion(from ?? (await findLastTag()), join(folder, 'former'))
    const present = await presentVersion()
    const added = present.migrations.filter((name) => !former.migrations.includes(name))
    const incompatible = added.filter((name) => name.endsWith(INCOMPATIBLE))
    if (incompatible.length > 0)
      throw new Unavailable(`${former.name} cannot run after ${incompatible.join(', ')}.`)
    const made = await createTortureFixture(folder, { durable: false })
    const account = await makeAccount(made, SERVICE_USER)
    const fixture = await installVersion(made, former, account)
    const { staticDir } = fixture
    const instances = await Instances.start(former, { databaseUrl: account, staticDir })
    const faults: string[] = []
    const answers: string[] = []
    let steps = 0
    let longest = 0
    try {
      const { service } = instances
      const writers = await Writers.prepare(fixture, [service.apiUrl], { seed, parts: PARTS })
      const load = await Load.prepare(fixture, [service], writers)
      const lasts = short ? PHASE_MS.short : PHASE_MS.full
      const step = async (instance: Instance, version: BuiltVersion) => {
        steps += 1
        const running = load.run({ sparesReads: true, rest: REST_MS })
        await sleep(lasts)
        const replaced = await instances.replace(instance, version)
        await sleep(lasts)
        load.stop()
        await running
        const { figures, faults: found } = await load.findings()
        const { ms, faults: stale } = await untilCopiesEqual(fixture, performance.now())
        longest = Math.max(longest, ms)
        answers.push(figures)
        const at = `${instance.name} to ${version.name}`
        faults.push(...[...replaced, ...found, ...stale].map((fault) => `${at}: ${fault}`))
        progress(`${at}: ${figures}`)
      }
      await runCommand(present, ['migrate'], account)
      for (let round = 0; round < (short ? ROUNDS.short : ROUNDS.full); round += 1) {
        for (const instance of instances.all) await step(instance, present)
        for (const instance of [...instances.all].reverse()) await step(instance, former)
      }
      return {
        figures: {
          'the former version': former.name,
          'migrations that it does not know': added.join(', ') || 'none',
          'processes replaced': steps,
          'longest time until all pages were true': `${longest} ms`,
          'errors in the logs': [
            instances.errorLines.length,
            ...instances.errorLines.slice(0, 3),
          ].join(' '),
          'answers in the last step': answers.at(-1) ?? '',
        },
        faults,
      }
    } finally {
      await instances.close()
      await fixture.close()
    }
  },
}

/** Gives the network the tables of another version, and a token that it has issued. */
async function installVersion(
  fixture: TortureFixture,
  version: BuiltVersion,
  account: string,
): Promise<TortureFixture> {
  const { sql } = fixture.db
  const tables: { name: string }[] = await sql('information_schema.tables')
    .where({ table_schema: NETWORK_DATABASE })
    .where('table_name', 'like', 'wp\\_svc\\_%')
    .select({ name: 'table_name' })
  for (const { name } of tables) await sql.raw('DROP TABLE ??', [name])
  // The marker file names the network, whose identity is in a table.
  await rm(fixture.staticDir, { recursive: true, force: true })
  await runCommand(version, ['migrate'], account)
  const { login } = await sql('wp_users').where({ ID: 1 }).first({ login: 'user_login' })
  const token = await runCommand(version, ['token', 'issue', '--user', login], account)
  return { ...fixture, token }
}
