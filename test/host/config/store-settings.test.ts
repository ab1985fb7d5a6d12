import { describe, expect, it } from 'vitest'
import { parseConfig } from '../../../src/host/config/config.ts'
import { configMessage } from '../../support/config-message.ts'

const settings = (target: string, env: Record<string, string> = {}) =>
  parseConfig({ STATIC_TARGET: target, ...env })
const problemOf = (target: string, env: Record<string, string> = {}): string =>
  configMessage({ STATIC_TARGET: target, ...env }) ?? 'no problem'

describe('STATIC_TARGET', () => {
  it('names a bucket of Amazon, with or without a prefix', () => {
    const { staticDir, staticStore } = settings('s3://my-pages/live/eu?region=eu-west-1')
    expect(staticDir).toBeUndefined()
    expect(staticStore?.address).toEqual({
      bucket: 'my-pages',
      prefix: 'live/eu/',
      region: 'eu-west-1',
      endpoint: 'https://s3.eu-west-1.amazonaws.com',
      baseUrl: 'https://my-pages.s3.eu-west-1.amazonaws.com/',
      cacheControl: 'public, max-age=0, must-revalidate',
    })
    expect(settings('s3://my.pages').staticStore?.address).toMatchObject({
      prefix: '',
      baseUrl: 'https://s3.us-east-1.amazonaws.com/my.pages/',
    })
  })

  it('names a bucket of another store', () => {
    const target = 's3://pages?endpoint=http://127.0.0.1:7480/s3/&cache-control=no-cache'
    expect(settings(target).staticStore?.address).toMatchObject({
      baseUrl: 'http://127.0.0.1:7480/s3/pages/',
      cacheControl: 'no-cache',
    })
  })

  it('leaves the folder as it is if it is not set', () => {
    expect(parseConfig({})).toMatchObject({ staticDir: '.data/static', staticStore: undefined })
    expect(parseConfig({ STATIC_TARGET: '' }).staticStore).toBeUndefined()
  })

  it.each([
    ['https://bucket.example.net', 'must start with s3://'],
    ['s3://Bucket_1', 'a bucket has 3 to 63 lower-case letters'],
    ['s3://key:secret@bucket', 'must not contain credentials'],
    ['s3://bucket?zone=x', 'has the parameter "zone", which is not known'],
    ['s3://bucket/.hidden', 'has a prefix with other characters'],
    ['s3://bucket/a%20b', 'has a prefix with other characters'],
    ['s3://bucket?region=EU%20West', 'names the region "EU West"'],
    ['s3://bucket?endpoint=ftp://x', 'has an endpoint that is no address'],
    ['s3://bucket?endpoint=http://k:s@x', 'has an endpoint that is no address'],
  ])('refuses %s', (target, problem) => {
    expect(problemOf(target)).toMatch(/^STATIC_TARGET /)
    expect(problemOf(target)).toContain(problem)
    expect(problemOf(target)).not.toContain('secret')
  })

  it('refuses a folder besides a store, and half of the keys', () => {
    expect(problemOf('s3://bucket', { STATIC_DIR: '/srv/static' })).toContain('are both set')
    expect(settings('s3://bucket', { STATIC_DIR: '' }).staticStore).toBeDefined()
    const problem = problemOf('s3://bucket', { AWS_SECRET_ACCESS_KEY: 'hidden' })
    expect(problem).toContain('AWS_ACCESS_KEY_ID is not set')
    expect(problem).not.toContain('hidden')
  })

  it('takes keys from the variables, else from a file', () => {
    const keys = { AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 's', AWS_SESSION_TOKEN: 't' }
    expect(settings('s3://bucket', keys).staticStore?.credentials).toEqual({
      keys: { accessKeyId: 'id', secretAccessKey: 's', sessionToken: 't' },
      profile: 'default',
    })
    const file = { AWS_SHARED_CREDENTIALS_FILE: '/run/keys', AWS_PROFILE: 'pages' }
    expect(settings('s3://bucket', file).staticStore?.credentials).toEqual({
      file: '/run/keys',
      profile: 'pages',
    })
  })
})
