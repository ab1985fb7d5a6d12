import { Command } from 'commander'
import type { CliContext } from '../context.ts'
import { untilStopped } from '../until-stopped.ts'
import { demoDatabase } from './demo-database.ts'
import { prepareDemo } from './prepare-demo.ts'
import { welcome } from './welcome.ts'

/** `demo`: the whole service on a network to try it on; what `npm start` runs. */
export function demoCommand(context: CliContext): Command {
  return new Command('demo')
    .description('run the service on a demo network in a private database')
    .action(async () => {
      const stopped = untilStopped()
      const config = context.readConfig()
      const database = await demoDatabase(config)
      try {
        const services = context.openServices({ ...config, databaseUrl: database.url })
        try {
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
    })
}
