import { beforeAll, describe, expect, it } from 'vitest'
import { describeWith } from '../support/describe-with.ts'
import { setOption } from '../support/network.ts'
import { askServer, useWebServers, WEB_SERVERS } from '../support/web-servers.ts'

/** Site 2 ends its addresses without a slash; its home and those of its languages have one. */
const LINE = '# "~^net\\.test/docs/." "";'
const ADAPTED = '"~^net\\.test/shop/." "";'

/**
 * Permalinks without a slash at the end: web servers serve the copy at the address with a slash, and not at the page's own.
 * Right: WordPress 7.1, `user_trailingslashit()` and `redirect_canonical()`: the page is at its own address, the other one redirects to it.
 */
describeWith('nginx', 'permalinks without a slash', async () => {
  const { fronts, ports } = await useWebServers([[LINE, ADAPTED]])
  const ask = (server: string, path: string) => askServer(ports.get(server) ?? 0, path)

  describe.each([
    ['/%postname%', ''],
    ['/%postname%.html', ''],
    ['/archives/%post_id%', ''],
    ['/index.php/%postname%', '/index.php'],
  ])('%s', (structure, root) => {
    beforeAll(async () => {
      for (const front of fronts) {
        await setOption(front.network, 2, 'permalink_structure', structure)
        await front.frame(2, 'page', '<h1 data-op-bind="page.id"></h1>')
        await front.assign(2, 'page', [3, 4, 7, 10, 13])
      }
    })

    it.each(WEB_SERVERS)('%s: the copy is at the address of the page', async (server) => {
      for (const [path, id] of [
        ['/about-us', 7],
        ['/about-us?utm_source=a', 7],
        ['/about-us/team', 10],
        ['/legal', 13],
        ['/%6Cegal', 13],
      ] as const) {
        const { status, text } = await ask(server, `/shop${root}${path}`)
        expect([path, status, text]).toEqual([path, 200, `<h1>${id}</h1>`])
      }
      for (const path of ['/about-us/', '/about-us/team/', '/about-us/?utm_source=a']) {
        const { status, headers, text } = await ask(server, `/shop${root}${path}`)
        if (server === 'beside WordPress') expect([path, text]).toEqual([path, 'theme'])
        else
          expect([path, status, headers.location]).toEqual([
            path,
            301,
            `http://net.test/shop${root}${path.replace(/\/(?=\?|$)/, '')}`,
          ])
      }
    })

    it.each(WEB_SERVERS)('%s: the home has its slash', async (server) => {
      const { status, text } = await ask(server, '/shop/')
      expect([status, text]).toEqual([200, '<h1>3</h1>'])
    })
  })
})
