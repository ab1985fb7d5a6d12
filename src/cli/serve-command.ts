import { Command } from 'commander'
import { assertMigrated } from './assert-migrated.ts'
import { type CliContext, CommandError } from './context.ts'
import { untilStopped } from './until-stopped.ts'
import { withServices } from './with-services.ts'

/** `serve [role]`: runs the service until it is told to stop. */
export function serveCommand(context: CliContext): Command {
  return new Command('serve')
    .description('run the API and the front, or one of them')
    .argument('[role]', 'api or front; both where it is left out')
    .action(async (role: string | undefined) => {
      if (role !== undefined && role !== 'api' && role !== 'front') {
        throw new CommandError(`There is no role "${role}". Roles are api and front.`)
      }
      await withServices(context, async (services) => {
        await assertMigrated(services)
        const servers = await services.listen({ api: role !== 'front', front: role !== 'api' })
        if (services.config.objectCacheUrl === undefined) {
          services.log.info(
            'OBJECT_CACHE_URL is not set: right for a WordPress without a persistent object cache; one that has one would not see what is written here',
          )
        }
        services.log.info({ api: servers.apiUrl, front: servers.frontUrl }, 'listening')
        await untilStopped()
        await servers.close()
      })
    })
}
