import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { startApi } from '../../../../test/support/api.ts'
import { useFront } from '../../../../test/support/front.ts'
import { use } from '../../../../test/support/use.ts'
import { MAX_KEPT_BACK_BYTES } from '../../src/old-endpoint/answer-streams.ts'
import { legacyAt, startOldEndpoint } from '../old-endpoint.ts'

const SERVICES = 16

const old = await use(startOldEndpoint())
const front = await useFront()
const { executor, network } = front
const api = await use(startApi(network, { executor, ...legacyAt(old.url, 'frames') }))
const agent = await api.as()
const { posts } = (await network.site(2)).tables

const copy = (): string | undefined => {
  const file = join(front.staticDir, 'net.test/shop/services/index.html')
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined
}

let title = 'Services'
let statusOfOld = 200
let answerOfOld = '{"success":true}'

beforeAll(async () => {
  await front.frame(2, 'page', '<h1 data-op-bind="page.title"></h1>')
  await front.assign(2, 'page', [SERVICES])
  await (await api.as('alice')).post('/site/2/changed')
  old.answer = async (_request, response) => {
    await network.db.sql(posts).where({ ID: SERVICES }).update({ post_title: title })
    response.writeHead(statusOfOld, { 'Content-Type': 'application/json' }).end(answerOfOld)
  }
})
beforeEach(() => {
  title = `Services ${Math.random()}`
  statusOfOld = 200
  answerOfOld = '{"success":true}'
})

describe('when a passed write is answered, the page shows it', () => {
  it.each([
    ['the site in the path', 'put', '/site/2/pages/16', undefined],
    ['blog_id in the query', 'post', '/pages/16?blog_id=2', undefined],
    ['the address of the site', 'post', '/pages/16?domain=net.test/shop', undefined],
    ['blog_id in the body', 'post', '/pages/16', { blog_id: 2 }],
    ['no site at all', 'post', '/translations', { any: true }],
    ['a family of the old endpoint', 'put', '/site/2/frames/page', { html: 'x' }],
    ['a method in the query', 'get', '/site/2/media?_method=DELETE', undefined],
    ['a method in the query as PHP reads it', 'get', '/site/2/media?.method=DELETE', undefined],
    ['a number that this service does not accept', 'put', '/site/02/pages/16', undefined],
    ['another number that it does not accept', 'put', '/pages/16?blog_id=02', undefined],
    ['a site that it does not find', 'put', '/pages/16?domain=https://net.test/shop', undefined],
  ] as const)('with %s', async (_how, method, path, body) => {
    const { status } = await agent[method](path).send(body)
    expect([status, copy()]).toEqual([200, `<h1>${title}</h1>`])
  })

  it('with the site in a header', async () => {
    await agent.post('/pages/16').set('X-Svc-Blog-Id', '2')
    expect(copy()).toBe(`<h1>${title}</h1>`)
  })

  it('with a site in the body that overrides the one in the header, in any format', async () => {
    const other = () => agent.post('/media').set('X-Svc-Blog-Id', '3')
    await other().type('form').send({ blog_id: 2 })
    expect(copy()).toBe(`<h1>${title}</h1>`)
    title = 'Services in JSON'
    await other()
      .type('json')
      .send({ padding: 'x'.repeat(1_200_000), blog_id: 2 })
    expect(copy()).toBe('<h1>Services in JSON</h1>')
  })

  it('also if a part of the work was done before an error', async () => {
    statusOfOld = 404
    answerOfOld = '{"success":false,"error":"parent_not_found","created_stubs":[7]}'
    await agent.post('/site/2/translations').expect(404)
    expect(copy()).toBe(`<h1>${title}</h1>`)
  })

  it('also if the write was answered with an error of the server', async () => {
    statusOfOld = 500
    expect((await agent.post('/site/2/media')).status).toBe(500)
    expect(copy()).toBe(`<h1>${title}</h1>`)
  })

  it('also at the end of an answer that is too long to keep back', async () => {
    answerOfOld = JSON.stringify('x'.repeat(MAX_KEPT_BACK_BYTES * 2))
    const { text } = await agent.post('/site/2/media')
    expect([text.length, copy()]).toEqual([answerOfOld.length, `<h1>${title}</h1>`])
  })

  it('also if the connection to the old endpoint broke after the write', async () => {
    const { answer } = old
    old.answer = async (_request, response) => {
      await network.db.sql(posts).where({ ID: SERVICES }).update({ post_title: title })
      response.destroy()
    }
    expect((await agent.post('/site/2/media')).status).toBe(502)
    expect(copy()).toBe(`<h1>${title}</h1>`)
    old.answer = answer
  })

  it('for each of many writes at the same time', async () => {
    const answers = await Promise.all(
      Array.from({ length: 12 }, () => agent.put('/site/2/pages/16')),
    )
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 12 }, () => 200))
    expect(copy()).toBe(`<h1>${title}</h1>`)
  })
})

it('does not look for edits after a read and after a refusal', async () => {
  const before = copy()
  await agent.get('/site/2/media')
  statusOfOld = 401
  expect((await agent.post('/site/2/media')).status).toBe(401)
  statusOfOld = 400
  answerOfOld = '{"code":"rest_missing_callback_param","message":"","data":{"status":400}}'
  expect((await agent.post('/media')).status).toBe(400)
  expect(copy()).toBe(before)
})

it('waits no longer than the budget of effects', async () => {
  const legacy = legacyAt(old.url)
  const hasty = await use(startApi(network, { executor, ...legacy, effectsBudgetMs: 0 }))
  const begin = performance.now()
  await (await hasty.as()).post('/site/2/media').expect(200)
  expect(performance.now() - begin).toBeLessThan(2000)
})

it('answers a passed write also when the site cannot be compared', async () => {
  expect((await agent.post('/site/999/media')).status).toBe(200)
  expect((await agent.post('/media?blog_id=x')).status).toBe(200)
})
