import { describe, expect, it } from 'vitest'
import { parseConfig } from '../../../src/host/config/config.ts'
import { configMessage } from '../../support/config-message.ts'

const messageOf = (env: Record<string, string>): string => configMessage(env) ?? 'no error'

describe('parseConfig', () => {
  it('has a default for everything', () => {
    expect(parseConfig({})).toMatchObject({
      databaseUrl: undefined,
      dbPoolSize: 10,
      dbBatch: true,
      feedDatabaseUrl: undefined,
      tablePrefix: 'wp_',
      host: '127.0.0.1',
      port: 8080,
      frontPort: 8081,
      basePath: '',
      staticDir: '.data/static',
      rateLimitPerMinute: 120,
      authFailuresPerMinute: 20,
      redisUrl: undefined,
      objectCacheUrl: undefined,
      pageCachePurge: [],
      cacheTags: undefined,
      cachePurge: [],
      executorUrl: undefined,
      effectsBudgetMs: 2000,
      trustProxy: false,
      logLevel: 'info',
      drainSeconds: 0,
    })
  })

  it('treats an empty variable as not set, except STATIC_DIR', () => {
    const empty = parseConfig({ PORT: '', DATABASE_URL: '', LOG_LEVEL: '', STATIC_DIR: '' })
    expect(empty).toMatchObject({ port: 8080, databaseUrl: undefined, logLevel: 'info' })
    expect(empty.staticDir).toBeUndefined()
  })

  it('accepts valid settings', () => {
    const config = parseConfig({
      DATABASE_URL: 'mysql://user:p%40ss%25@db.internal:3307/network',
      DB_BATCH: '0',
      BASE_PATH: '/wp-json/svc/v1/',
      PAGE_CACHE_PURGE: 'http://cache-1:6081/, https://cache-2',
      REDIS_URL: 'rediss://:pw@redis:6380/2',
      FRONT_PORT: '0',
      RATE_LIMIT_PER_MINUTE: '0',
      TRUST_PROXY: 'loopback, 10.0.0.0/8, 2001:db8::/32',
      UNKNOWN: 'left alone',
    })
    expect(config).toMatchObject({
      databaseUrl: 'mysql://user:p%40ss%25@db.internal:3307/network',
      dbBatch: false,
      basePath: '/wp-json/svc/v1',
      pageCachePurge: ['http://cache-1:6081', 'https://cache-2'],
      redisUrl: 'rediss://:pw@redis:6380/2',
      frontPort: 0,
      rateLimitPerMinute: 0,
      trustProxy: 'loopback, 10.0.0.0/8, 2001:db8::/32',
    })
    expect(parseConfig({ TRUST_PROXY: 'true' }).trustProxy).toBe(true)
    expect(parseConfig({ TRUST_PROXY: 'false' }).trustProxy).toBe(false)
    expect(parseConfig({ TRUST_PROXY: '2' }).trustProxy).toBe(2)
  })

  it.each([
    ['DATABASE_URL', ['nonsense', 'postgres://h/db', 'mysql://h', 'mysql://h/', 'mysql://u%r@h/d']],
    ['FEED_DATABASE_URL', ['nonsense', 'postgres://h', 'mysql://u%r@h', 'mysql://u@h/?x=1']],
    ['DB_POOL_SIZE', ['0', '-1', '1.5', 'ten', '1001']],
    ['DB_BATCH', ['2', 'off', 'true']],
    ['TABLE_PREFIX', ['wp-', 'wp`_', ' wp_', 'a'.repeat(41)]],
    ['PORT', ['-1', '65536', 'http', '80 ']],
    ['FRONT_PORT', ['65536', 'off']],
    ['BASE_PATH', ['wp-json', 'http://h/api', '/a b', '/:id', '/a?b']],
    ['RATE_LIMIT_PER_MINUTE', ['-1', 'none', '1e3']],
    ['AUTH_FAILURES_PER_MINUTE', ['-1', 'none']],
    ['REDIS_URL', ['localhost:6379', 'http://h']],
    ['OBJECT_CACHE_URL', ['localhost', 'memcached://h']],
    ['OBJECT_CACHE_FORM', ['memcached', 'Redis-Object-Cache']],
    ['PAGE_CACHE_PURGE', ['cache:80', 'http://a,ftp://b', 'http://a,']],
    ['CACHE_TAG_HEADER', ['Surrogate', 'cache-tag']],
    ['CACHE_TAG_PREFIX', ['Net', '1a', 'a_b', 'a'.repeat(33)]],
    ['FASTLY_API_TOKEN', ['a b', 'a\nb']],
    ['LEGACY_URL', ['old.test/v1', 'ftp://h', 'http://user:password@h', 'http://h/?a=1']],
    ['LEGACY_TOKENS', ['on', 'ASK']],
    ['EXECUTOR_URL', ['executor', 'ftp://h', 'http://user:password@h', 'http://user@h']],
    ['DRAIN_SECONDS', ['-1', '3601', 'soon']],
    ['EFFECTS_BUDGET_MS', ['-1', 'soon', '600001']],
    ['TRUST_PROXY', ['banana', 'loopback,banana', '10.0.0.0/33', '0.0.0.0/0', '-1', ',']],
    ['LOG_LEVEL', ['loud', 'INFO']],
    ['MARKUP_WRITERS', ['everybody', 'Super-Admins']],
    ['PAGE_CSP', ["script-src 'self'\r\nSet-Cookie: a=b", 'script-src \u00e9', '\t']],
  ])('names %s when its value cannot be used', (name, values) => {
    for (const value of values) {
      const message = messageOf({ [name]: value })
      expect(message, value).toMatch(new RegExp(`^${name} .{10,}$`, 'm'))
      for (const line of message.split('\n')) expect(line).toMatch(new RegExp(`^${name} `))
    }
  })

  it('reads which families the old endpoint answers', () => {
    const LEGACY_URL = 'http://old.test'
    const familiesOf = (LEGACY_FAMILIES: string) =>
      Object.fromEntries(parseConfig({ LEGACY_URL, LEGACY_FAMILIES }).legacyFamilies)
    expect(familiesOf('menus, pages=old,frames=compare')).toEqual({
      menus: 'old',
      pages: 'old',
      frames: 'compare',
    })
    expect(familiesOf('')).toEqual({})
    for (const [LEGACY_FAMILIES, found] of [
      ['menus=new', 'contains "menus=new"; write'],
      ['menus,,pages', 'contains ""'],
      ['/menus', 'contains "/menus"'],
      ['console', 'must not contain console'],
      ['menus,menus=old', 'contains menus twice'],
    ] as const)
      expect(messageOf({ LEGACY_URL, LEGACY_FAMILIES })).toContain(found)
    expect(messageOf({ LEGACY_FAMILIES: 'menus' })).toContain('set LEGACY_URL')
  })

  it('asks no endpoint about tokens unless there is one', () => {
    expect(messageOf({ LEGACY_TOKENS: 'ask' })).toMatch(/^LEGACY_TOKENS is ask, .* set LEGACY_URL/)
    expect(parseConfig({})).toMatchObject({ legacyTokens: 'off', legacyTokenUser: undefined })
    const env = { LEGACY_URL: 'http://old.test', LEGACY_TOKENS: 'ask', LEGACY_TOKEN_USER: 'alice' }
    expect(parseConfig(env)).toMatchObject({ legacyTokens: 'ask', legacyTokenUser: 'alice' })
  })

  it('refuses an old endpoint that is this service', () => {
    for (const LEGACY_URL of [
      'http://localhost:8080/v1',
      'http://127.0.0.1:8081',
      'http://[::1]:8080',
    ])
      expect(messageOf({ LEGACY_URL })).toContain('is the address of this service')
    expect(messageOf({ HOST: '10.0.0.7', LEGACY_URL: 'http://10.0.0.7:8080/' })).toContain(
      'LEGACY_URL',
    )
    expect(parseConfig({ LEGACY_URL: 'http://localhost:8088/v1/' }).legacyUrl).toBe(
      'http://localhost:8088/v1',
    )
    expect(parseConfig({ LEGACY_URL: 'https://old.test/v1' }).legacyUrl).toBe('https://old.test/v1')
  })

  it('does not repeat a password in a message', () => {
    expect(messageOf({ EXECUTOR_URL: 'http://user:hidden@h' })).not.toContain('hidden')
  })

  it.each([
    ['sslmode=REQUIRED&charset=utf8', 'unknown parameters: sslmode, charset. Valid parameters:'],
    ['ssl=1&ssl=0', 'the parameter ssl more than once'],
    ['ssl', 'the parameter ssl without a value'],
    ['ssl=yes', 'ssl=1, ssl=0'],
    ['ssl-mode=PREFERRED', 'DISABLED, REQUIRED, VERIFY_CA, VERIFY_IDENTITY'],
    ['ssl=1&ssl-mode=REQUIRED', 'both ssl and ssl-mode'],
    ['ssl-mode=REQUIRED&ssl-ca=/ca.pem', 'ssl-ca but does not verify'],
    ['ssl=0&ssl-ca=/ca.pem', 'ssl-ca but does not verify'],
    ['ssl=1&socketPath=/mysqld.sock', 'a Unix socket'],
  ])('rejects a database URL with %s', (parameters, reason) => {
    const message = messageOf({ DATABASE_URL: `mysql://u:secret@db.internal/name?${parameters}` })
    expect(message).toMatch(/^DATABASE_URL (?:has|enables) /)
    expect(message).toContain(reason)
    expect(message).not.toContain('secret')
  })

  it.each(['10.0.0.5', '[::1]'])('rejects the verification of the IP address %s', (host) => {
    const address = (parameters: string) => ({
      DATABASE_URL: `mysql://u@${host}/name?${parameters}`,
    })
    expect(messageOf(address('ssl=1'))).toContain('ssl-mode=VERIFY_CA')
    expect(messageOf(address('ssl-mode=VERIFY_CA'))).toBe('no error')
  })

  it.each([
    'ssl=1',
    'ssl=false',
    'ssl-mode=required',
    'ssl-mode=VERIFY_CA&ssl-ca=/ca.pem',
    'ssl-ca=/ca.pem',
    'socketPath=/mysqld.sock',
    'ssl=0&socketPath=/mysqld.sock',
  ])('accepts a database URL with %s', (parameters) => {
    expect(messageOf({ DATABASE_URL: `mysql://u@db.internal/name?${parameters}` })).toBe('no error')
  })

  it('ignores the name of a database for the feed', () => {
    const feedUrlOf = (url: string) => parseConfig({ FEED_DATABASE_URL: url }).feedDatabaseUrl
    expect(feedUrlOf('mysql://u:p%40@h:3307')).toBe('mysql://u:p%40@h:3307/')
    expect(feedUrlOf('mariadb://u@h/name?ssl=1')).toBe('mariadb://u@h/?ssl=1')
  })

  it('names all invalid variables together', () => {
    const lines = messageOf({ PORT: 'x', LOG_LEVEL: 'x', REDIS_URL: 'x' }).split('\n')
    expect(lines.map((line) => line.split(' ')[0]).sort()).toEqual([
      'LOG_LEVEL',
      'PORT',
      'REDIS_URL',
    ])
  })
})

