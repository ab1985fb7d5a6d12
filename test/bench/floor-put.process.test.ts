import { expect, it } from 'vitest'
import { comparePuts } from '../../bench/compare-puts.ts'
import { type Contender, send } from '../../bench/contender.ts'
import { markup } from '../../bench/setup/put-frames.ts'
import { startMinimal } from '../../bench/setup/start-minimal.ts'
import { Undo } from '../../bench/setup/undo.ts'
import { startApi } from '../support/api.ts'
import { cloneNetwork } from '../support/network.ts'
import { createSiteFixture } from '../support/site-fixture.ts'
import { use, useFolder } from '../support/use.ts'

/** A site without languages, which the floor does not support. */
const DOCS = 3
const ID = 'f0123456789abcde'

// The floor knows the usual names of the tables only.
const network = await use(cloneNetwork({ prefix: 'wp_' }))
const api = await use(startApi(network))
const site = await network.site(DOCS)
const folder = await useFolder('floor')
const undo = new Undo()
await use({ stop: () => undo.run() })
const token = await api.token('admin')
const service: Contender = {
  name: 'service',
  apiUrl: `${api.url}/site/${DOCS}`,
  frontUrl: '',
  headers: { host: site.domain, authorization: `Bearer ${token}` },
  processes: () => [],
}
const { db, url } = network
const database = { db, url, site, token, pids: [], version: '' }
const floor = await startMinimal('floor', { database, service, staticDir: folder }, folder, undo)
const fixture = createSiteFixture(db, site)
await fixture.replaceFrames([
  { id: ID, slug: 'target', html: markup('Before', 500) },
  { id: 'f0000000000000001', slug: 'embedded', html: '<p>embedded</p>' },
  { id: 'f0000000000000002', slug: 'embedding', html: '<!-- svc/frame {"name":"embedded"} /-->' },
])

const putOf = (slug: string, html: string) =>
  ({ method: 'PUT', path: `/frames/${slug}`, body: { html } }) as const

it('stores the rows that the service stores', async () => {
  await comparePuts({ db, site }, [service, floor, service, floor], {
    frameId: ID,
    asks: [putOf('target', markup('One', 500)), putOf('target', markup('Two', 500))],
  })
  const { body } = await send(service, { path: '/frames/target' })
  expect(JSON.parse(body).frame.html).toBe(markup('Two', 500))
})

it('refuses writes that need more', async () => {
  const statusOf = async (slug: string, html: string) =>
    (await send(floor, putOf(slug, html))).status
  expect(await statusOf('embedded', '<p>has a dependent</p>')).toBe(500)
  expect(await statusOf('target', '<!-- svc/menu {"location":"header"} /-->')).toBe(500)
  expect(await statusOf('target', markup('Three', 500))).toBe(200)
})
