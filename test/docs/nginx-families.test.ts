import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { endpointsOn } from '../../src/api/endpoints.ts'

/** `compat/nginx.test.ts` runs nginx with this block. */
const PAGE = resolve(import.meta.dirname, '../../docs/scale-and-caches.md')
const [block = ''] = [...readFileSync(PAGE, 'utf8').matchAll(/^```nginx\n(.*?)^```/gms)].map(
  ([, text = '']) => text,
)
const patterns = [...block.matchAll(/^ *"~(.*)" \$svc_path;$/gm)].map(
  ([, pattern = '']) => new RegExp(pattern),
)
const isServed = (path: string): boolean => patterns.some((pattern) => pattern.test(path))

/** A path that a PHP endpoint serves in another form. */
const COLLISION = '/pages'

describe('the map of families for nginx', () => {
  it('sends every endpoint to wp-frames, except the one that collides', () => {
    const paths = endpointsOn('site').map(({ path }) => path)
    expect(paths).toContain(COLLISION)
    for (const path of paths)
      for (const address of [path, `/site/2${path}`])
        expect([address, isServed(address)]).toEqual([address, path !== COLLISION])
  })

  it('sends the paths of the network and those without a token to wp-frames', () => {
    const paths = [
      ...endpointsOn('network').map(({ path }) => `/network${path}`),
      ...endpointsOn('caller').map(({ path }) => path),
      '/docs/',
      '/console/app.js',
      '/mcp',
      '/openapi.json',
    ]
    expect(paths.filter((path) => !isServed(path))).toEqual([])
  })

  it.each(['/media', '/site/2/media/7', '/framesets', '/site/2/sites', '/', ''])(
    'leaves %s to PHP',
    (path) => expect(isServed(path)).toBe(false),
  )
})
