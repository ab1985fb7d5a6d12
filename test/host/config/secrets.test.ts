import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { EnvironmentSchema, parseConfig, secretVariables } from '../../../src/host/config/config.ts'
import { describeSetting } from '../../../src/host/config/secrets.ts'
import { configMessage } from '../../support/config-message.ts'
import { useFolder } from '../../support/use.ts'

const folder = await useFolder('secrets')

function file(text: string, name = 'secret'): string {
  const path = join(folder, name)
  writeFileSync(path, text)
  return path
}

/** A valid value of each secret, and what must be set with it. */
const VALUES: Readonly<Record<string, string>> = {
  DATABASE_URL: 'mysql://user:p%40ss@host/name',
  FEED_DATABASE_URL: 'mysql://user:p%40ss@host/',
  REDIS_URL: 'redis://:p%40ss@host',
  OBJECT_CACHE_URL: 'redis://:p%40ss@host',
  PAGE_CACHE_PURGE: 'http://user:p%40ss@cache',
  WP_FRAMES_OLD_DATABASE: 'mysql://user:p%40ss@host/old',
  WP_FRAMES_NEW_DATABASE: 'mysql://user:p%40ss@host/new',
}
const purge = (CACHE_PURGE: string) => ({ CACHE_TAG_HEADER: 'Cache-Tag', CACHE_PURGE })
const COMPANIONS: Readonly<Record<string, Record<string, string>>> = {
  FASTLY_API_TOKEN: purge('fastly://ID'),
  CLOUDFLARE_API_TOKEN: purge('cloudflare://ID'),
  AWS_ACCESS_KEY_ID: { AWS_SECRET_ACCESS_KEY: 'x' },
  AWS_SECRET_ACCESS_KEY: { AWS_ACCESS_KEY_ID: 'x' },
  AWS_SESSION_TOKEN: { AWS_ACCESS_KEY_ID: 'x', AWS_SECRET_ACCESS_KEY: 'x' },
}

/** Names of variables that may be those of a secret, and are not. */
const NO_SECRETS = [
  'AWS_SHARED_CREDENTIALS_FILE',
  'CACHE_TAG_PREFIX',
  // A user or a password in these addresses is refused.
  'CACHE_PURGE',
  'EXECUTOR_URL',
  'LEGACY_URL',
  'STATIC_TARGET',
  // Whether tokens are asked about, and the login that they act as.
  'LEGACY_TOKENS',
  'LEGACY_TOKEN_USER',
]

describe('the secrets', () => {
  it('are all variables that can contain one', () => {
    const suspects = Object.keys(EnvironmentSchema.shape).filter((name) =>
      /KEY|TOKEN|SECRET|PASS|CREDENTIAL|DATABASE|URL|TARGET|PURGE|PREFIX/.test(name),
    )
    const known = [...NO_SECRETS, 'TABLE_PREFIX']
    expect(suspects.filter((name) => !known.includes(name)).sort()).toEqual(
      [...secretVariables()].sort(),
    )
  })

  it.each(secretVariables())('%s is read from a file', (name) => {
    const value = VALUES[name] ?? 'a-value-without-spaces'
    const settings = parseConfig({ ...COMPANIONS[name], [name]: value })
    for (const end of ['', '\n', '\r\n']) {
      const path = file(`${value}${end}`)
      const config = parseConfig({ ...COMPANIONS[name], [`${name}_FILE`]: path, [name]: '' })
      expect(config).toEqual(settings)
    }
    expect(JSON.stringify(settings)).toMatch(/p%40ss|a-value-without-spaces/)
  })

  it('keep every other character of the file', () => {
    const { executorKey } = parseConfig({ EXECUTOR_KEY_FILE: file(' a\n\n') })
    expect(executorKey).toBe(' a\n')
  })

  it('may not be in a variable and in a file', () => {
    const env = { REDIS_URL: 'redis://host', REDIS_URL_FILE: file('redis://host') }
    expect(() => parseConfig(env)).toThrow(
      /^REDIS_URL_FILE is set, and so is REDIS_URL; unset one of them$/,
    )
  })

  it('that cannot be read stop the program, with the path and every other fault', () => {
    const missing = join(folder, 'missing')
    const env = { DATABASE_URL_FILE: missing, EXECUTOR_KEY_FILE: file(''), PORT: 'x' }
    expect(configMessage(env)?.split('\n')).toEqual([
      `DATABASE_URL_FILE names the file "${missing}", which cannot be read (ENOENT); check the path, and that the user of the service may read the file`,
      `EXECUTOR_KEY_FILE names the file "${join(folder, 'secret')}", which is empty; write the secret to it`,
      'PORT must be a whole number from 0 to 65535',
    ])
    expect(() => parseConfig({ DATABASE_URL_FILE: folder })).toThrow('EISDIR')
  })

  it('in a file are named when they are invalid, and never shown', () => {
    const path = file('mysql://user:se#cret@host/name')
    expect(() => parseConfig({ DATABASE_URL_FILE: path })).toThrow(/^DATABASE_URL \S+ be read/)
    expect(() => parseConfig({ DATABASE_URL_FILE: path })).not.toThrow(/cret/)
  })

  it('are no suspects, and their misspelt files are', () => {
    const env = {
      DATABASE_URL_FILE: file('mysql://host/name'),
      REDIS_URL_FIEL: 'x',
      PORT_FILE: 'x',
    }
    expect(parseConfig(env).suspectVariables).toEqual([
      'The variable REDIS_URL_FIEL is not known and has no effect. Did you mean REDIS_URL_FILE?',
    ])
  })
})

describe('the description of a value', () => {
  const { shape } = EnvironmentSchema
  it.each([
    ['DATABASE_URL', 'mysql://user:p%40ss@host:3306/name?ssl-ca=/x', 'mysql://host:3306/name'],
    ['REDIS_URL', 'redis://:pass@host/2', 'redis://host/2'],
    ['REDIS_URL', 'redis://user:12/ss@host', 'set'],
    ['PAGE_CACHE_PURGE', 'http://a, https://u:p@b', 'http://a,https://b'],
    ['EXECUTOR_KEY', 'https://looks-like-an-address', 'set'],
    ['OBJECT_CACHE_PREFIX', 'salt', 'set'],
    ['PORT', '8080', '8080'],
  ] as const)('of %s %s', (name, value, shown) => {
    expect(describeSetting(shape[name], value)).toBe(shown)
    expect(describeSetting(shape[name], '')).toBe('not set')
    expect(describeSetting(shape[name], undefined)).toBe('not set')
  })
})
