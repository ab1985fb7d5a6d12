import { Argument, type Command } from 'commander'
import { logConsole } from '../host/log.ts'
import { limitStop } from '../host/stop-limit.ts'
import { CliCommand } from './cli-command.ts'
import type { CliContext, CliServices, Roles } from './cli-context.ts'
import { greeting } from './greeting.ts'
import { waitForStopSignal } from './signals.ts'
import { warn } from './terminal.ts'
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
  return new CliCommand('serve')
    .addArgument(new Argument('[role]', 'API and front if omitted').choices([...ROLES.keys()]))
    .examples('wp-frames serve', 'wp-frames serve api')
    .action(async (role: string | undefined) => {
      // Log lines are for programs that read them.
      const isTried = process.stdout.isTTY === true
      const roles = ROLES.get(role ?? '') ?? DEFAULT_ROLES
      const serve = async (services: CliServices): Promise<void> => {
        logConsole(services.log)
        await services.db.ping()
        await assertMigrated(services)
        const stopped = waitForStopSignal(() =>
          services.log.info('SIGHUP is ignored: configuration is read at startup only'),
        )
        const servers = await services.listen(roles)
        const { apiUrl, frontUrl, executorUrl, metricsUrl: metrics } = servers
        const addresses = { api: apiUrl, front: frontUrl, executor: executorUrl, metrics }
        const { suspectVariables } = services.config
        if (isTried) {
          warn(suspectVariables)
          greet(addresses)
        } else {
          for (const sentence of suspectVariables) services.log.warn(sentence)
          if (services.config.objectCacheUrl === undefined) {
            services.log.info(
              'OBJECT_CACHE_URL is not set. If WordPress uses a persistent object cache, set it, or WordPress will keep serving stale data',
            )
          }
          services.log.info(addresses, 'listening')
        }
        await stopped
        if (isTried) process.stdout.write('\nStopping, after the requests that are running.\n')
        const { drainSeconds } = services.config
        const { stopLimitMs } = context.timings.process
        limitStop(drainSeconds * 1000 + stopLimitMs, () => services.ending() ?? 'requests')
        await servers.close()
      }
      await withServices(context, serve, { isServer: true, isTried, tables: false })
      if (isTried)
        process.stdout.write(
          'Stopped. What was still to be built is recorded, and built at the next start.\n',
        )
    })
}

/** On a terminal, in place of log lines. */
function greet({
  api,
  front,
}: {
  readonly api?: string | undefined
  readonly front?: string | undefined
}): void {
  const text = greeting({
    console: api && `${api}/console/`,
    front: front && `${front}/`,
    next: 'issue a token for the console, with "wp-frames token issue --user <login> --label console"',
  })
  process.stdout.write(`${text}\nCtrl-C stops the service.\n`)
}
