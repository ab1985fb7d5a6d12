import { Argument, Command } from 'commander'
import type { CliContext, Roles } from './cli-context.ts'
import { waitForStopSignal } from './signals.ts'
import { assertMigrated, withServices } from './with-services.ts'

const ROLES = new Map<string, Roles>([
  ['api', { api: true, front: false }],
  ['front', { api: false, front: true }],
  ['executor', { api: false, front: false, executor: true }],
])
/** Without a role: API and front, with the executor in the same process. */
const DEFAULT_ROLES: Roles = { api: true, front: true }

/** `serve [role]`: runs the service until a stop signal. */
export function serveCommand(context: CliContext): Command {
  return new Command('serve')
    .description('run the API and the front, or one part of the service')
    .addArgument(new Argument('[role]', 'API and front if omitted').choices([...ROLES.keys()]))
    .action(async (role: string | undefined) => {
      const roles = ROLES.get(role ?? '') ?? DEFAULT_ROLES
      await withServices(context, async (services) => {
        await assertMigrated(services)
        const stopped = waitForStopSignal(() =>
          services.log.info('SIGHUP is ignored: configuration is read at startup only'),
        )
        const servers = await services.listen(roles)
        if (services.config.objectCacheUrl === undefined) {
          services.log.info(
            'OBJECT_CACHE_URL is not set. If WordPress uses a persistent object cache, set it, or WordPress will keep serving stale data',
          )
        }
        const { apiUrl: api, frontUrl: front, executorUrl: executor, metricsUrl: metrics } = servers
        services.log.info({ api, front, executor, metrics }, 'listening')
        await stopped
        await servers.close()
      })
    })
}
