import { describe, expect, it } from 'vitest'
import { createPurger } from '../../../../src/build/publishing/purgers/create-purger.ts'
import { PurgeError } from '../../../../src/build/publishing/purgers/tag-purger.ts'
import type { PurgerSetting } from '../../../../src/host/config/cache-purge.ts'
import {
  awsError,
  type CdnAnswer,
  type CdnRequest,
  cloudFrontApi,
  cloudflareApi,
  fastlyApi,
  startCdn,
} from '../../../support/cdn.ts'
import { freePort } from '../../../support/free-port.ts'
import { FAST } from '../../../support/timings.ts'
import { use } from '../../../support/use.ts'

/** Servers instead of the APIs, which answer in the documented shapes. */

type Api = (request: CdnRequest) => CdnAnswer
type CdnSetting = Exclude<PurgerSetting, { readonly kind: 'xkey' | 'ban' }>

const APIS: readonly (readonly [Api, CdnSetting])[] = [
  [fastlyApi, { kind: 'fastly', id: 'SU1Z0isxPaozGVKXdv0eY', token: 'fastly-secret' }],
  [
    cloudflareApi,
    {
      kind: 'cloudflare',
      id: '023e105f4ecef8ad9ca31a8372d0c353',
      plan: 'free',
      token: 'cloudflare-secret',
    },
  ],
  [
    cloudFrontApi,
    {
      kind: 'cloudfront',
      id: 'E2QWRUHAPOMQZL',
      accessKeyId: 'AKIDEXAMPLE',
      secretAccessKey: 'aws-secret',
      sessionToken: 'session-secret',
    },
  ],
]

const apiOf = (kind: CdnSetting['kind']) => {
  const found = APIS.find(([, setting]) => setting.kind === kind)
  if (!found) throw new Error(`no API for ${kind}`)
  return found
}
const settingOf = (kind: CdnSetting['kind']) => apiOf(kind)[1]

const TAGS = ['wpf-s2', 'wpf-s3-p7']

const failureOf = async (purging: Promise<void>): Promise<PurgeError> => {
  const error = await purging.then(
    () => undefined,
    (error: unknown) => error,
  )
  if (error instanceof PurgeError) return error
  throw new Error(`not a PurgeError: ${error}`)
}

describe.each(APIS)('%o', async (api, setting) => {
  const cdn = await use(startCdn(api))
  const purger = createPurger({ ...setting, endpoint: cdn.endpoint }, FAST.publishing)
  const tags = TAGS.slice(0, purger.limits.tagsPerRequest)

  it('purges', async () => {
    await purger.purge(tags)
    expect(cdn.requests).toHaveLength(1)
  })

  it('sends as many tags as it says', async () => {
    const many = Array.from(
      { length: purger.limits.tagsPerRequest },
      (_, page) => `wpf-s2-p${page}`,
    )
    await purger.purge(many)
  })

  it('says what to check if it is refused, and nothing secret', async () => {
    const other = createPurger(
      { ...setting, id: 'another', endpoint: cdn.endpoint },
      FAST.publishing,
    )
    const refused = await failureOf(other.purge(tags))
    expect(refused.message).toMatch(/ responded with 404 to a purge\. Check /)
    expect(refused.message).toMatch(new RegExp(`^${purger.name.replace('.', '\\.')} `))
    expect(refused.message).not.toMatch(/secret|AKID/)
    expect(refused.retryAfterMs).toBeUndefined()
  })

  it('says for how long it accepts no further purge', async () => {
    const pauses: readonly (readonly [Record<string, string>, number])[] = [
      [{ 'Retry-After': '7' }, 7000],
      [{ 'Retry-After': '86400' }, 300_000],
      [{}, FAST.publishing.busyMs],
    ]
    for (const [headers, ms] of pauses) {
      cdn.answer(() => ({ status: 429, headers, body: 'slow down' }))
      const busy = await failureOf(purger.purge(tags))
      expect([busy.message, busy.retryAfterMs]).toEqual([
        `${purger.name} accepts no further purge at the moment (status 429).`,
        ms,
      ])
    }
    const date = new Date(Date.now() + 20_000).toUTCString()
    cdn.answer(() => ({ status: 503, headers: { 'Retry-After': date } }))
    const { retryAfterMs } = await failureOf(purger.purge(tags))
    expect(retryAfterMs).toBeGreaterThan(15_000)
    expect(retryAfterMs).toBeLessThanOrEqual(20_000)
    cdn.answer()
  })

  it('follows no redirect, which would get the key', async () => {
    const other = await startCdn(() => ({ status: 200, body: '{"success":true}' }))
    cdn.answer(() => ({ status: 307, headers: { Location: `${other.endpoint}/` } }))
    expect((await failureOf(purger.purge(tags))).message).toContain('responded with 307')
    expect(other.requests).toEqual([])
    cdn.answer()
    await other.stop()
  })

  it('says that it cannot be reached', async () => {
    const endpoint = `http://127.0.0.1:${await freePort()}`
    const { message } = await failureOf(
      createPurger({ ...setting, endpoint }, FAST.publishing).purge(tags),
    )
    expect(message).toBe(`${purger.name} could not be reached for a purge (ECONNREFUSED).`)
  })
})

