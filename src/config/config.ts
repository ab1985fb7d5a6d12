import ipaddr from 'ipaddr.js'
import { z } from 'zod'
import { findParameterProblem } from './database-parameters.ts'

/** Everything an operator can set, checked and with its defaults (decisions, section 12). */
export type Config = {
  readonly databaseUrl: string | undefined
  readonly databasePoolSize: number
  /** The network's base prefix (`$table_prefix` in wp-config.php). */
  readonly tablePrefix: string
  readonly host: string
  readonly port: number
  /** The front's port; 0 turns the front off. */
  readonly frontPort: number
  /** Where the API is mounted: `` for the root, else `/like/this` without a slash at the end. */
  readonly basePath: string
  /** Folder of the static copies; undefined turns them off. */
  readonly staticDir: string | undefined
  /** How often static copies are compared with what WordPress holds; 0 for never. */
  readonly watchSeconds: number
  readonly requestsPerMinute: number
  readonly authFailuresPerMinute: number
  readonly redisUrl: string | undefined
  readonly objectCacheUrl: string | undefined
  readonly objectCachePrefix: string
  /** The drop-in whose keys are dropped. */
  readonly objectCacheForm: (typeof OBJECT_CACHE_FORMS)[number]
  /** Base addresses that take HTTP PURGE. */
  readonly pageCachePurge: readonly string[]
  readonly executorUrl: string | undefined
  readonly executorKey: string | undefined
  readonly executorTimeoutMs: number
  /** Express's `trust proxy` value; false ignores X-Forwarded-For. */
  readonly trustProxy: boolean | number | string
  /** Whose tokens may write markup, which may hold scripts. */
  readonly markupWriters: MarkupWriters
  /** Megabytes of markup that all frames of a site may have; 0 for no limit. */
  readonly storedMbPerSite: number
  /** Megabytes that all static copies of a site may take; 0 for no limit. */
  readonly staticMbPerSite: number
  /** Content-Security-Policy of every page that the front sends; undefined for none. */
  readonly pageCsp: string | undefined
  readonly logLevel: string
  /** How long a process that was asked to stop still takes requests, so that load balancers learn of it first. */
  readonly drainSeconds: number
  /** Where Prometheus metrics are told; port 0 turns them off. */
  readonly metricsHost: string
  readonly metricsPort: number
}

export type MarkupWriters = (typeof MARKUP_WRITERS)[number]

/** A setting that cannot be used. The message names each variable and says what it takes. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}

/**
 * Checks the environment and gives the configuration.
 * @throws ConfigError naming every variable with a value that cannot be used.
 */
export function parseConfig(env: Readonly<Record<string, string | undefined>>): Config {
  // An empty variable is how compose files and shells say "not set"; STATIC_DIR alone means something by it.
  const given = Object.entries(env).filter(([name, value]) => value !== '' || name === 'STATIC_DIR')
  const parsed = EnvironmentSchema.safeParse(Object.fromEntries(given))
  if (!parsed.success) {
    throw new ConfigError(
      parsed.error.issues.map((issue) => `${String(issue.path[0])} ${issue.message}`).join('\n'),
    )
  }
  const value = parsed.data
  return {
    databaseUrl: value.DATABASE_URL,
    databasePoolSize: value.DB_POOL_SIZE,
    tablePrefix: value.TABLE_PREFIX,
    host: value.HOST,
    port: value.PORT,
    frontPort: value.FRONT_PORT,
    basePath: value.BASE_PATH.replace(/\/+$/, ''),
    staticDir: value.STATIC_DIR || undefined,
    watchSeconds: value.WATCH_SECONDS,
    requestsPerMinute: value.RATE_LIMIT_PER_MINUTE,
    authFailuresPerMinute: value.AUTH_FAILURES_PER_MINUTE,
    redisUrl: value.REDIS_URL,
    objectCacheUrl: value.OBJECT_CACHE_URL,
    objectCachePrefix: value.OBJECT_CACHE_PREFIX,
    objectCacheForm: value.OBJECT_CACHE_FORM,
    pageCachePurge: value.PAGE_CACHE_PURGE,
    executorUrl: value.EXECUTOR_URL,
    executorKey: value.EXECUTOR_KEY,
    executorTimeoutMs: value.EXECUTOR_TIMEOUT_MS,
    trustProxy: value.TRUST_PROXY,
    markupWriters: value.MARKUP_WRITERS,
    storedMbPerSite: value.STORED_MB_PER_SITE,
    staticMbPerSite: value.STATIC_MB_PER_SITE,
    pageCsp: value.PAGE_CSP,
    logLevel: value.LOG_LEVEL,
    drainSeconds: value.DRAIN_SECONDS,
    metricsHost: value.METRICS_HOST,
    metricsPort: value.METRICS_PORT,
  }
}

const OBJECT_CACHE_FORMS = ['redis-object-cache', 'wp-redis'] as const
const MARKUP_WRITERS = ['administrators', 'super-admins'] as const
const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const

const address = (what: string, ...schemes: string[]) =>
  z.string().refine((text) => {
    return URL.canParse(text) && schemes.includes(new URL(text).protocol.slice(0, -1))
  }, `is not ${what}; write it as ${schemes[0]}://…`)

