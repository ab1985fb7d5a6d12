import { z } from 'zod'
import { OperatorError } from '../errors.ts'
import { type LegacyFamilies, parseFamilies } from '../legacy/families.ts'
import { parseUrl } from '../parse-url.ts'
import { findSimilar } from '../similar.ts'
import {
  CACHE_PURGE_VARIABLES,
  type CachePurgeSettings,
  cachePurgeSettings,
} from './cache-purge.ts'
import { findOldEndpointFault } from './old-endpoint.ts'
import { describeRetired } from './retired.ts'
import {
  asSecret,
  asSecretAddress,
  describeSetting,
  type Environment,
  fileVariable,
  readSecretFiles,
  secretsOf,
  withDemoDatabase,
} from './secrets.ts'
import { findTargetFault, STORE_VARIABLES, storeConfig } from './store-settings.ts'
import { isTrustProxy, trustProxy } from './trust-proxy.ts'
import {
  address,
  databaseAddress,
  hasCredentials,
  isHostOrRange,
  origins,
  serverAddress,
  wholeNumber,
  withoutDatabase,
} from './variable-types.ts'

export const BYTES_PER_MB = 1024 * 1024

/** Limit for the markup of all frames of a site, in bytes; undefined for none. */
export const maxSiteBytesOf = ({
  storedMbPerSite = 0,
}: {
  readonly storedMbPerSite?: number | undefined
}): number | undefined => (storedMbPerSite > 0 ? storedMbPerSite * BYTES_PER_MB : undefined)

type Interfaces = CachePurgeSettings & ReturnType<typeof storeConfig>

/** The settings of the service, validated and with defaults. */
export type Config = Interfaces & {
  readonly databaseUrl: string | undefined
  readonly databasePoolSize: number
  /** Whether transactions send several statements in a packet. */
  readonly isBatched: boolean
  /** Account that reads the binlog of the database server, without the name of a database; undefined disables the change feed. */
  readonly feedUrl: string | undefined
  /** The network's base prefix (`$table_prefix` in wp-config.php). */
  readonly tablePrefix: string
  readonly host: string
  readonly port: number
  /** The front's port; 0 disables the front. */
  readonly frontPort: number
  /** Where the API is mounted: `` for the root, else `/like/this` without a slash at the end. */
  readonly basePath: string
  /** Folder of the static copies; undefined disables them. */
  readonly staticDir: string | undefined
  /** Interval at which static copies are synced with edits in WordPress, in seconds; 0 for never. */
  readonly watchSeconds: number
  /** Static copies compared with their records per minute; 0 for none, except after a restore. */
  readonly scrubPagesPerMinute: number
  readonly requestsPerMinute: number
  readonly authFailuresPerMinute: number
  readonly redisUrl: string | undefined
  readonly objectCacheUrl: string | undefined
  readonly objectCachePrefix: string
  /** The object-cache drop-in, which decides the format of the keys. */
  readonly objectCacheForm: (typeof OBJECT_CACHE_FORMS)[number]
  /** Base URLs of page caches that accept HTTP PURGE. */
  readonly pageCachePurge: readonly string[]
  readonly executorUrl: string | undefined
  readonly executorKey: string | undefined
  /** A second key that an executor accepts. */
  readonly executorSecondKey: string | undefined
  /** How long a write waits for its effects after the commit, in milliseconds; the rest is built in the background. */
  readonly effectsBudgetMs: number
  /** The endpoint that gets the requests that this service does not serve, without a slash at the end; undefined for none. */
  readonly legacyUrl: string | undefined
  /** The families that it still answers. */
  readonly legacyFamilies: LegacyFamilies
  /** Its longest silence, in seconds. */
  readonly legacyTimeoutSeconds: number
  /** Largest body of a request that is passed to it, in megabytes. */
  readonly legacyMaxMb: number
  /** Whether the old endpoint is asked about tokens that this service does not know. */
  readonly asksAboutTokens: boolean
  /** The login of the user that such tokens act as; undefined for an administrator of each site, without the right to write markup. */
  readonly legacyTokenUser: string | undefined
  /** Express's `trust proxy` value; false ignores X-Forwarded-For. */
  readonly trustProxy: boolean | number | string
  /** Origins whose pages may use the API; `*` for all. */
  readonly corsOrigins: readonly string[]
  /** How long an idle connection of a client stays open. */
  readonly keepAliveSeconds: number
  /** Users whose tokens may write markup, which may contain scripts. */
  readonly markupWriters: MarkupWriters
  /** Quota of frame markup per site, in megabytes; 0 for no limit. */
  readonly storedMbPerSite: number
  /** Quota of static copies per site, in megabytes; 0 for no limit. */
  readonly staticMbPerSite: number
  /** How long entries of the history are kept, in days; 0 for ever. */
  readonly historyDays: number
  /** Size of the history of a site from which on old entries are deleted, in megabytes; 0 for no limit. */
  readonly historyMbPerSite: number
  /** Content-Security-Policy of every page of the front; undefined for none. */
  readonly pageCsp: string | undefined
  /** The API token of the client of the command `mcp`. */
  readonly mcpToken: string | undefined
  /** The API token for the old endpoint of the command `compare`. */
  readonly oldToken: string | undefined
  /** The databases of `compare --writes`: what the old endpoint works on, and what this service works on. */
  readonly oldScratchUrl: string | undefined
  readonly newScratchUrl: string | undefined
  /** The name of the login that commands use. */
  readonly env: string | undefined
  /** The folder of the user's settings, where logins are stored. */
  readonly configHome: string | undefined
  /** Host names, addresses and ranges to which webhooks may be sent although they are not public. */
  readonly webhookAllowHosts: readonly string[]
  readonly logLevel: string
  /** How long a stopping process still accepts requests while `/readyz` reports 503, so that load balancers remove it first. */
  readonly drainSeconds: number
  /** Host and port of the Prometheus metrics; port 0 disables them. */
  readonly metricsHost: string
  readonly metricsPort: number
  /** Variables that are not known and resemble one that is: a sentence about each. */
  readonly suspectVariables: readonly string[]
  /** What others may see of each variable, by its name. */
  readonly shownSettings: Readonly<Record<string, string>>
}

