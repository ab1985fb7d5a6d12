import { z } from 'zod'
import { parseFamilies } from '../families.ts'
import { parseUrl } from '../parse-url.ts'
import { CACHE_PURGE_VARIABLES } from './cache-purge.ts'
import { asSecret, asSecretAddress } from './secrets.ts'
import { COPY_VARIABLES } from './store-settings.ts'
import { isTrustProxy, trustProxy } from './trust-proxy.ts'
import {
  address,
  databaseAddress,
  hasCredentials,
  isHostOrRange,
  oneOf,
  origins,
  serverAddress,
  wholeNumber,
  withoutDatabase,
} from './variable-types.ts'

/**
 * All environment variables of the service. The type of each says what a value must be, what it is in the program, and which text is its default
 * (`prefault`); the description is its row in docs/configuration.md. Settings have the names of the variables: `FRONT_PORT` is `frontPort`.
 */
export const VARIABLES = {
  DATABASE_URL: asSecretAddress(databaseAddress().optional()).describe(
    '`mysql://user:password@host:port/database`, with the [parameters below](#parameters-of-database_url). Required, except in a folder in which `npm start` runs: there, commands without it work on the demo. `npm start` ignores it and all settings that lead to other systems',
  ),
  FEED_DATABASE_URL: asSecretAddress(
    serverAddress().transform(withoutDatabase).optional(),
  ).describe(
    '`mysql://user:password@host:port/`, the same server as `DATABASE_URL`, with an account for the [change feed](operating.md#change-feed). Parameters are those of `DATABASE_URL`; a name of a database is ignored',
  ),
  TABLE_PREFIX: z
    .string()
    .regex(/^[A-Za-z0-9_]{1,40}$/, 'may contain letters, digits and underscores only')
    .prefault('wp_')
    .describe("base prefix of the network's tables (`$table_prefix` in `wp-config.php`)"),
  MARKUP_WRITERS: oneOf(['administrators', 'super-admins'])
    .prefault('administrators')
    .describe(
      'whose tokens may write markup, [which can contain scripts](security.md#markup-can-hold-scripts): `administrators` of the site, or `super-admins` only',
    ),
  PAGE_CSP: z
    .string()
    .regex(/^[\x20-\x7e]+$/, 'may contain printable ASCII characters on one line only')
    .optional()
    .describe(
      "`Content-Security-Policy` header of every page that the front sends, for example `script-src 'self'; object-src 'none'`",
    ),
  WEBHOOK_ALLOW_HOSTS: z
    .string()
    .transform((text) => text.split(',').map((part) => part.trim()))
    .refine(
      (hosts) => hosts.every(isHostOrRange),
      'must be host names, addresses or ranges, such as receiver.internal, 10.0.0.0/8',
    )
    .default([])
    .describe(
      'host names, addresses and ranges to which [webhooks](security.md#webhooks) may be sent although they are not public, such as `receiver.internal, 10.1.0.0/16`. A host that is listed itself may have `http` and any port',
    ),

  HOST: z.string().prefault('127.0.0.1').describe('address of the API and of the front'),
  PORT: wholeNumber(0, 65_535, 8080).describe('port of the API'),
  FRONT_PORT: wholeNumber(0, 65_535, 8081).describe('port of the front; `0` disables it'),
  BASE_PATH: z
    .string()
    .regex(/^\/[A-Za-z0-9._~/-]*$/, 'must start with a slash, such as /wp-json/svc/v1')
    .transform((path) => path.replace(/\/+$/, ''))
    .prefault('/')
    .describe('path where the API is mounted, for example `/wp-json/svc/v1`'),
  TRUST_PROXY: z
    .string()
    .refine(
      isTrustProxy,
      'must be true, false, a number of proxies, or their addresses, such as loopback, 10.0.0.0/8',
    )
    .transform(trustProxy)
    .prefault('false')
    .describe(
      "proxies whose `X-Forwarded-For` is trusted, and whose [`traceparent`](operating.md#tracing) is continued, in the format of Express's `trust proxy`; with `false`, the header is ignored",
    ),
  CORS_ORIGINS: origins()
    .default([])
    .describe(
      'origins whose pages may use the API in a browser, such as `https://app.example.org`; `*` allows all. With `LEGACY_URL`, preflights are answered here, and the headers of passed answers are those of the old endpoint',
    ),
  METRICS_HOST: z
    .string()
    .prefault('127.0.0.1')
    .describe(
      'address of `/metrics` for Prometheus. It needs no token, so use an address that is not reachable from outside',
    ),
  METRICS_PORT: wholeNumber(0, 65_535, 0).describe('port of `/metrics`; `0` disables it'),

  DB_POOL_SIZE: wholeNumber(1, 1000, 10).describe(
    'database connections of a process for reads. [Others](operating.md#connections-to-the-database) are opened besides; with the default, a process has up to 30',
  ),
  DB_BATCH: z
    .enum(['0', '1'], {
      error: 'must be 1, or 0 to send the statements of a transaction one by one',
    })
    .transform((text) => text === '1')
    .prefault('1')
    .describe(
      '`0` sends each statement by itself, which takes more round trips. For proxies that do not take several statements in a packet, and for servers whose `sql_mode` contains `NO_BACKSLASH_ESCAPES`',
    ),
  DRAIN_SECONDS: wholeNumber(0, 3600, 0).describe(
    'seconds after SIGTERM during which `/readyz` answers `503` but requests are still accepted; then the process stops',
  ),
  KEEP_ALIVE_SECONDS: wholeNumber(1, 7200, 65).describe(
    'seconds for which an idle connection stays open: longer than a [proxy or load balancer](scale-and-caches.md#load-balancers) in front uses one',
  ),
  LOG_LEVEL: oneOf(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'])
    .prefault('info')
    .describe('`trace`, `debug`, `info`, `warn`, `error`, `fatal` or `silent`'),

  ...COPY_VARIABLES,
  STATIC_MB_PER_SITE: wholeNumber(0, 100_000_000, 2048).describe(
    'megabytes that the static copies of one site may take, compressed variants included. A page beyond the limit is rendered on request (`static.reason` is `quota`). `0` means no limit',
  ),
  SCRUB_PAGES_PER_MINUTE: wholeNumber(0, 1_000_000, 100).describe(
    'static copies that are [compared with their records](operating.md#damage-on-disk) each minute; `0` compares them only after a restore',
  ),

  WATCH_SECONDS: wholeNumber(0, 86_400, 60).describe(
    'interval at which the service looks for [edits by other programs](operating.md#edits-by-other-programs); `0` disables the poll',
  ),
  OBJECT_CACHE_URL: asSecretAddress(
    address('a Redis address', 'redis', 'rediss').optional(),
  ).describe(
    "Redis of WordPress's persistent object cache, with its database number: `redis://host:6379/0`. The service deletes the keys of the data that it writes. If WordPress has such a cache and this variable is not set, WordPress keeps serving stale data",
  ),
  OBJECT_CACHE_PREFIX: asSecret(z.string().default('')).describe(
    'key prefix of the object cache drop-in: the value of `WP_REDIS_PREFIX`, otherwise of `WP_CACHE_KEY_SALT`',
  ),
  OBJECT_CACHE_FORM: oneOf(['redis-object-cache', 'wp-redis'])
    .prefault('redis-object-cache')
    .describe('the drop-in: `redis-object-cache` (Redis Object Cache) or `wp-redis` (WP Redis)'),

  PAGE_CACHE_PURGE: asSecretAddress(
    z
      .string()
      .transform((text) => text.split(',').map((part) => part.trim().replace(/\/+$/, '')))
      .pipe(z.array(address('a page cache address', 'http', 'https')))
      .default([]),
  ).describe(
    'comma-separated base addresses of [page caches](scale-and-caches.md#page-caches-and-cdns) that accept PURGE requests',
  ),
  ...CACHE_PURGE_VARIABLES,

  STORED_MB_PER_SITE: wholeNumber(0, 100_000_000, 512).describe(
    'megabytes of markup that the frames of one site may have. A write beyond the limit is refused with `413 site_quota_exceeded`. `0` means no limit',
  ),
  HISTORY_DAYS: wholeNumber(0, 36_500, 90).describe(
    'how long entries of the [history](history.md) are kept, in days; `0` for ever',
  ),
  HISTORY_MB_PER_SITE: wholeNumber(0, 100_000_000, 64).describe(
    'megabytes of history of one site, from which on its oldest entries are deleted; `0` means no limit',
  ),

  RATE_LIMIT_PER_MINUTE: wholeNumber(0, 100_000_000, 120).describe(
    'requests per minute for each token; `0` means no limit',
  ),
  AUTH_FAILURES_PER_MINUTE: wholeNumber(0, 100_000_000, 20).describe(
    'failed authentications per minute for each client address; `0` means no limit',
  ),
  REDIS_URL: asSecretAddress(address('a Redis address', 'redis', 'rediss').optional()).describe(
    'Redis for the counters of both limits, shared by several instances',
  ),

  EXECUTOR_URL: address('an executor address', 'http', 'https')
    .refine(
      (text) => !hasCredentials(parseUrl(text)),
      'must not contain a user or a password; EXECUTOR_KEY authenticates requests to the executor',
    )
    .optional()
    .describe(
      'address of an [executor in another process](scale-and-caches.md#roles), or of a load balancer in front of several. Without it, each process builds itself',
    ),
  EXECUTOR_KEY: asSecret(z.string().optional()).describe(
    'secret of 32 bytes or more, the same on both sides, with which the API signs wake-ups of the executor',
  ),
  EXECUTOR_SECOND_KEY: asSecret(z.string().optional()).describe(
    'another key that an executor accepts while [`EXECUTOR_KEY` is changed](security.md#changing-the-key-of-the-executor). The API signs with `EXECUTOR_KEY` only',
  ),
  EFFECTS_BUDGET_MS: wholeNumber(0, 600_000, 2000).describe(
    'milliseconds for which a write waits for its [effects](operating.md#work) after the commit, up to 600,000. The rest goes on in the background',
  ),

  LEGACY_URL: address('the address of an endpoint', 'https', 'http')
    .refine((text) => {
      const url = parseUrl(text)
      return !hasCredentials(url) && !url?.search && !url?.hash
    }, 'must not contain a user, a password, a query or a fragment')
    .transform((url) => url.replace(/\/+$/, ''))
    .optional()
    .describe(
      'address of the [old endpoint](moving-from-php.md#day-2-mount-wp-frames-in-front), such as `http://127.0.0.1:8088/wp-json/svc-old/v1`, which gets the requests that wp-frames does not serve',
    ),
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
    .default(new Map())
    .describe(
      '[families](moving-from-php.md#one-family-at-a-time) that the old endpoint still answers: `menus,pages`. `frames=compare` also compares its answers to reads. Needs `LEGACY_URL`',
    ),
  LEGACY_TIMEOUT_SECONDS: wholeNumber(1, 3600, 60).describe(
    'longest silence of the old endpoint, up to 3,600. Requests with a body may take as long in all, at least 60 seconds',
  ),
  LEGACY_MAX_MB: wholeNumber(1, 100_000, 64).describe(
    'largest body of a request to the old endpoint, in megabytes',
  ),
  LEGACY_TOKENS: z
    .enum(['off', 'ask'], {
      error: 'must be off, or ask to ask the old endpoint about tokens that are not known here',
    })
    .prefault('off')
    .describe(
      '`ask`: tokens that wp-frames does not know are [checked at the old endpoint](security.md#tokens-of-another-endpoint). With `off`, tokens that were accepted so are invalid. Needs `LEGACY_URL`',
    ),
  LEGACY_TOKEN_USER: z
    .string()
    .optional()
    .describe(
      'login of the WordPress user that such tokens act as. Without it, they act on each site as an administrator of it who is not a super administrator, and may not write markup',
    ),

  WP_FRAMES_TOKEN: asSecret(z.string().optional()).describe(
    'API token for wp-frames of the commands [`mcp`](agents.md) and [`compare`](moving-from-php.md#the-comparison); the service does not use it',
  ),
  WP_FRAMES_OLD_TOKEN: asSecret(z.string().optional()).describe(
    'API token for the old endpoint of `compare`',
  ),
  WP_FRAMES_OLD_DATABASE: asSecretAddress(databaseAddress().optional()).describe(
    'the scratch database of [`compare --writes`](moving-from-php.md#compare-writes) that the old endpoint works on; the command fills and overwrites it',
  ),
  WP_FRAMES_NEW_DATABASE: asSecretAddress(databaseAddress().optional()).describe(
    'the same for wp-frames',
  ),
  WP_FRAMES_ENV: z
    .string()
    .optional()
    .describe(
      'name of the [login](commands.md#over-http) that commands use instead of the database',
    ),
  XDG_CONFIG_HOME: z
    .string()
    .optional()
    .describe(
      'folder in which commands store logins (`wp-frames/logins.json`) and unfinished comparisons; without it, `~/.config`',
    ),
}
