import { describe, expect, it } from 'vitest'
import { putDemoPages } from '../../demo/demo-pages.ts'
import { readNetworkSource } from '../../demo/network/sources.ts'
import { loadDemo } from '../../demo/prepare-demo.ts'
import { createFrontApp } from '../../src/build/front/front-app.ts'
import { examineNetwork } from '../../src/network/doctor/examine.ts'
import { globalTables } from '../../src/wordpress/network/site.ts'
import { emptyDatabase } from '../support/database.ts'
import { ask } from '../support/front.ts'
import { listen } from '../support/listen.ts'
import { openTestDatabase } from '../support/open-database.ts'
import { openTestService } from '../support/service.ts'
import { use } from '../support/use.ts'

const { url } = await use(emptyDatabase())
const db = await use(openTestDatabase({ url, poolSize: 4 }))
const services = await use(openTestService({ db, globals: globalTables('wp_'), url }))
await loadDemo(services)
await putDemoPages(services)
const { port } = await use(listen(createFrontApp(services.frontOptions())))

/** The links of a page that lead to a site, without fragments. */
function linksOf(html: string, base: string): string[] {
  const links = [...html.matchAll(/<(?:a|link) [^>]*?href="([^"]+)"/g)]
  return links
    .map(([, href = '']) => new URL(href.replaceAll('&#038;', '&'), base))
    .filter(({ protocol }) => protocol.startsWith('http'))
    .map((link) => new URL(link.pathname, link).href)
}

/** Every page that links lead to from the front page, with its markup. */
async function crawl(start: string): Promise<Map<string, { status: number; html: string }>> {
  const found = new Map<string, { status: number; html: string }>()
  for (const queue = [start]; queue.length > 0; ) {
    const next = queue.shift() ?? ''
    if (found.has(next)) continue
    const { status, body } = await ask(port, next)
    found.set(next, { status, html: body })
    queue.push(...linksOf(body, next))
  }
  return found
}

describe('the demo network', async () => {
  const network = readNetworkSource()
  const pages = await crawl(`http://${network.host}/`)

  it('has no finding', async () => {
    const findings = await examineNetwork({ ...services, now: () => new Date() })
    expect(findings.filter(({ severity }) => severity !== 'info')).toEqual([])
  })

  it('has no link that leads nowhere, and a link to each page', () => {
    const counts = network.sites.map(
      ({ languages, pages }) => Object.keys(pages).length * (languages?.length ?? 1),
    )
    expect([...pages].filter(([, { status }]) => status !== 200)).toEqual([])
    expect(pages.size).toBe(counts.reduce((sum, count) => sum + count))
  })

  it('has an icon, a title and a description on each page, and nothing unfilled', () => {
    for (const [address, { html }] of pages) {
      expect(html, address).toMatch(/<link rel="icon" href="data:image\/svg\+xml/)
      expect(html, address).toMatch(/<meta name="description" content="[^"]{10,}"/)
      expect(html, address).not.toMatch(/<title>(?:Mokhaven|Journal)?<\/title>|svc\/|data-op-bind/)
    }
  })

  it('is written from right to left in Arabic', () => {
    const page = pages.get(`http://${network.host}/ar/`)
    expect(page?.html).toContain('<html lang="ar" dir="rtl">')
  })

  it('has three sites with the same header and footer, and one with others', () => {
    const [roaster, hamburg, marseille, journal] = network.sites.map(({ frames }) => frames)
    for (const slug of ['site-style', 'site-header', 'site-footer'])
      expect(
        [roaster, hamburg, marseille, journal].map((frames) => frames?.includes(slug)),
      ).toEqual([true, true, true, false])
  })
})
