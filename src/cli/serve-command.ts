import { Argument, Command, InvalidArgumentError, Option } from 'commander'
import { reportListening, waitForStopMessage, workerProcessId } from '../cluster/worker-process.ts'
import { EnvironmentSchema } from '../config/config.ts'
import { logConsole } from '../log.ts'
import { limitStop } from '../stop-limit.ts'
import type { CliContext, CliServices, Roles } from './cli-context.ts'
import { examples } from './examples.ts'
import { waitForStopSignal } from './signals.ts'
import { assertMigrated, withServices } from './with-services.ts'

const ROLES = new Map<string, Roles>([
  ['api', { api: true, front: false }],
  ['front', { api: false, front: true }],
  ['executor', { api: false, front: false, executor: true }],
])
/** Without a role: API and front, with the executor in the same process. */
const DEFAULT_ROLES: Roles = { api: true, front: true }

/** `serve [role]`: runs the service until a stop signal. With several workers it runs itself again in each worker process. */
export function serveCommand(context: CliContext): Command {
  return new Command('serve')
    .addArgument(new Argument('[role]', 'API and front if omitted').choices([...ROLES.keys()]))
    .addOption(
      new Option(
        '--workers <number>',
        'processes that share the ports, instead of WORKERS',
      ).argParser(parseWorkers),
    )
    .addHelpText('after', examples('wp-frames serve', 'wp-frames serve api --workers 4'))
    .action(async (role: string | undefined, options: { readonly workers?: number }) => {
      const roles = ROLES.get(role ?? '') ?? DEFAULT_ROLES
      const readConfig = async () => ({ ...(await context.readConfig()), ...options })
      const serve = async (services: CliServices): Promise<void> => {
        logConsole(services.log)
        await services.db.ping()
        await assertMigrated(services)
        const stopped = Promise.race([
          waitForStopMessage(),
          waitForStopSignal(() =>
            services.log.info('SIGHUP is ignored: configuration is read at startup only'),
          ),
        ])
        const servers = await services.listen(roles)
        const { apiUrl, frontUrl, executorUrl, metricsUrl: metrics } = servers
        const addresses = { api: apiUrl, front: frontUrl, executor: executorUrl, metrics }
        if (workerProcessId() !== undefined) {
          reportListening({ apiUrl, frontUrl, executorUrl })
          services.log.info('worker process is ready')
        } else {
          for (const sentence of services.config.suspectVariables) services.log.warn(sentence)
          if (services.config.objectCacheUrl === undefined) {
            services.log.info(
              'OBJECT_CACHE_URL is not set. If WordPress uses a persistent object cache, set it, or WordPress will keep serving stale data',
            )
          }
          const { workers } = services.config
          services.log.info({ ...addresses, ...(workers > 1 ? { workers } : {}) }, 'listening')
        }
        await stopped
        const { drainSeconds } = services.config
        const { stopLimitMs } = context.timings.process
        limitStop(drainSeconds * 1000 + stopLimitMs, () => services.ending() ?? 'requests')
        await servers.close()
      }
      await withServices({ ...context, readConfig }, serve, { isServer: true })
    })
}

/** @throws InvalidArgumentError */
function parseWorkers(text: string): number {
  const parsed = EnvironmentSchema.shape.WORKERS.safeParse(text)
  if (parsed.success) return parsed.data
  throw new InvalidArgumentError(`It ${parsed.error.issues[0]?.message}.`)
}
