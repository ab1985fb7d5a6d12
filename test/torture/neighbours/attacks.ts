import { gzipSync } from 'node:zlib'
import { billion } from '../hostile/bombs.ts'
import {
  type Attack,
  embed,
  flood,
  items,
  keepOpen,
  MEGABYTE,
  makeMenu,
  putFrames,
  REQUESTS,
} from './attack.ts'
import { DIFF_ATTACKS } from './diff-attacks.ts'
import { HOLDING_ATTACKS } from './holding-attacks.ts'

export const ATTACKS: readonly Attack[] = [
  {
    name: 'items added to one menu of 9,000, 40 requests at once',
    prepare: (tenant) => makeMenu(tenant, 9_000),
    run: (tenant, over) =>
      flood(over, { atOnce: 40 }, () =>
        tenant.send('POST', `/menus/${tenant.name}/items`, { url: '/x/', title: 'x' }),
      ),
  },
  {
    name: 'reads of a menu of 9,000 items, 40 at once, all different',
    prepare: (tenant) =>
      tenant.send('POST', '/menus', {
        name: tenant.name,
        location: 'footer_2',
        items: items(9_000),
      }),
    run: (tenant, over) =>
      flood(over, { atOnce: 40 }, (at) => tenant.send('GET', `/data/menu.footer_2?at=${at}`)),
  },
  {
    name: 'trees of 10,000 items, 20 at once',
    prepare: (tenant) => makeMenu(tenant, 1),
    run: (tenant, over) =>
      flood(over, { atOnce: 20, requests: 40 }, () =>
        tenant.send('PUT', `/menus/${tenant.name}/items`, { items: items(10_000) }),
      ),
  },
  {
    name: 'dry runs of a tag with 70,000 attributes and 80,000 binds, 8 at once',
    run: (tenant, over) => {
      const names = Array.from({ length: 70_000 }, (_, at) => `a${at}=1`).join(' ')
      const binds = Array.from({ length: 80_000 }, (_, at) => `b${at}:site.url`).join(';')
      const html = `<b ${names} data-op-bind="${binds}">x</b>`
      return flood(over, { atOnce: 8 }, () =>
        tenant.send('POST', '/frames', { slug: `${tenant.name}-dry`, html, dry_run: true }),
      )
    },
  },
  {
    name: 'an element with 5,585 conditions in a repeat over pages, 4 at once',
    run: (tenant, over) => {
      const binds = 'if:site.id;'.repeat(5585)
      const html = `<!-- svc/repeat {"source":"pages"} --><b data-op-bind="${binds}">x</b><!-- /svc/repeat -->`
      return flood(over, { atOnce: 4 }, (at) =>
        tenant.send('PUT', `/frames/${tenant.name}-0`, { html: `${html}${at}` }),
      )
    },
    prepare: (tenant) => putFrames(tenant, ['x']),
  },
  {
    name: 'reads of a menu whose address ends in 65,000 slashes and a letter, 4 at once',
    async prepare(tenant) {
      const url = `http://x${'/'.repeat(65_000)}a`
      const tree = [{ url, title: 'x' }]
      await tenant.send('POST', '/menus', { name: tenant.name, location: 'footer_3', items: tree })
    },
    run: (tenant, over) =>
      flood(over, { atOnce: 4 }, () => tenant.send('GET', '/data/menu.footer_3')),
  },
  {
    name: 'items with 65,535 spaces for classes, 4 at once',
    prepare: (tenant) => makeMenu(tenant, 1),
    run: (tenant, over) => {
      const tree = items(20).map((item) => ({ ...item, classes: ' '.repeat(65_535) }))
      const body = gzipSync(JSON.stringify({ items: tree }))
      return flood(over, { atOnce: 4 }, () =>
        tenant.send('PUT', `/menus/${tenant.name}/items`, body),
      )
    },
  },
  {
    name: 'renames of a frame that 8 frames of 2 MB embed, one after the other',
    prepare: (tenant) =>
      putFrames(tenant, [
        'x',
        ...Array.from({ length: 8 }, () => embed(tenant, 0) + '<b>x</b>'.repeat(250_000)),
      ]),
    async run(tenant, over) {
      let slug = `${tenant.name}-0`
      await flood(over, { atOnce: 1 }, async (at) => {
        const to = `${tenant.name}-renamed-${at}`
        await tenant.send('PATCH', `/frames/${slug}`, { slug: to })
        slug = to
      })
    },
  },
  {
    name: 'builds of a frame that embeds 40 frames of 2 MB, 4 at once',
    prepare: (tenant) =>
      putFrames(
        tenant,
        Array.from({ length: 40 }, () => '<i>x</i>'.repeat(250_000)),
      ),
    run: (tenant, over) => {
      const all = Array.from({ length: 40 }, (_, at) => embed(tenant, at)).join('')
      return flood(over, { atOnce: 4 }, (at) =>
        tenant.send('POST', '/frames', { slug: `${tenant.name}-all-${at}`, html: `${all}${at}` }),
      )
    },
  },
  {
    name: 'a billion pieces: frames of which each embeds the next ten times, 4 at once',
    async prepare(tenant) {
      for (const { body } of billion())
        await tenant.send('POST', '/frames', JSON.parse(String(body)))
    },
    run: (tenant, over) =>
      flood(over, { atOnce: 4 }, (at) =>
        tenant.send('PUT', '/frames/fuzz-laugh-9', { html: `ha${at}` }),
      ),
  },
  {
    name: 'lists with include_html of 16 frames of 2 MB in control characters, 6 of which nobody reads the answer',
    prepare: (tenant) =>
      putFrames(
        tenant,
        Array.from({ length: 16 }, () => '\u0001'.repeat(2 * MEGABYTE)),
      ),
    run: (tenant, over) => {
      const sockets = Array.from({ length: 6 }, () => {
        const socket = tenant.open('GET', '/frames?include_html=1')
        return socket.pause()
      })
      return keepOpen(over, sockets)
    },
  },
  {
    name: '90 bodies of 16 MB of which 15 MB come',
    run(tenant, over) {
      const part = Buffer.alloc(15 * MEGABYTE, ' ')
      const sockets = Array.from({ length: REQUESTS }, () => {
        const socket = tenant.open('POST', '/frames', {
          'Content-Length': String(16 * MEGABYTE),
        })
        socket.resume()
        socket.write(part)
        return socket
      })
      return keepOpen(over, sockets)
    },
  },
  {
    name: '16 MB of spaces in 16 kB of gzip, 20 at once',
    run: (tenant, over) => {
      const body = gzipSync(' '.repeat(16 * MEGABYTE))
      return flood(over, { atOnce: 20 }, () =>
        tenant.send('PUT', `/menus/${tenant.name}/items`, body),
      )
    },
  },
  {
    name: 'objects with 380,000 keys, 4 at once',
    run: (tenant, over) => {
      const keys = Array.from({ length: 380_000 }, (_, at) => `"k${at}":1`)
      const body = gzipSync(`{${keys.join()}}`)
      return flood(over, { atOnce: 4 }, () => tenant.send('POST', '/frames', body))
    },
  },
  ...DIFF_ATTACKS,
  ...HOLDING_ATTACKS,
]