export type MarkupWriters = (typeof MARKUP_WRITERS)[number]

/** Invalid settings. The message names each variable and its valid values. */
export class ConfigError extends OperatorError {
  override readonly name = 'ConfigError'
}

/**
 * Validates environment variables and returns the configuration. Secrets may be in files.
 * @throws ConfigError that names every variable that is retired or has an invalid value
 */
export function parseConfig(env: Environment): Config {
  // Compose files and shells set a variable to the empty string to unset it. Only an empty STATIC_DIR has a meaning.
  const set = Object.entries(env).filter(([name, value]) => value !== '' || name === 'STATIC_DIR')
  const { env: given, faults: fileFaults } = readSecretFiles(
    Object.fromEntries(set),
    secretVariables(),
  )
  const faults = [...describeRetired(given), ...fileFaults]
  const parsed = EnvironmentSchema.safeParse(given)
  const invalid = parsed.error?.issues.map((issue) => `${String(issue.path[0])} ${issue.message}`)
  if (!parsed.success || faults.length > 0)
    throw new ConfigError([...faults, ...(invalid ?? [])].join('\n'))
  const value = parsed.data
  const fault = findOldEndpointFault(value) ?? findTargetFault(given)
  if (fault !== undefined) throw new ConfigError(fault)
  return {
    databaseUrl: value.DATABASE_URL,
    databasePoolSize: value.DB_POOL_SIZE,
    isBatched: value.DB_BATCH,
    feedUrl: value.FEED_DATABASE_URL,
    tablePrefix: value.TABLE_PREFIX,
    host: value.HOST,
    port: value.PORT,
    frontPort: value.FRONT_PORT,
    basePath: value.BASE_PATH.replace(/\/+$/, ''),
    staticDir: value.STATIC_TARGET ? undefined : value.STATIC_DIR || undefined,
    ...storeConfig(value),
    watchSeconds: value.WATCH_SECONDS,
    scrubPagesPerMinute: value.SCRUB_PAGES_PER_MINUTE,
    requestsPerMinute: value.RATE_LIMIT_PER_MINUTE,
    authFailuresPerMinute: value.AUTH_FAILURES_PER_MINUTE,
    redisUrl: value.REDIS_URL,
    objectCacheUrl: value.OBJECT_CACHE_URL,
    objectCachePrefix: value.OBJECT_CACHE_PREFIX,
    objectCacheForm: value.OBJECT_CACHE_FORM,
    pageCachePurge: value.PAGE_CACHE_PURGE,
    ...asConfigError(() => cachePurgeSettings(value)),
    executorUrl: value.EXECUTOR_URL,
    executorKey: value.EXECUTOR_KEY,
    executorSecondKey: value.EXECUTOR_SECOND_KEY,
    effectsBudgetMs: value.EFFECTS_BUDGET_MS,
    legacyUrl: value.LEGACY_URL?.replace(/\/+$/, ''),
    legacyFamilies: value.LEGACY_FAMILIES,
    legacyTimeoutSeconds: value.LEGACY_TIMEOUT_SECONDS,
    legacyMaxMb: value.LEGACY_MAX_MB,
    asksAboutTokens: value.LEGACY_TOKENS === 'ask',
    legacyTokenUser: value.LEGACY_TOKEN_USER,
    trustProxy: value.TRUST_PROXY,
    corsOrigins: value.CORS_ORIGINS,
    keepAliveSeconds: value.KEEP_ALIVE_SECONDS,
    markupWriters: value.MARKUP_WRITERS,
    storedMbPerSite: value.STORED_MB_PER_SITE,
    staticMbPerSite: value.STATIC_MB_PER_SITE,
    historyDays: value.HISTORY_DAYS,
    historyMbPerSite: value.HISTORY_MB_PER_SITE,
    pageCsp: value.PAGE_CSP,
    mcpToken: value.WP_FRAMES_TOKEN,
    oldToken: value.WP_FRAMES_OLD_TOKEN,
    oldScratchUrl: value.WP_FRAMES_OLD_DATABASE,
    newScratchUrl: value.WP_FRAMES_NEW_DATABASE,
    env: value.WP_FRAMES_ENV,
    configHome: value.XDG_CONFIG_HOME,
    webhookAllowHosts: value.WEBHOOK_ALLOW_HOSTS,
    logLevel: value.LOG_LEVEL,
    drainSeconds: value.DRAIN_SECONDS,
    metricsHost: value.METRICS_HOST,
    metricsPort: value.METRICS_PORT,
    suspectVariables: findSuspectVariables(Object.keys(env)),
    shownSettings: Object.fromEntries(
      Object.entries(EnvironmentSchema.shape).map(([name, schema]) => [
        name,
        describeSetting(schema, given[name]),
      ]),
    ),
  }
}

