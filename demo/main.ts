import { Command } from 'commander'
import type { CliContext } from '../src/cli/cli-context.ts'
import { runProgram } from '../src/cli/run-cli.ts'
import { waitForStopSignal } from '../src/cli/signals.ts'
import { readConfig } from '../src/config/config.ts'
import { runProcess } from '../src/run-process.ts'
import { openServices } from '../src/services.ts'
import { openDemoDatabase } from './demo-database.ts'
import { loadDemo, prepareDemo } from './prepare-demo.ts'
import { welcome } from './welcome.ts'

/** What `npm start` runs: the whole service on a demo network in a private database. */
const program = new Command('npm start')
  .description('run the service on a demo network in a private database')
  .action(() => runDemo({ readConfig, openServices }))

await runProcess(() => runProgram(program, process.argv))

/** Runs until the process is asked to stop. */
async function runDemo(context: CliContext): Promise<void> {
  const stopped = waitForStopSignal()
  const config = context.readConfig()
  const database = await openDemoDatabase(config)
  try {
    const services = context.openServices({ ...config, databaseUrl: database.url })
    try {
      await loadDemo(services)
      const servers = await services.listen({ api: true, front: true })
      try {
        const demo = await prepareDemo(services, servers.frontUrl)
        process.stdout.write(welcome(servers, demo, database))
        await stopped
      } finally {
        await servers.close()
      }
    } finally {
      await services.close()
    }
  } finally {
    await database.stop()
  }
}
