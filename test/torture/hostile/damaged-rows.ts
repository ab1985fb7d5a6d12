import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { bakedOption } from '../../../src/content/frames/option-names.ts'
import { Random } from '../support/random.ts'
import type { Service } from '../support/service.ts'
import type { TortureFixture } from '../support/torture-fixture.ts'
import { requestPage } from '../support/visitor.ts'
import { exchange, type Sent } from './exchange.ts'
import { faultsOfApi } from './judge.ts'
import { plant } from './planted.ts'

const SITE = '/site/2'
const PAGE = 7
const PAGE_URL = 'http://net.test/shop/about-us/'
/** Markup that uses every insert. */
const HTML = `<p data-op-bind="page.title">x</p><!-- svc/frame {"name":"fuzz-b"} /--><!-- svc/menu {"location":"header"} /-->
<!-- svc/repeat {"source":"pages"} --><!-- svc/data {"source":"item.title"} /--><!-- /svc/repeat --><!-- svc/languages /-->
<!-- svc/data {"source":"site.title"} /--><!-- svc/data {"source":"page.content"} /-->`

type Probe = Omit<Sent, 'headers' | 'body'> & { readonly body?: object }

const get = (path: string): Probe => ({ method: 'GET', path: `${SITE}${path}` })
const send = (method: string, path: string, body: object): Probe => ({
  method,
  path: `${SITE}${path}`,
  body,
})

/** Reads and writes that use as many rows of a site as possible. */
const PROBES: readonly Probe[] = [
  ...['/menus', '/menus/fuzz-menu', '/frames', '/frames/fuzz-a'].map(get),
  ...['pages', 'site', 'languages', 'menu.header'].map((source) => get(`/data/${source}`)),
  send('PUT', '/frames/fuzz-a', { html: HTML }),
  send('POST', '/frames/fuzz-a/assign', { page: PAGE }),
  send('PUT', '/menus/fuzz-menu/items', { items: [PAGE, { url: '/x/', title: 'x' }] }),
  send('PUT', '/menus/fuzz-menu/location', { location: 'header' }),
  send('POST', '/frames/rebake', { menus: true }),
]

/** Damages one row after the other and reports the faults meanwhile. */
export async function standDamagedRows(
  { db, site, staticDir }: TortureFixture,
  { apiUrl, frontUrl }: Service,
  { token, seed, times }: { readonly token: string; readonly seed: number; readonly times: number },
): Promise<{ figures: Record<string, string>; faults: string[] }> {
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' }
  const ask = ({ body, ...probe }: Probe) => {
    const sent: Sent = { ...probe, headers, ...(body && { body: JSON.stringify(body) }) }
    return exchange(apiUrl, sent).then((received) => ({ sent, received }))
  }
  const faults: string[] = []
  const statuses = new Map<string, number>()
  const note = (outcome: string) => statuses.set(outcome, (statuses.get(outcome) ?? 0) + 1)
  const showPage = async (what: string): Promise<void> => {
    const { status } = await requestPage(frontUrl, PAGE_URL)
    note(`page ${status}`)
    if (status === undefined) faults.push(`the page has no answer while ${what}`)
  }
  const { received } = await ask(get('/frames/fuzz-a'))
  const frame: string = JSON.parse(received.text).frame.id
  const baked = bakedOption(frame)
  await plant(
    db,
    site,
    { page: PAGE, frame },
    { random: new Random(seed), times },
    async (what) => {
      // Removes what was built before the damage, so that visitors see its effect.
      await rm(join(staticDir, new URL(PAGE_URL).host), { recursive: true, force: true })
      if (!what.includes(baked))
        await db.sql(site.tables.options).where({ option_name: baked }).delete()
      await showPage(what)
      for (const probe of PROBES) {
        const { sent, received } = await ask(probe)
        note(`${received.status}`)
        const describe = (fault: string) => `${probe.method} ${probe.path} while ${what}: ${fault}`
        faults.push(...faultsOfApi(sent, received, true).map(describe))
      }
      await showPage(what)
    },
  )
  const figures = [...statuses].map(([outcome, count]) => `${outcome}: ${count}`).join(', ')
  return { figures: { [`${times} damaged rows, answers`]: figures }, faults }
}