/** @throws ConfigError instead of any other error */
function asConfigError<T>(read: () => T): T {
  try {
    return read()
  } catch (error) {
    throw new ConfigError(error instanceof Error ? error.message : String(error))
  }
}

/** The names of the variables whose values nobody may see. */
export const secretVariables = (): readonly string[] => secretsOf(EnvironmentSchema.shape)

/** Misspelt variables have no effect, and nothing else says so. */
function findSuspectVariables(names: readonly string[]): string[] {
  const known = [...Object.keys(EnvironmentSchema.shape), ...secretVariables().map(fileVariable)]
  return names
    .filter((name) => !known.includes(name))
    .flatMap((name) => {
      const similar = findSimilar(name, known)
      return similar === undefined
        ? []
        : [`The variable ${name} is not known and has no effect. Did you mean ${similar}?`]
    })
}

const OBJECT_CACHE_FORMS = ['redis-object-cache', 'wp-redis'] as const
const MARKUP_WRITERS = ['administrators', 'super-admins'] as const
const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const

/** All environment variables of the service. */
export const EnvironmentSchema = z.object({
  DATABASE_URL: asSecretAddress(databaseAddress().optional()),
  FEED_DATABASE_URL: asSecretAddress(serverAddress().transform(withoutDatabase).optional()),
  DB_POOL_SIZE: wholeNumber(1, 1000, 10),
  DB_BATCH: z
    .enum(['0', '1'], {
      error: 'must be 1, or 0 to send the statements of a transaction one by one',
    })
    .transform((text) => text === '1')
    .default(true),
  TABLE_PREFIX: z
    .string()
    .regex(/^[A-Za-z0-9_]{1,40}$/, 'may contain letters, digits and underscores only')
    .default('wp_'),
  HOST: z.string().default('127.0.0.1'),
  PORT: wholeNumber(0, 65_535, 8080),
  FRONT_PORT: wholeNumber(0, 65_535, 8081),
  BASE_PATH: z
    .string()
    .regex(/^\/[A-Za-z0-9._~/-]*$/, 'must start with a slash, such as /wp-json/svc/v1')
    .default('/'),
  STATIC_DIR: z.string().default('.data/static'),
  ...STORE_VARIABLES,
  STATIC_MB_PER_SITE: wholeNumber(0, 100_000_000, 2048),
  STORED_MB_PER_SITE: wholeNumber(0, 100_000_000, 512),
  HISTORY_DAYS: wholeNumber(0, 36_500, 90),
  HISTORY_MB_PER_SITE: wholeNumber(0, 100_000_000, 64),
  WATCH_SECONDS: wholeNumber(0, 86_400, 60),
  SCRUB_PAGES_PER_MINUTE: wholeNumber(0, 1_000_000, 100),
  RATE_LIMIT_PER_MINUTE: wholeNumber(0, 100_000_000, 120),
  AUTH_FAILURES_PER_MINUTE: wholeNumber(0, 100_000_000, 20),
  REDIS_URL: asSecretAddress(address('a Redis address', 'redis', 'rediss').optional()),
  OBJECT_CACHE_URL: asSecretAddress(address('a Redis address', 'redis', 'rediss').optional()),
  OBJECT_CACHE_PREFIX: asSecret(z.string().default('')),
  OBJECT_CACHE_FORM: z
    .enum(OBJECT_CACHE_FORMS, { error: `must be one of ${OBJECT_CACHE_FORMS.join(', ')}` })
    .default('redis-object-cache'),
  PAGE_CACHE_PURGE: asSecretAddress(
    z
      .string()
      .transform((text) => text.split(',').map((part) => part.trim().replace(/\/+$/, '')))
      .pipe(z.array(address('a page cache address', 'http', 'https')))
      .default([]),
  ),
  ...CACHE_PURGE_VARIABLES,
  EXECUTOR_URL: address('an executor address', 'http', 'https')
    .refine(
      (text) => !hasCredentials(parseUrl(text)),
      'must not contain a user or a password; EXECUTOR_KEY authenticates requests to the executor',
    )
    .optional(),
  EXECUTOR_KEY: asSecret(z.string().optional()),
  EXECUTOR_SECOND_KEY: asSecret(z.string().optional()),
  EFFECTS_BUDGET_MS: wholeNumber(0, 600_000, 2000),
  LEGACY_URL: address('the address of an endpoint', 'https', 'http')
    .refine((text) => {
      const url = parseUrl(text)
      return !hasCredentials(url) && !url?.search && !url?.hash
    }, 'must not contain a user, a password, a query or a fragment')
    .optional(),
  LEGACY_FAMILIES: z
    .string()
    .transform((text, context) => {
      try {
        return parseFamilies(text)
      } catch (error) {
        context.addIssue(error instanceof Error ? error.message : String(error))
        return z.NEVER
      }
    })
    .default(new Map()),
  LEGACY_TIMEOUT_SECONDS: wholeNumber(1, 3600, 60),
  LEGACY_MAX_MB: wholeNumber(1, 100_000, 64),
  LEGACY_TOKENS: z
    .enum(['off', 'ask'], {
      error: 'must be off, or ask to ask the old endpoint about tokens that are not known here',
    })
    .default('off'),
  LEGACY_TOKEN_USER: z.string().optional(),
  TRUST_PROXY: z
    .string()
    .refine(
      isTrustProxy,
      'must be true, false, a number of proxies, or their addresses, such as loopback, 10.0.0.0/8',
    )
    .transform(trustProxy)
    .default(false),
  CORS_ORIGINS: origins().default([]),
  MARKUP_WRITERS: z
    .enum(MARKUP_WRITERS, { error: `must be one of ${MARKUP_WRITERS.join(', ')}` })
    .default('administrators'),
  PAGE_CSP: z
    .string()
    .regex(/^[\x20-\x7e]+$/, 'may contain printable ASCII characters on one line only')
    .optional(),
  WEBHOOK_ALLOW_HOSTS: z
    .string()
    .transform((text) => text.split(',').map((part) => part.trim()))
    .refine(
      (hosts) => hosts.every(isHostOrRange),
      'must be host names, addresses or ranges, such as receiver.internal, 10.0.0.0/8',
    )
    .default([]),
  WP_FRAMES_TOKEN: asSecret(z.string().optional()),
  WP_FRAMES_OLD_TOKEN: asSecret(z.string().optional()),
  WP_FRAMES_OLD_DATABASE: asSecretAddress(databaseAddress().optional()),
  WP_FRAMES_NEW_DATABASE: asSecretAddress(databaseAddress().optional()),
  WP_FRAMES_ENV: z.string().optional(),
  XDG_CONFIG_HOME: z.string().optional(),
  KEEP_ALIVE_SECONDS: wholeNumber(1, 7200, 65),
  DRAIN_SECONDS: wholeNumber(0, 3600, 0),
  METRICS_HOST: z.string().default('127.0.0.1'),
  METRICS_PORT: wholeNumber(0, 65_535, 0),
  LOG_LEVEL: z
    .enum(LOG_LEVELS, { error: `must be one of ${LOG_LEVELS.join(', ')}` })
    .default('info'),
})

/** The configuration of this process. The only code that reads `process.env`. */
export function readConfig(): Config {
  return parseConfig(withDemoDatabase(process.env))
}
