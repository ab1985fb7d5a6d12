import { Argument, Command } from 'commander'
import type { CliContext, Roles } from './cli-context.ts'
import { waitForStopSignal } from './signals.ts'
import { assertMigrated, withServices } from './with-services.ts'

const ROLES = new Map<string, Roles>([
  ['api', { api: true, front: false }],
  ['front', { api: false, front: true }],
  ['executor', { api: false, front: false, executor: true }],
])
/** The executor then works in the same process. */
const DEFAULT_ROLES: Roles = { api: true, front: true }

/** `serve [role]`: runs the service until it is told to stop. */
export function serveCommand(context: CliContext): Command {
  return new Command('serve')
    .description('run the API and the front, or one of the parts of the service')
    .addArgument(
      new Argument('[role]', 'API and front where it is left out').choices([...ROLES.keys()]),
    )
    .action(async (role: string | undefined) => {
      const roles = ROLES.get(role ?? '') ?? DEFAULT_ROLES
      await withServices(context, async (services) => {
        await assertMigrated(services)
        const stopped = waitForStopSignal(() =>
          services.log.info('SIGHUP is ignored: settings are read at the start only'),
        )
        const servers = await services.listen(roles)
        if (services.config.objectCacheUrl === undefined) {
          services.log.info(
            'OBJECT_CACHE_URL is not set: right for a WordPress without a persistent object cache; one that has one would not see what is written here',
          )
        }
        const { apiUrl: api, frontUrl: front, executorUrl: executor, metricsUrl: metrics } = servers
        services.log.info({ api, front, executor, metrics }, 'listening')
        await stopped
        await servers.close()
      })
    })
}
