import type { Database } from '../../../db/database.ts'
import type { Config } from '../../../host/config/config.ts'
import type { Log } from '../../../host/log.ts'
import { issueToken } from '../../../record/auth/tokens.ts'
import { readNetworkOption } from '../../../wordpress/network/network-option.ts'
import type { GlobalTables } from '../../../wordpress/network/site.ts'
import { storedArray } from '../../../wordpress/stored-value.ts'
import { findUser, findUserByLogin, type User } from '../../../wordpress/users/users.ts'
import { type CliContext, CommandError } from '../../cli-context.ts'

/** wp-frames on the scratch database, in this process. */
export type ScratchService = {
  readonly url: string
  readonly token: string
  close(): Promise<void>
}

/** Starts the API on a free port of this machine, without static copies and without anything that other services see. */
export async function startScratchService(
  context: CliContext,
  config: Config,
  {
    url,
    db,
    globals,
    user,
    log,
  }: {
    readonly url: string
    readonly db: Database
    readonly globals: GlobalTables
    readonly user: User
    readonly log: Log
  },
): Promise<ScratchService> {
  const services = await context.openServices(
    {
      ...config,
      databaseUrl: url,
      feedDatabaseUrl: undefined,
      host: '127.0.0.1',
      port: 0,
      frontPort: 0,
      basePath: '',
      staticDir: undefined,
      staticStore: undefined,
      watchSeconds: 0,
      // More than the comparison sends, so that answers have the header of the contract.
      rateLimitPerMinute: 1_000_000,
      redisUrl: undefined,
      objectCacheUrl: undefined,
      pageCachePurge: [],
      cachePurge: [],
      executorUrl: undefined,
      legacyUrl: undefined,
      legacyFamilies: new Map(),
      legacyTokens: 'off',
      legacyTokenUser: undefined,
      corsOrigins: [],
      effectsBudgetMs: context.timings.compare.effectsMs,
      metricsPort: 0,
      drainSeconds: 0,
    },
    { isServer: true, log: log as never, timings: context.timings },
  )
  const listening = await services.listen({ api: true, front: false })
  const request = { userId: user.id, now: new Date(), label: 'wp-frames compare' }
  const { token } = await db.write({}, (tx) => issueToken(tx, globals, request))
  return {
    url: listening.apiUrl ?? '',
    token,
    close: async () => {
      await listening.close()
      await services.close()
    },
  }
}

/**
 * The user whose token the old endpoint was given: its writes have this author.
 * @param asked of `--user`
 * @param answered the id that the old endpoint names as the author of a frame
 * @throws CommandError
 */
export async function findWriter(
  db: Database,
  globals: GlobalTables,
  asked: string | undefined,
  answered: number,
): Promise<User> {
  if (asked !== undefined) {
    const named = await findUserByLogin(db, globals, asked)
    if (named) return named
    throw new CommandError(`There is no user with the login "${asked}".`)
  }
  const author = answered > 0 ? await findUser(db, globals, answered) : undefined
  if (author) return author
  const [network] = await db.sql(globals.site).select('id').orderBy('id').limit(1)
  const admins = await readNetworkOption(db, globals, Number(network?.id ?? 1), 'site_admins')
  const [login] = storedArray(admins).values()
  const admin = await findUserByLogin(db, globals, String(login ?? ''))
  if (admin) return admin
  throw new CommandError(
    'The network has no super administrator to write as. Name the user of the old token with --user.',
  )
}
