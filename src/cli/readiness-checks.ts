import type { Redis } from 'ioredis'
import type { CopyStore } from '../build/publishing/copy-store.ts'
import { checkWorkTables } from '../content/work/check-tables.ts'
import { readExposed, readUnwritable } from '../content/work/work-status.ts'
import type { Database } from '../db/database.ts'
import { isDatabaseUnavailable } from '../db/database-error.ts'
import { describeIncompatible, findNewerMigrations } from '../db/migrate.ts'
import type { Config } from '../host/config/config.ts'
import type { ReadinessCheck } from '../host/health.ts'
import type { GlobalTables } from '../wordpress/network/site.ts'
import type { Roles } from './cli-context.ts'

export type ReadinessServices = {
  readonly db: Database
  readonly globals: GlobalTables
  /** Undefined if static copies are turned off. */
  readonly copies: CopyStore | undefined
  /** Undefined without counters that processes share. */
  readonly redis: Redis | undefined
}

/** The readiness checks of these roles. Only a process that builds pages writes static copies. Requests need no counters (`RateLimits`). */
export function readinessChecks(
  config: Config,
  roles: Roles,
  { db, globals, copies, redis }: ReadinessServices,
): Record<string, ReadinessCheck> {
  return {
    database: { test: () => db.ping(), required: true },
    migrations: {
      test: () => unlessUnavailable(findIncompatible(db, globals)),
      required: true,
      isPublic: true,
      isExceptional: true,
    },
    ...(buildsPages(config, roles) && copies
      ? {
          static: { test: () => copies.open().then(() => copies.test()), required: true },
          exposed_pages: {
            test: () => unlessUnavailable(readExposed(db, globals).then(({ error }) => error)),
            required: true,
            isPublic: true,
            isExceptional: true,
          },
          copies: {
            test: () => unlessUnavailable(readUnwritable(db, globals)),
            required: false,
            isPublic: true,
            isExceptional: true,
          },
        }
      : {}),
    ...(buildsPages(config, roles)
      ? {
          work: {
            test: () => unlessUnavailable(checkWorkTables(db, globals)),
            required: true,
            isExceptional: true,
          },
        }
      : {}),
    ...(redis ? { counters: { test: () => redis.ping(), required: false } } : {}),
  }
}

/** Migrations may be applied while the process runs. @returns why it must not go on, if it must not */
async function findIncompatible(db: Database, globals: GlobalTables): Promise<string | undefined> {
  const { incompatible } = await findNewerMigrations(db, globals.basePrefix)
  return incompatible.length > 0 ? describeIncompatible(incompatible) : undefined
}

/**
 * An unavailable database is a part of its own.
 * @throws what was thrown, and what was found
 */
export async function unlessUnavailable(finding: Promise<unknown>): Promise<void> {
  const reason = await finding.catch((error: unknown) => {
    if (!isDatabaseUnavailable(error)) throw error
  })
  if (typeof reason === 'string') throw new Error(reason)
}

/** Whether a process with these roles does the recorded work. */
export function buildsPages(
  { executorUrl }: Config,
  { api, front, executor = false }: Roles,
): boolean {
  return executor || ((api || front) && executorUrl === undefined)
}