const hasCredentials = ({ username, password }: URL): boolean => username + password !== ''

const wholeNumber = (least: number, most: number, standard: number) =>
  z
    .string()
    .regex(/^\d{1,9}$/, `must be a whole number from ${least} to ${most}`)
    .transform(Number)
    .refine((n) => n >= least && n <= most, `must be a whole number from ${least} to ${most}`)
    .default(standard)

const isDecodable = (text: string): boolean => {
  try {
    return decodeURIComponent(text) !== ''
  } catch {
    return false
  }
}

/** What Express takes for `trust proxy`: yes or no, a number of proxies, or their addresses by name or range. */
const isTrustProxy = (text: string): boolean =>
  /^(?:true|false|\d{1,3})$/.test(text) ||
  text.split(',').every((part) => isProxyAddress(part.trim()))

const isProxyAddress = (text: string): boolean =>
  ['loopback', 'linklocal', 'uniquelocal'].includes(text) ||
  ipaddr.isValid(text) ||
  (ipaddr.isValidCIDR(text) && !/\/0+$/.test(text))

const trustProxy = (text: string): boolean | number | string => {
  if (text === 'true' || text === 'false') return text === 'true'
  return /^\d+$/.test(text) ? Number(text) : text
}

/** The variables that are read. */
export const EnvironmentSchema = z.object({
  DATABASE_URL: address('a database address', 'mysql', 'mariadb')
    .refine(
      (text) => !URL.canParse(text) || new URL(text).pathname.length > 1,
      'names no database: end it with /name',
    )
    .refine(isDecodable, 'holds a % that encodes nothing: write %25 for a percent sign')
    .check(({ value, issues }) => {
      const fault = URL.canParse(value) ? findParameterProblem(new URL(value)) : undefined
      if (fault !== undefined) issues.push({ code: 'custom', message: fault, input: value })
    })
    .optional(),
  DB_POOL_SIZE: wholeNumber(1, 1000, 10),
  TABLE_PREFIX: z
    .string()
    .regex(/^[A-Za-z0-9_]{1,40}$/, 'may hold letters, digits and underscores only')
    .default('wp_'),
  HOST: z.string().default('127.0.0.1'),
  PORT: wholeNumber(0, 65_535, 8080),
  FRONT_PORT: wholeNumber(0, 65_535, 8081),
  BASE_PATH: z
    .string()
    .regex(/^\/[A-Za-z0-9._~/-]*$/, 'must begin with a slash, as in /wp-json/svc/v1')
    .default('/'),
  STATIC_DIR: z.string().default('.data/static'),
  STATIC_MB_PER_SITE: wholeNumber(0, 100_000_000, 2048),
  STORED_MB_PER_SITE: wholeNumber(0, 100_000_000, 512),
  WATCH_SECONDS: wholeNumber(0, 86_400, 60),
  RATE_LIMIT_PER_MINUTE: wholeNumber(0, 100_000_000, 120),
  AUTH_FAILURES_PER_MINUTE: wholeNumber(0, 100_000_000, 20),
  REDIS_URL: address('a Redis address', 'redis', 'rediss').optional(),
  OBJECT_CACHE_URL: address('a Redis address', 'redis', 'rediss').optional(),
  OBJECT_CACHE_PREFIX: z.string().default(''),
  OBJECT_CACHE_FORM: z
    .enum(OBJECT_CACHE_FORMS, { error: `must be one of ${OBJECT_CACHE_FORMS.join(', ')}` })
    .default('redis-object-cache'),
  PAGE_CACHE_PURGE: z
    .string()
    .transform((text) => text.split(',').map((part) => part.trim().replace(/\/+$/, '')))
    .pipe(z.array(address('a page cache address', 'http', 'https')))
    .default([]),
  EXECUTOR_URL: address('an executor address', 'http', 'https')
    .refine(
      (text) => !URL.canParse(text) || !hasCredentials(new URL(text)),
      'holds a user or a password, which no request can be sent with: leave them out; EXECUTOR_KEY is what the executor knows its API by',
    )
    .optional(),
  EXECUTOR_KEY: z.string().optional(),
  EXECUTOR_TIMEOUT_MS: wholeNumber(1, 600_000, 5000),
  TRUST_PROXY: z
    .string()
    .refine(
      isTrustProxy,
      'must be true, a number of proxies, or their addresses, as in loopback, 10.0.0.0/8',
    )
    .transform(trustProxy)
    .default(false),
  MARKUP_WRITERS: z
    .enum(MARKUP_WRITERS, { error: `must be one of ${MARKUP_WRITERS.join(', ')}` })
    .default('administrators'),
  PAGE_CSP: z
    .string()
    .regex(/^[\x20-\x7e]+$/, 'may hold printable ASCII characters on one line only')
    .optional(),
  DRAIN_SECONDS: wholeNumber(0, 3600, 0),
  METRICS_HOST: z.string().default('127.0.0.1'),
  METRICS_PORT: wholeNumber(0, 65_535, 0),
  LOG_LEVEL: z
    .enum(LOG_LEVELS, { error: `must be one of ${LOG_LEVELS.join(', ')}` })
    .default('info'),
})

/** The configuration that this process was started with: the only reader of the environment. */
export function readConfig(): Config {
  return parseConfig(process.env)
}
