import { describe, expect, it } from 'vitest'
import { parseConfig } from '../../../src/host/config/config.ts'

const SECRETS = {
  FASTLY_API_TOKEN: 'fastly-secret',
  CLOUDFLARE_API_TOKEN: 'cloudflare-secret',
  AWS_ACCESS_KEY_ID: 'AKIDEXAMPLE',
  AWS_SECRET_ACCESS_KEY: 'aws-secret',
}

const read = (CACHE_PURGE: string, env: Record<string, string> = SECRETS) =>
  parseConfig({ CACHE_TAG_HEADER: 'Cache-Tag', CACHE_PURGE, ...env }).cachePurge

describe('CACHE_PURGE', () => {
  it('names page caches in order, with their secrets', () => {
    expect(
      read(
        'xkey+http://varnish-1:6081/, ban+https://varnish-2,fastly://SU1Z0isxPaozGVKXdv0eY,cloudflare://023e105f?plan=pro,cloudfront://E2QWRUHAPOMQZL?endpoint=http://127.0.0.1:9',
      ),
    ).toEqual([
      { kind: 'xkey', url: 'http://varnish-1:6081' },
      { kind: 'ban', url: 'https://varnish-2' },
      { kind: 'fastly', id: 'SU1Z0isxPaozGVKXdv0eY', token: 'fastly-secret' },
      { kind: 'cloudflare', id: '023e105f', plan: 'pro', token: 'cloudflare-secret' },
      {
        kind: 'cloudfront',
        id: 'E2QWRUHAPOMQZL',
        endpoint: 'http://127.0.0.1:9',
        accessKeyId: 'AKIDEXAMPLE',
        secretAccessKey: 'aws-secret',
        sessionToken: undefined,
      },
    ])
    expect(read('cloudflare://a')).toMatchObject([{ plan: 'free' }])
  })

  it.each([
    ['varnish:6081', 'contains "varnish:6081"; write xkey+http://'],
    ['xkey+ftp://varnish', 'contains "xkey+ftp://varnish"; write'],
    ['ban+http://user:secret@varnish', 'contains "ban+http://...@varnish"; write'],
    ['akamai://1', 'contains "akamai://1"; write'],
    ['fastly://', 'contains "fastly://"; write'],
    ['fastly://a/../b', 'contains "fastly://a/../b"; write'],
    ['fastly://a,', 'contains ""; write'],
    ['fastly://a?soft=0', 'contains the option "soft" in "fastly://a"; it knows endpoint only'],
    ['cloudflare://a?plan=big', 'has the plan "big"; it must be one of free, pro'],
    ['fastly://1?endpoint=fastly', 'has an endpoint that is not an address of HTTP'],
    ['fastly://a,bunny://1', 'contains bunny://; bunny.net is not purged any more'],
  ])('may not be %s', (text, message) => {
    expect(() => read(text)).toThrow(`CACHE_PURGE ${message}`)
  })

  it.each([
    ['fastly://a', 'FASTLY_API_TOKEN'],
    ['cloudflare://a', 'CLOUDFLARE_API_TOKEN'],
    ['cloudfront://a', 'AWS_ACCESS_KEY_ID'],
  ])('%s needs %s', (text, name) => {
    expect(() => read(text, {})).toThrow(
      `CACHE_PURGE contains ${text.slice(0, -1)}, so set ${name} too`,
    )
  })

  it('needs a header with tags', () => {
    expect(() => parseConfig({ CACHE_PURGE: 'xkey+http://varnish' })).toThrow(
      /^CACHE_PURGE purges by tag, so set CACHE_TAG_HEADER to the header/,
    )
    expect(parseConfig({ CACHE_TAG_HEADER: 'xkey' })).toMatchObject({
      cacheTags: { header: 'xkey', prefix: 'wpf' },
      cachePurge: [],
    })
  })
})
