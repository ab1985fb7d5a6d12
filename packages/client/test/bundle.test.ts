import { createContext, runInContext } from 'node:vm'
import { describe, expect, it } from 'vitest'
import { bundleClient, sizesOf } from '../../../tools/bundle-client.ts'

const bundle = await bundleClient()

describe('the bundled client', () => {
  it('works with nothing but web APIs', async () => {
    const requests: Request[] = []
    const web = { fetch, Request, Response, Headers, FormData, URL, URLSearchParams, AbortSignal }
    const context = createContext({
      ...web,
      AbortController,
      crypto,
      setTimeout,
      clearTimeout,
      send: async (request: Request) => {
        requests.push(request)
        return Response.json({ success: true, frames: [{ slug: 'header' }] })
      },
    })
    const slugs = await runInContext(
      `${bundle};
      wpFrames.createClient({ url: 'http://net.test', token: 'op_', fetch: send })
        .listFrames({ site_id: 2 }).then(({ frames }) => frames.map(({ slug }) => slug).join())`,
      context,
    )
    expect(slugs).toBe('header')
    expect(requests.map(({ url }) => url)).toEqual(['http://net.test/site/2/frames'])
  })

  it('is small', () => {
    const sizes = sizesOf(bundle)
    expect(sizes.minified).toBeLessThan(20)
    // As docs/client.md says.
    expect(sizes.compressed).toBeLessThan(8)
  })
})
