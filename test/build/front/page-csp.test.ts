import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { useFront } from '../../support/front.ts'

const POLICY = "script-src 'self'; object-src 'none'"
const ABOUT = 'http://net.test/shop/about-us/'

const front = await useFront({ pageCsp: POLICY })
await front.frame(2, 'page', '<h1 data-op-bind="page.title"></h1>')
await front.assign(2, 'page', [7])

it('the front sends PAGE_CSP with static copies, rendered pages and error pages', async () => {
  const copy = await front.ask(ABOUT)
  expect(copy).toMatchObject({ status: 200, headers: { 'content-security-policy': POLICY } })
  const headers = { 'If-None-Match': String(copy.headers.etag) }
  expect(await front.ask(ABOUT, { headers })).toMatchObject({
    status: 304,
    headers: { 'content-security-policy': POLICY },
  })
  rmSync(join(front.staticDir, 'net.test'), { recursive: true })
  for (const [url, method, status] of [
    [ABOUT, 'GET', 200],
    ['http://net.test/shop/none/', 'GET', 404],
    ['http://net.test/archived/', 'GET', 410],
    [ABOUT, 'POST', 405],
  ] as const) {
    const answer = await front.ask(url, { method })
    expect([answer.status, answer.headers['content-security-policy']]).toEqual([status, POLICY])
  }
})

it('the front sends no policy if none is set', async () => {
  const plain = await useFront()
  expect((await plain.ask('http://net.test/')).headers).not.toHaveProperty(
    'content-security-policy',
  )
})
