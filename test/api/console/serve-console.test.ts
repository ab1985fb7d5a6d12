import { gzipSync } from 'node:zlib'
import request from 'supertest'
import { describe, expect, it } from 'vitest'
import { RateLimits } from '../../../src/record/auth/rate-limits.ts'
import { useApi } from '../../support/api.ts'

const BASE = '/wp-json/svc/v1'
const MAX_FIRST_VIEW_BYTES = 150_000

const limits = new RateLimits({ rateLimitPerMinute: 500, authFailuresPerMinute: 1 })
const { api } = await useApi({ basePath: BASE, limits })

const get = (path: string) => request(api.url).get(`${BASE}${path}`)

describe('the console', () => {
  it('is a page with a strict policy, which a browser revalidates', async () => {
    await get('/console').expect(301).expect('Location', `${BASE}/console/`)
    const { text, headers } = await get('/console/').expect(200).expect('Content-Type', /html/)
    expect(headers).toMatchObject({ 'cache-control': 'no-cache', 'referrer-policy': 'no-referrer' })
    expect(headers['content-security-policy']).toContain("default-src 'none'; script-src 'self'")
    expect(headers['content-security-policy']).not.toContain('unsafe')
    expect(text).not.toMatch(/<style|style=|<script>| on\w+=/)
    await get('/console/').set('If-None-Match', String(headers.etag)).expect(304)
  })

  it('loads less than 150 kB, compressed, before the first view; its files never change', async () => {
    const { text } = await get('/console/').expect(200)
    const scripts = new Set(
      [...text.matchAll(/(?:href|src)="(assets\/[^"]+)"/g)].map(([, name]) => name),
    )
    let bytes = gzipSync(text).length
    for (const name of scripts) {
      const { body, text: content, headers } = await get(`/console/${name}`).expect(200)
      expect(headers['cache-control']).toBe('public, max-age=31536000, immutable')
      bytes += gzipSync(content ?? body).length
      for (const [, imported] of (content ?? '').matchAll(/from"\.\/([\w-]+\.js)"/g))
        scripts.add(`assets/${imported}`)
    }
    expect(scripts.size).toBeGreaterThan(3)
    expect(bytes).toBeLessThan(MAX_FIRST_VIEW_BYTES)
  })

  it('shows pages of sites in a document that runs only its own script', async () => {
    const { headers, text } = await get('/console/preview-frame').expect(200)
    const policy = String(headers['content-security-policy'])
    expect(policy).toMatch(/^sandbox allow-scripts; default-src 'none'; script-src 'sha256-[^']+';/)
    expect(policy).not.toMatch(/script-src[^;]*(?:unsafe|self|\*)/)
    expect(policy).toContain("frame-ancestors 'self'")
    expect(text).toContain('<script>')
  })

  it.each([
    '/console/assets/../index.html',
    '/console/assets/..%2f..%2f..%2fpackage.json',
    '/console/x',
  ])('has no other file: %s', async (path) => {
    const { body } = await get(path).expect(404)
    expect(body.code).toBe('rest_no_route')
  })

  it('counts as a request of its address, not as a failed authentication', async () => {
    const answers = [await get('/console/'), await get('/console/'), await get('/console/')]
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    const [first, , third] = answers.map(({ headers }) => Number(headers['x-ratelimit-remaining']))
    expect(third).toBe(Number(first) - 2)
  })

  it('does not count the scripts and styles of a view, only files that do not exist', async () => {
    const remaining = async (path: string) =>
      (await get(path)).headers['x-ratelimit-remaining'] as string | undefined
    const { text } = await get('/console/')
    const [, script] = /src="(assets\/[^"]+)"/.exec(text) ?? []
    const before = Number(await remaining('/console/'))
    expect(await remaining(`/console/${script}`)).toBeUndefined()
    expect(Number(await remaining('/console/assets/none.js'))).toBe(before - 1)
  })
})
