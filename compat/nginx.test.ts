import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { beforeAll, describe, expect, inject, it } from 'vitest'
import { legacyAt } from '../packages/migration/test/old-endpoint.ts'
import { startApi, type TestApi } from '../test/support/api.ts'
import { use } from '../test/support/use.ts'
import { wordpressEnvironment } from './setup/serve-wordpress.ts'
import { type CompatFixture, createCompatFixture } from './support/compat-fixture.ts'
import { oldEndpoint } from './support/old-endpoint.ts'
import { GIF } from './support/two-endpoints.ts'
import {
  type Fpm,
  type Nginx,
  startFpm,
  startNginx,
  type WebRequest,
} from './support/web-server.ts'

const WHOLE = resolve(import.meta.dirname, '../ops/nginx/with-wordpress.conf')
const PAGE = resolve(import.meta.dirname, '../docs/scale-and-caches.md')
const BASE_PATH = '/wp-json/svc/v1'
const servers = inject('compat')
/** The tests start a php-fpm of their own, which needs WordPress's files. */
const hasFiles = 'problem' in servers || servers.files !== undefined

describe.runIf(hasFiles)('nginx with WordPress and wp-frames', async () => {
  let fixture: CompatFixture
  let fpm: Fpm
  let whole: Nginx
  let families: Nginx
  /** The whole path; wp-frames passes what it does not serve, and pages, to the old endpoint. */
  let passing: Nginx
  let passingApi: TestApi
  /** Tokens of the site's administrator: of wp-frames and of the old endpoint. */
  let newToken = ''
  let oldToken = ''
  let folder = ''
  let site = ''
  let shop = ''

  beforeAll(async () => {
    if ('problem' in servers) throw new Error(servers.problem)
    if (!servers.files) return
    const { root, pluginsDir } = servers.files
    folder = await mkdtemp(join(tmpdir(), 'nginx-'))
    const staticDir = join(folder, 'static')
    const api = { basePath: BASE_PATH, trustProxy: 'loopback' }
    fixture = await createCompatFixture({ api, staticDir })
    newToken = await fixture.api.token(fixture.admin)
    oldToken = await oldEndpoint().token(fixture.admin)
    site = `/site/${fixture.site.blogId}`
    shop = fixture.site.path.slice(0, -1)
    fpm = await startFpm(folder, wordpressEnvironment(servers.databaseUrl, pluginsDir))
    const wholeBlock = await readFile(WHOLE, 'utf8')
    const [, familiesMap = ''] = /^```nginx\n(.*?)^```/ms.exec(await readFile(PAGE, 'utf8')) ?? []
    const familiesBlock = replace(
      wholeBlock,
      /^map \$svc_path \$svc_served \{.*?^\}\n/ms,
      familiesMap,
    )
    const configure = (block: string, apiUrl: string) => (listen: string) =>
      [
        [/listen 80;/g, `listen ${listen};`],
        [/127\.0\.0\.1:8080/g, new URL(apiUrl).host],
        [/unix:\/run\/php\/php-fpm\.sock/g, `unix:${fpm.socket}`],
        [/\/var\/www\/wordpress/g, root],
        [/\/var\/lib\/wp-frames\/static/g, staticDir],
      ].reduce((text, [pattern, value]) => replace(text, pattern as RegExp, String(value)), block)
    whole = await startNginx(join(folder, 'whole'), configure(wholeBlock, fixture.api.url))
    families = await startNginx(join(folder, 'families'), configure(familiesBlock, fixture.api.url))
    const { executor, network } = fixture
    const legacy = legacyAt(oldEndpoint().url, 'pages')
    passingApi = await startApi(network, { ...api, executor, ...legacy })
    passing = await startNginx(join(folder, 'passing'), configure(wholeBlock, passingApi.url))
    const pages = await fixture.wp<number[]>('make_pages', [
      { title: 'Copied' },
      { title: 'Bare', content: 'Of PHP' },
      { title: 'Ελλάδα' },
    ])
    await fixture.done('post', '/frames', {
      slug: 'page',
      html: '<!DOCTYPE html><body data-by="wp-frames"><h1 data-op-bind="page.title"></h1></body>',
    })
    for (const page of [pages[0], pages[2]])
      await fixture.done('post', '/frames/page/assign', { page })
    await fixture.done('post', '/menus', { name: 'Main', location: 'header', items: ['bare'] })
  })
  await use({
    stop: async () => {
      await whole?.stop()
      await families?.stop()
      await passing?.stop()
      await passingApi?.close()
      await fpm?.stop()
      await fixture?.close()
      await rm(folder, { recursive: true, force: true })
    },
  })

  /** Which program answered, what, and with which status. */
  const ask = async (nginx: Nginx, path: string, asked: WebRequest & { token?: string } = {}) => {
    const { token, headers, ...rest } = asked
    const answer = await nginx.ask(path, {
      ...rest,
      headers: { ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }), ...headers },
    })
    const isPhp = String(answer.headers['x-powered-by']).startsWith('PHP')
    const by = isPhp ? 'php' : answer.headers['x-request-id'] ? 'wp-frames' : 'nginx'
    return { ...answer, by }
  }

  describe.each([
    ['the whole path', () => whole],
    ['families', () => families],
  ])('%s', (_, nginx) => {
    it.each([
      ['/wp-login.php', 200, /<title>Log In/],
      ['/SHOP/wp-login.php', 200, /<title>Log In/],
      ['/wp-json/', 200, /"namespaces":/],
      ['/SHOP/wp-json/', 200, /"namespaces":/],
      ['/SHOP/wp-json/wp/v2/pages?slug=bare', 200, /Of PHP/],
      ['/SHOP/?rest_route=/wp/v2/pages&slug=bare', 200, /Of PHP/],
      ['/SHOP/nothing-here/', 404, /./],
      ['/SHOP/wp-json/svc-old/v1/frames', 401, /"missing_token"/],
    ])('PHP answers %s with %d', async (path, status, text) => {
      const answer = await ask(nginx(), path.replace('/SHOP', shop))
      expect(answer).toMatchObject({ by: 'php', status, text: expect.stringMatching(text) })
    })

    it.each(['/wp-admin/', '/SHOP/wp-admin/', '/wp-admin/network/', '/SHOP/wp-admin/edit.php'])(
      'PHP redirects %s to the login page',
      async (path) => {
        const { by, status, headers } = await ask(nginx(), path.replace('/SHOP', shop))
        expect([by, status, headers.location]).toEqual([
          'php',
          302,
          expect.stringContaining('/wp-login.php?redirect_to='),
        ])
      },
    )

    it('adds the slash to /wp-admin', async () => {
      for (const path of ['/wp-admin', `${shop}/wp-admin`]) {
        const { status, headers } = await ask(nginx(), path)
        expect([status, headers.location]).toEqual([301, `http://net.test${path}/`])
      }
    })

    it('sends files of themes and of WordPress', async () => {
      for (const path of [
        '/wp-content/themes/four-places/style.css',
        `${shop}/wp-content/themes/four-places/style.css`,
        `${shop}/wp-includes/css/buttons.css`,
      ]) {
        const { by, status, headers } = await ask(nginx(), path)
        expect([by, status, headers['content-type']]).toEqual(['nginx', 200, 'text/css'])
      }
    })

    it.each([
      ['below the host', (path: string) => `${BASE_PATH}${site}${path}`],
      ['below a site in a subdirectory', (path: string) => `${shop}${BASE_PATH}${site}${path}`],
      ['in the older addressing', (path: string) => `${BASE_PATH}${path}?domain=net.test${shop}`],
      [
        'in the older addressing, below a site',
        (path: string) => `${shop}${BASE_PATH}${path}?blog_id=${fixture.site.blogId}`,
      ],
      ['in rest_route', (path: string) => `/?rest_route=/svc/v1${site}${path}`],
      [
        'in rest_route below a site',
        (path: string) =>
          `${shop}/?blog_id=${fixture.site.blogId}&rest_route=/svc/v1${site}${path}`,
      ],
      [
        'in an encoded rest_route',
        (path: string) =>
          `/index.php?${new URLSearchParams({ rest_route: `/svc/v1${site}${path}` })}`,
      ],
      [
        'in rest_route, in the older addressing',
        (path: string) => `/?rest_route=/svc/v1${path}&blog_id=${fixture.site.blogId}`,
      ],
    ])('wp-frames answers reads %s', async (_, address) => {
      for (const path of [
        '/frames',
        '/frames/page',
        '/menus',
        '/menus/~header',
        '/data/menu.header',
      ]) {
        const { by, status, text } = await ask(nginx(), address(path), { token: newToken })
        expect([path, by, status, text.startsWith('{"success":true')]).toEqual([
          path,
          'wp-frames',
          200,
          true,
        ])
      }
    })

    it('wp-frames answers errors, also without a token', async () => {
      const { by, status, text } = await ask(nginx(), `${shop}${BASE_PATH}${site}/frames`)
      expect([by, status, JSON.parse(text).code]).toEqual(['wp-frames', 401, 'missing_token'])
    })

    it('passes methods, bodies, parameters and encoded references unchanged', async () => {
      const write = { token: newToken, headers: { 'Content-Type': 'application/json' } }
      const large = JSON.stringify({ slug: 'large', html: 'x'.repeat(2_000_000), dry_run: true })
      const frame = await ask(nginx(), `${shop}${BASE_PATH}${site}/frames`, {
        ...write,
        method: 'POST',
        body: large,
      })
      expect([frame.by, frame.status, JSON.parse(frame.text).frame.bytes]).toEqual([
        'wp-frames',
        200,
        2_000_000,
      ])
      const name = 'Über / 100 %'
      const created = await ask(nginx(), `/?rest_route=/svc/v1${site}/menus`, {
        ...write,
        method: 'POST',
        body: JSON.stringify({ name, items: [{ url: '/', title: 'a' }] }),
      })
      const { menu, items } = JSON.parse(created.text)
      expect([created.by, created.status]).toEqual(['wp-frames', 200])
      const renamed = await ask(
        nginx(),
        `${shop}${BASE_PATH}${site}/menus/${encodeURIComponent(menu.name)}`,
        { ...write, method: 'PATCH', body: JSON.stringify({ name: 'Renamed' }) },
      )
      expect(JSON.parse(renamed.text)).toMatchObject({ success: true, menu: { id: menu.id } })
      const route = `/svc/v1${site}/menus/${menu.id}/items/${items[0].id}`
      const updated = await ask(nginx(), `/?${new URLSearchParams({ rest_route: route })}`, {
        ...write,
        method: 'PATCH',
        body: JSON.stringify({ title: 'b' }),
      })
      expect(JSON.parse(updated.text)).toMatchObject({ item: { title: { from: 'a', to: 'b' } } })
      const deleted = await ask(nginx(), `${BASE_PATH}/menus/${menu.id}`, {
        ...write,
        method: 'DELETE',
        headers: { 'X-Svc-Blog-Id': String(fixture.site.blogId) },
      })
      expect([deleted.by, deleted.status]).toEqual(['wp-frames', 200])
    })

    it('serves the static copy of a page, if it has one', async () => {
      for (const query of ['', '?utm_source=a&utm_medium=b', '?gclid=1', '?srsltid=a&_gl=1*b']) {
        const { by, status, headers, text } = await ask(nginx(), `${shop}/copied/${query}`)
        expect([by, status, headers['content-type']]).toEqual([
          'nginx',
          200,
          'text/html; charset=utf-8',
        ])
        expect(text).toContain('<body data-by="wp-frames"><h1>Copied</h1>')
      }
    })

    it('serves the copy of a page whose address is not ASCII', async () => {
      const path = encodeURIComponent('ελλάδα')
      for (const written of [path, path.toLowerCase()]) {
        const { by, status, text } = await ask(nginx(), `${shop}/${written}/`)
        expect([by, status, text]).toEqual([
          'nginx',
          200,
          expect.stringContaining('<h1>Ελλάδα</h1>'),
        ])
      }
    })

    it('lets PHP answer for a page without a copy, and all requests that a copy does not answer', async () => {
      const requests: [string, WebRequest?][] = [
        ['/bare/'],
        ['/copied/?preview=true'],
        ['/copied/?utm_source=a&preview=true'],
        ['/copied/', { method: 'POST', body: '' }],
        ['/'],
        ['/?s=copied'],
      ]
      for (const [path, asked] of requests) {
        const { by, status, text } = await ask(nginx(), `${shop}${path}`, asked)
        expect([path, by, status]).toEqual([path, 'php', 200])
        expect(text).toContain('<ul id="menu-main" class="menu">')
      }
      const { by, status, headers } = await ask(nginx(), `${shop}/copied`)
      expect([by, status, headers.location]).toEqual(['php', 301, `http://net.test${shop}/copied/`])
    })
  })

  it('the whole path: wp-frames answers for families that it does not have', async () => {
    const media = await ask(whole, `${shop}${BASE_PATH}${site}/media`, { token: newToken })
    expect([media.by, media.status]).toEqual(['wp-frames', 404])
    expect(JSON.parse(media.text).code).toBe('rest_no_route')
    const pages = await ask(whole, `${BASE_PATH}${site}/pages`, { token: newToken })
    expect([pages.by, Object.keys(JSON.parse(pages.text))]).toEqual([
      'wp-frames',
      ['success', 'site_id', 'total', 'pages', 'names', 'next'],
    ])
  })

  it('the whole path with LEGACY_URL: the old endpoint answers for its families', async () => {
    for (const address of [`${shop}${BASE_PATH}${site}`, `/?rest_route=/svc/v1${site}`]) {
      for (const path of ['/media', '/pages']) {
        const { by, status, text } = await ask(passing, `${address}${path}`, { token: oldToken })
        expect([path, by, status, Object.keys(JSON.parse(text))]).toEqual([
          path,
          'php',
          200,
          ['success', 'site_id', 'count', 'items'],
        ])
      }
      const frames = await ask(passing, `${address}/frames`, { token: newToken })
      expect([frames.by, frames.status]).toEqual(['wp-frames', 200])
    }
  })

  it('families: PHP answers for its families as without nginx', async () => {
    const stored: number[] = []
    for (const address of [`${shop}${BASE_PATH}${site}`, `/?rest_route=/svc/v1${site}`]) {
      const upload = await ask(families, `${address}/media`, {
        token: oldToken,
        method: 'POST',
        headers: {
          'Content-Type': 'image/gif',
          'Content-Disposition': 'attachment; filename="dot.gif"',
        },
        body: GIF,
      })
      expect([upload.by, upload.status]).toEqual(['php', 200])
      const { id, url } = JSON.parse(upload.text).media
      stored.push(id)
      const list = await ask(families, `${address}/media`, { token: oldToken })
      expect(JSON.parse(list.text).items.map((item: { id: number }) => item.id)).toContain(id)
      const bytes = await ask(families, `${address}/media/${id}/bytes`, { token: oldToken })
      expect([bytes.by, bytes.text]).toEqual(['php', GIF])
      expect((await ask(families, new URL(url).pathname)).text).toBe(GIF)
    }
    await fixture.wp(
      'calls',
      stored.map((id) => ['wp_delete_attachment', [id, true]]),
    )
    const pages = await ask(families, `${BASE_PATH}${site}/pages`, { token: oldToken })
    expect([pages.by, Object.keys(JSON.parse(pages.text))]).toEqual([
      'php',
      ['success', 'site_id', 'count', 'items'],
    ])
    const unknown = await ask(families, `${BASE_PATH}${site}/framesets`, { token: oldToken })
    expect([unknown.by, unknown.status]).toEqual(['php', 404])
  })

  it.each(['/graph', '/history', '/findings', '/work', '/description'])(
    'families: wp-frames answers %s',
    async (path) => {
      const { by, status } = await ask(families, `${shop}${BASE_PATH}${site}${path}`, {
        token: newToken,
      })
      expect([by, status]).toEqual(['wp-frames', 200])
    },
  )

  it.each([
    ['/me', 200],
    ['/sites', 200],
    ['/openapi.json', 200],
    ['/network/sites', 403],
  ])('families: wp-frames answers %s with %d', async (path, status) => {
    for (const prefix of ['', shop]) {
      const answer = await ask(families, `${prefix}${BASE_PATH}${path}`, { token: newToken })
      expect([answer.by, answer.status]).toEqual(['wp-frames', status])
    }
  })
})

/** @throws Error if the text does not contain what is replaced: the page has changed */
function replace(text: string, pattern: RegExp, value: string): string {
  const replaced = text.replace(pattern, () => value)
  if (replaced === text) throw new Error(`docs/scale-and-caches.md does not contain ${pattern}`)
  return replaced
}
