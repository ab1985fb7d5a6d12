import { readdirSync } from 'node:fs'
import { resolve } from 'node:path'
import express from 'express'
import request from 'supertest'
import { describe, expect, it, vi } from 'vitest'
import { sendDocument, sendSource } from '../../../src/api/docs/serve-docs.ts'
import { RateLimits } from '../../../src/record/auth/rate-limits.ts'
import { useApi } from '../../support/api.ts'

const BASE = '/wp-json/svc/v1'
const GUIDES = readdirSync(resolve(import.meta.dirname, '../../../docs'))
  .filter((file) => file.endsWith('.md'))
  .map((file) => file.replace(/\.md$/, ''))

const limits = new RateLimits({ rateLimitPerMinute: 500, authFailuresPerMinute: 1 })
const { api } = await useApi({ basePath: BASE, limits })

const get = (path: string) => request(api.url).get(`${BASE}${path}`)

describe('pages that are not built', () => {
  const app = express().get('/:name', ({ params }, response) => sendSource(response, params.name))

  it('are sent as they are in the repository, with how to build them', async () => {
    const { text } = await request(app).get('/start').expect(200).expect('Content-Type', /plain/)
    expect(text).toMatch(/^This is the source of a page\. Run "npm run build:docs"/)
    expect(text).toContain('\n# ')
  })

  it.each(['/missing', '/..%2FREADME', '/%2e%2e'])('are not there at %s', async (path) => {
    const { text } = await request(app).get(path)
    expect(text).not.toContain('# ')
  })
})

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
    const { text } = await get('/docs/editing').expect(200)
    const pictures = [...text.matchAll(/<img src="([^"]+\.png)"/g)].map(([, src]) => src)
    expect(pictures.length).toBeGreaterThan(5)
    for (const src of pictures) {
      const { headers } = await request(api.url).get(`${src}`).expect(200)
      expect(headers['content-type']).toBe('image/png')
      expect(headers['cache-control']).toContain('immutable')
    }
  })

  it('begin at /docs/, and are revalidated', async () => {
    await get('/docs').expect(301).expect('Location', `${BASE}/docs/`)
    const { text, headers } = await get('/docs/').expect(200).expect('Content-Type', /html/)
    expect(text).toContain('<h1 id="wp-frames"')
    expect(headers['cache-control']).toBe('no-cache')
    await get('/docs/').set('If-None-Match', String(headers.etag)).expect(304)
  })

  it('are found by their names, also where a folder has the same name', async () => {
    for (const name of [...GUIDES, 'commands/frames-push', 'reference'])
      expect((await get(`/docs/${name}`)).status, name).toBe(200)
  })

  it('show scripts as texts', async () => {
    const { text } = await get('/docs/scripts/copy-menu.ts').expect('Content-Type', /^text\/plain/)
    expect(text).toMatch(/^\/\/ Copies the menu/)
  })

  it('allow a browser to load resources only from this service', async () => {
    for (const name of ['markup', 'reference', 'nothing']) {
      const { headers } = await get(`/docs/${name}`)
      expect(headers['content-security-policy']).toBe(
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
      )
    }
  })

  it.each([
    'nothing',
    'commands/nothing',
    'assets',
    '%2e%2e%2fpackage',
    'assets/nothing.png',
    'assets/%2e%2e%2findex.html',
    'assets/..%2f..%2fmain.js',
    'index.md',
  ])('are no way to other files, and say so in HTML: %s', async (name) => {
    const { text } = await get(`/docs/${name}`).expect(404).expect('Content-Type', /html/)
    expect(text).toContain('<title>404')
  })

  it('take no other method', async () => {
    const { body } = await request(api.url).post(`${BASE}/docs/`).expect(404)
    expect(body.code).toBe('rest_no_route')
  })
})
