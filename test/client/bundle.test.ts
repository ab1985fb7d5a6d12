import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { createContext, runInContext } from 'node:vm'
import { gzipSync } from 'node:zlib'
import { build } from 'esbuild'
import { beforeAll, describe, expect, it } from 'vitest'

const ROOT = resolve(import.meta.dirname, '../..')

/** The client with what it imports, minified, as a script that sets `wpFrames`. */
let bundle: string
beforeAll(async () => {
  const { outputFiles } = await build({
    entryPoints: [resolve(ROOT, 'client/index.ts')],
    ...{ bundle: true, minify: true, write: false },
    // A module of Node.js cannot be resolved for this platform.
    platform: 'neutral',
    ...{ format: 'iife', globalName: 'wpFrames', mainFields: ['module', 'main'] },
  })
  bundle = outputFiles[0]?.text ?? ''
})

describe('the bundled client', () => {
  it('works with nothing but web APIs', async () => {
    const requests: Request[] = []
    const web = { fetch, Request, Response, Headers, FormData, URL, URLSearchParams, AbortSignal }
    const context = createContext({
      ...{ ...web, AbortController, crypto, setTimeout, clearTimeout },
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

  it('has the size that the guide names', () => {
    const [, minified, compressed] =
      /(\d+) kB minified, (\d+) kB compressed/.exec(
        readFileSync(resolve(ROOT, 'docs/scripts.md'), 'utf8'),
      ) ?? []
    const kilobytes = (bytes: number): string => String(Math.ceil(bytes / 1000))
    expect([kilobytes(bundle.length), kilobytes(gzipSync(bundle).length)]).toEqual([
      minified,
      compressed,
    ])
  })
})
