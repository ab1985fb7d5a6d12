import { randomBytes } from 'node:crypto'
import { expect, it } from 'vitest'
import { useFront } from '../../support/front.ts'

/** Bytes that hardly compress: with its compressed forms a copy takes 2.5 times as many. */
const text = (bytes: number) => randomBytes((bytes * 3) / 4).toString('base64')

const front = await useFront({ staticMbPerSite: 1 })

it('the executor publishes no page beyond the limit of the site, and renders it on request', async () => {
  await front.frame(2, 'page', `<h1 data-op-bind="page.title"></h1>${text(150_000)}`)
  const { statics, republish } = await front.assign(2, 'page', [7, 8, 9])
  const published = [7, 8, 9].filter((page) => statics.get(page)?.published)
  expect(published).toHaveLength(2)
  const refused = [7, 8, 9].find((page) => !published.includes(page)) ?? 0
  expect(statics.get(refused)).toMatchObject({
    published: false,
    reason: 'quota',
    message: expect.stringContaining('STATIC_MB_PER_SITE'),
  })
  expect(republish).toMatchObject({
    status: 'ok',
    message: expect.stringMatching(/^Not published: 1 page/),
  })
  expect((await front.ask('http://net.test/shop/about-us/')).status).toBe(200)
  expect((await front.ask('http://net.test/shop/fr/a-propos/')).status).toBe(200)
  expect((await front.ask('http://net.test/shop/de/uber-uns/')).status).toBe(200)
})
