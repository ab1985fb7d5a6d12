import { describe, expect, it } from 'vitest'
import { useFront } from '../support/front.ts'

/**
 * Links of newsletters have parameters of thousands of characters.
 * Right: WordPress answers as without them, because no query variable has their name. RFC 9110, 15.5.15: 414 for a target that is too long.
 */
describe('long addresses', async () => {
  const front = await useFront()
  await front.frame(2, 'page', '<h1 data-op-bind="page.id"></h1>')
  await front.assign(2, 'page', [7])
  const ask = (path: string) => front.ask(`http://net.test${path}`)

  it.each([4_000, 5_000, 7_900, 15_000])('a query of %i characters', async (length) => {
    const query = `utm_content=${'x'.repeat(length - 12)}`
    expect(await ask(`/shop/about-us/?${query}`)).toMatchObject({ status: 200, body: '<h1>7</h1>' })
    const redirected = await ask(`/shop/about-us?${query}`)
    expect(redirected.status).toBe(301)
    expect(redirected.headers.location).toBe(`http://net.test/shop/about-us/?${query}`)
    expect((await ask(`/shop/nothing/?${query}`)).status).toBe(404)
  })

  it.each([
    [4_096, 404],
    [4_097, 414],
    [9_000, 414],
  ])('a path of %i characters: %i', async (length, status) => {
    expect((await ask(`/${'a'.repeat(length - 1)}`)).status).toBe(status)
    expect((await ask(`/${'a'.repeat(length - 1)}?a=b`)).status).toBe(status)
  })

  it.each(['/shop/%', '/shop/%2e%2e/', '/shop/a%2fb/', '/shop/%00'])(
    '%s is no address, whatever its length',
    async (path) => {
      expect((await ask(path)).status).toBe(400)
    },
  )
})
