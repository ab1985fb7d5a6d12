import { createWriteStream, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { Command } from 'commander'
import type { CliContext } from '../src/cli/cli-context.ts'
import { runProgram } from '../src/cli/run-cli.ts'
import { waitForStopSignal } from '../src/cli/signals.ts'
import { createLog } from '../src/host/log.ts'
import { runProcess } from '../src/host/run-process.ts'
import { TIMINGS } from '../src/host/timings.ts'
import { openServices } from '../src/services.ts'
import { DATA_FOLDER } from './data-folder.ts'
import { asDemoError, readDemoConfig } from './demo-config.ts'
import { openDemoDatabase } from './demo-database.ts'
import { loadDemo, prepareDemo } from './prepare-demo.ts'
import { welcome } from './welcome.ts'

/** The lines of the last start: in the terminal, those of requests would push the welcome text out of sight. */
const LOG_FILE = `${DATA_FOLDER}/service.log`
/** What `npm run demo:welcome` prints. */
const WELCOME_FILE = `${DATA_FOLDER}/welcome.txt`

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
  const database = await openDemoDatabase(config)
  try {
    mkdirSync(DATA_FOLDER, { recursive: true })
    const services = await context.openServices(
      { ...config, databaseUrl: database.url },
      { timings: context.timings, log: createLog(config.logLevel, createWriteStream(LOG_FILE)) },
    )
    try {
      await loadDemo(services)
      const servers = await services.listen({ api: true, front: true })
      try {
        const demo = await prepareDemo(services, servers)
        const text = welcome(servers, demo, { ...database, log: LOG_FILE })
        // It contains a token.
        writeFileSync(WELCOME_FILE, text, { mode: 0o600 })
        process.stdout.write(text)
        await stopped
      } finally {
        rmSync(WELCOME_FILE, { force: true })
        await servers.close()
      }
    } finally {
      await services.close()
    }
  } finally {
    await database.stop()
  }
}