describe('the requests', async () => {
  const sent = async (kind: CdnSetting['kind'], tags: readonly string[]) => {
    const cdn = await startCdn(apiOf(kind)[0])
    await createPurger({ ...settingOf(kind), endpoint: cdn.endpoint }, FAST.publishing).purge(tags)
    await cdn.stop()
    const [request] = cdn.requests
    if (!request) throw new Error('no request')
    return request
  }

  it('to Fastly are soft', async () => {
    const { headers, body } = await sent('fastly', TAGS)
    expect(headers['fastly-soft-purge']).toBe('1')
    expect(JSON.parse(body)).toEqual({ surrogate_keys: TAGS })
  })

  it('to Cloudflare name the tags', async () => {
    expect(JSON.parse((await sent('cloudflare', TAGS)).body)).toEqual({ tags: TAGS })
  })

  it('to CloudFront begin tags with #, and are never the same invalidation', async () => {
    const bodies = [await sent('cloudfront', TAGS), await sent('cloudfront', TAGS)]
    const [first, second] = bodies.map(({ body }) => body)
    expect(first).toContain(
      '<Paths><Quantity>2</Quantity><Items><Path>#wpf-s2</Path><Path>#wpf-s3-p7</Path></Items></Paths>',
    )
    expect(first).not.toBe(second)
  })
})

it('Cloudflare may answer 200 and not purge', async () => {
  const cdn = await use(startCdn(() => ({ status: 200, body: '{"success":false,"errors":[]}' })))
  const purger = createPurger(
    { ...settingOf('cloudflare'), endpoint: cdn.endpoint },
    FAST.publishing,
  )
  expect((await failureOf(purger.purge(TAGS))).message).toMatch(/^Cloudflare did not purge\. Check/)
})

it('CloudFront may have too many invalidations in progress', async () => {
  const cdn = await use(startCdn(() => awsError(400, 'TooManyInvalidationsInProgress')))
  const purger = createPurger(
    { ...settingOf('cloudfront'), endpoint: cdn.endpoint },
    FAST.publishing,
  )
  expect((await failureOf(purger.purge(TAGS))).retryAfterMs).toBe(FAST.publishing.busyMs)
})

it('Varnish by xkey gets the tags in a header', async () => {
  const varnish = await use(startCdn(() => ({ status: 200 })))
  const purger = createPurger({ kind: 'xkey', url: varnish.endpoint }, FAST.publishing)
  await purger.purge(TAGS)
  const [request] = varnish.requests
  expect([request?.method, request?.headers['xkey-softpurge']]).toEqual(['PURGE', TAGS.join(' ')])
  varnish.answer(() => ({ status: 405 }))
  expect((await failureOf(purger.purge(TAGS))).message).toMatch(
    /^Varnish at 127\.0\.0\.1:\d+ responded with 405 to a purge\. Check that its VCL /,
  )
})
