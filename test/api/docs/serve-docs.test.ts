import { readdirSync } from 'node:fs'
import { resolve } from 'node:path'
import express from 'express'
import request from 'supertest'
import { describe, expect, it, vi } from 'vitest'
import { sendDocument } from '../../../src/api/docs/serve-docs.ts'
import { RateLimits } from '../../../src/auth/rate-limits.ts'
import { useApi } from '../../support/api.ts'

const BASE = '/wp-json/svc/v1'
const GUIDES = readdirSync(resolve(import.meta.dirname, '../../../docs'))
  .filter((file) => file.endsWith('.md'))
  .map((file) => file.replace(/\.md$/, ''))

const limits = new RateLimits({ requestsPerMinute: 500, authFailuresPerMinute: 1 })
const { api } = await useApi({ basePath: BASE, limits })

const get = (path: string) => request(api.url).get(`${BASE}${path}`)

describe('the OpenAPI document', () => {
  it('needs no token, and names its base path', async () => {
    const { body, headers } = await get('/openapi.json').expect(200).expect('Content-Type', /json/)
    expect(body).toMatchObject({ openapi: '3.1.0', servers: [{ url: BASE }] })
    expect(headers['cache-control']).toBe('no-cache')
    await get('/openapi.json').set('If-None-Match', String(headers.etag)).expect(304)
  })

  it('is generated at the next request after a failure', async () => {
    const read = vi.fn(() => Promise.resolve('1.2.3')).mockRejectedValueOnce(new Error('EMFILE'))
    const app = express().get('/', sendDocument('', read))
    app.use(((_error, _request, response, _next) => {
      response.sendStatus(500)
    }) satisfies express.ErrorRequestHandler)
    await request(app).get('/').expect(500)
    const { body } = await request(app).get('/').expect(200)
    expect(body.info.version).toBe('1.2.3')
  })

  it('is generated once for concurrent requests', async () => {
    const read = vi.fn(() => Promise.resolve('1.2.3'))
    const app = express().get('/', sendDocument('', read))
    await Promise.all([1, 2, 3].map(() => request(app).get('/').expect(200)))
    expect(read).toHaveBeenCalledTimes(1)
  })

  it('counts as a request of its address, not as a failed authentication', async () => {
    const answers = [await get('/openapi.json'), await get('/docs/'), await get('/openapi.json')]
    const [first, , third] = answers.map(({ headers }) => Number(headers['x-ratelimit-remaining']))
    expect(third).toBe(Number(first) - 2)
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
  })
})

describe('the pages of /docs', () => {
  it('show the pictures of a guide', async () => {
    const { text } = await get('/docs/console').expect(200)
    const pictures = [...text.matchAll(/<img src="([^"]+)"/g)].map(([, src]) => src)
    expect(pictures.length).toBeGreaterThan(5)
    for (const src of pictures)
      await get(`/docs/${src}`).expect(200).expect('Content-Type', 'image/png')
    await get('/docs/assets/../architecture.md').expect(404)
    await get('/docs/assets/..%2farchitecture.md').expect(404)
  })

  it('start with a list of all guides, with or without a trailing slash', async () => {
    await get('/docs').expect(301).expect('Location', `${BASE}/docs/`)
    const { text } = await get('/docs/').expect(200).expect('Content-Type', /html/)
    const listed = [...text.matchAll(/href="([a-z0-9-]+)"/g)].map(([, name]) => name)
    expect([...GUIDES].sort()).toEqual(
      [...new Set([...listed, 'index'])].filter((name) => name !== 'reference').sort(),
    )
  })

  it.each([...GUIDES, 'reference'])('have no broken link: %s', async (name) => {
    const { text } = await get(`/docs/${name}`).expect(200)
    const addresses = [...text.matchAll(/(?:href|src)="([^":]+)"/g)].map(([, address]) => address)
    for (const address of addresses) {
      const target = new URL(String(address), `${api.url}${BASE}/docs/${name}`)
      const answer = await request(api.url).get(target.pathname)
      expect(`${address} ${answer.status}`).toBe(`${address} 200`)
      if (target.hash) expect(answer.text).toContain(`id="${target.hash.slice(1)}"`)
    }
    expect(addresses.length).toBeGreaterThan(3)
  })

  it('allow a browser to load resources only from this service', async () => {
    const guide = await get('/docs/markup')
    expect(guide.headers['content-security-policy']).toBe(
      "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    )
    const reference = await get('/docs/reference')
    const policy = String(reference.headers['content-security-policy'])
    expect(policy).toContain("script-src 'self'; style-src 'self';")
    expect(policy).toContain("connect-src 'self';")
  })

  it.each([
    'nothing',
    '%2e%2e%2fpackage',
    'assets/nothing.png',
    'assets/%2e%2e%2findex.md',
    'index.md',
  ])('are no way to other files: %s', async (name) => {
    const { status, body } = await get(`/docs/${name}`)
    expect([status, body.code]).toEqual([404, 'rest_no_route'])
  })
})
