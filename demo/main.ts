import { createWriteStream, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { Command } from 'commander'
import type { CliContext } from '../src/cli/cli-context.ts'
import { runProgram } from '../src/cli/run-cli.ts'
import { waitForStopSignal } from '../src/cli/signals.ts'
import { DEMO_DATABASE_FILE } from '../src/host/config/secrets.ts'
import { createLog } from '../src/host/log.ts'
import { runProcess } from '../src/host/run-process.ts'
import { TIMINGS } from '../src/host/timings.ts'
import { openServices } from '../src/services.ts'
import { DATA_FOLDER, describeSize } from './data-folder.ts'
import { asDemoError, readDemoConfig } from './demo-config.ts'
import { openDemoDatabase } from './demo-database.ts'
import { loadDemo, prepareDemo } from './prepare-demo.ts'
import { details, welcome } from './welcome.ts'

/** The lines of the last start: in the terminal, those of requests would push the welcome text out of sight. */
const LOG_FILE = `${DATA_FOLDER}/service.log`
/** What `npm run demo:welcome` prints. */
const WELCOME_FILE = `${DATA_FOLDER}/welcome.txt`
const SECRET = { mode: 0o600 }

/** Says a step, after those of `before-start.sh`. */
const say = (step: string): void => void process.stderr.write(`${step}\n`)

/** What `npm start` runs: the whole service on a demo network in a private database. */
const program = new Command('npm start')
  .description('run the service on a demo network in a private database')
  .action(async () => {
    try {
      await runDemo({
        readConfig: () => readDemoConfig(process.env),
        openServices,
        timings: TIMINGS,
      })
    } catch (error) {
      throw asDemoError(error)
    }
  })

await runProcess(() => runProgram(program, process.argv), TIMINGS.process.logWaitMs)

/** Runs until the process is asked to stop. */
async function runDemo(context: CliContext): Promise<void> {
  const stopped = waitForStopSignal()
  const config = await context.readConfig()
  say('3/4 Database (5 seconds at the first start)')
  const database = await openDemoDatabase(config)
  try {
    mkdirSync(DATA_FOLDER, { recursive: true })
    const log = createLog(config.logLevel, createWriteStream(LOG_FILE))
    const services = await context.openServices(
      { ...config, databaseUrl: database.url },
      { timings: context.timings, log, isServer: true, isTried: true },
    )
    try {
      say('4/4 Demo network (10 seconds at the first start)')
      await loadDemo(services)
      const servers = await services.listen({ api: true, front: true })
      try {
        const demo = await prepareDemo(services, servers)
        // They contain a token and a password.
        writeFileSync(WELCOME_FILE, details(servers, demo, { ...database, log: LOG_FILE }), SECRET)
        writeFileSync(DEMO_DATABASE_FILE, database.url, SECRET)
        process.stdout.write(welcome(servers, demo))
        await stopped
      } finally {
        rmSync(WELCOME_FILE, { force: true })
        rmSync(DEMO_DATABASE_FILE, { force: true })
        await servers.close()
      }
    } finally {
      await services.close()
    }
  } finally {
    await database.stop()
  }
  process.stdout.write(
    `\nStopped. The demo network stays in ${DATA_FOLDER} (${await describeSize(DATA_FOLDER)}), and "npm start" continues with it. To begin again, delete this folder.\n`,
  )
}