describe('mistakes', () => {
  it.each([
    'mysql://user:pa#ss@host/name',
    'mysql://user:12#ss@host/name',
    'mysql://user:pa/ss@host/name',
    'mysql://user:12/ss@host/name',
    'mysql://user:pa?ss@host/name',
  ])('says which characters of %s to encode', (DATABASE_URL) => {
    expect(() => parseConfig({ DATABASE_URL })).toThrow(
      'DATABASE_URL cannot be read; in the user and password, write @ : / # ? % as %40 %3A %2F %23 %3F %25',
    )
  })

  it('finds variables that resemble known ones', () => {
    const env = { STATIC_DIRR: 'x', DATABASE_URI: 'y', HOME: '/', PATH: '/bin', LANG: 'C' }
    expect(parseConfig(env).suspectVariables).toEqual([
      'The variable STATIC_DIRR is not known and has no effect. Did you mean STATIC_DIR?',
      'The variable DATABASE_URI is not known and has no effect. Did you mean DATABASE_URL?',
    ])
  })

  it('does not suspect the variables of programs of Amazon, but their misspelt names', () => {
    const names = [
      'AWS_REGION',
      'AWS_DEFAULT_PROFILE',
      'AWS_CONFIG_FILE',
      'AWS_WEB_IDENTITY_TOKEN_FILE',
      'AWS_SECURITY_TOKEN',
      'AWS_CONTAINER_CREDENTIALS_FULL_URI',
      'AWS_CONTAINER_AUTHORIZATION_TOKEN',
    ]
    const env = Object.fromEntries(names.map((name) => [name, 'x']))
    expect(parseConfig(env).suspectVariables).toEqual([])
    expect(parseConfig({ AWS_SECRET_ACESS_KEY: 'x' }).suspectVariables).toEqual([
      'The variable AWS_SECRET_ACESS_KEY is not known and has no effect. Did you mean AWS_SECRET_ACCESS_KEY?',
    ])
  })
})
