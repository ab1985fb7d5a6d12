import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { type CliServices, CommandError, type Listening } from '../src/cli/cli-context.ts'
import { createFrame } from '../src/content/frames/create-frame.ts'
import { bindPage } from '../src/content/frames/frame-pages.ts'
import { readRegistry } from '../src/content/frames/registry.ts'
import { writeDataset } from '../src/content/frames/write-dataset.ts'
import { recordChange } from '../src/content/work/record-work.ts'
import { workOn } from '../src/content/work/work.ts'
import { gmtText } from '../src/db/gmt.ts'
import type { Tx } from '../src/db/transaction.ts'
import { findSite, readHome } from '../src/wordpress/network/find-sites.ts'
import type { Site } from '../src/wordpress/network/site.ts'
import { lockOptions, writeOptions } from '../src/wordpress/options/write-options.ts'

const FRAMES_FOLDER = resolve(import.meta.dirname, 'frames')
const ADMIN = 1

/** The frames of a site of the demo, and the pages that the last one is assigned to. */
type DemoSite = {
  readonly id: number
  /** Embedded frames first: a frame is created after the frames that it embeds. */
  readonly slugs: readonly string[]
  readonly pages: readonly number[]
}

const MAIN: DemoSite = { id: 1, slugs: ['network-home'], pages: [4] }
/** The shop's home in four languages, About us in three and Team in two. Its page Legal is on no frame. */
const SHOP: DemoSite = {
  id: 2,
  slugs: ['site-header', 'site-footer', 'card', 'page'],
  pages: [3, 4, 5, 6, 7, 8, 9, 10, 11],
}

/**
 * Creates the demo's frames that the main site and the shop lack, and publishes their pages again with the current addresses.
 * @returns the shop's home address
 */
export async function putDemoPages(services: CliServices, servers: Listening): Promise<string> {
  const addresses = { console: `${servers.apiUrl}/console/`, docs: `${servers.apiUrl}/docs/` }
  await putPages(services, MAIN, async (tx, site) => {
    await showOnFront(tx, site, MAIN.pages[0] ?? 0)
    await writeDataset(tx, site, 'demo', JSON.stringify(addresses))
  })
  const shop = await putPages(services, SHOP)
  return `${await readHome(services.db, shop)}/`
}

async function putPages(
  { db, globals, executor }: CliServices,
  { id, slugs, pages }: DemoSite,
  write?: (tx: Tx, site: Site) => Promise<void>,
): Promise<Site> {
  const site = await findSite(db, globals, id)
  if (!site) throw new CommandError(`The demo has no site ${id}. Delete .data and start again.`)
  const registry = await readRegistry(db, site)
  const now = gmtText(new Date())
  for (const slug of slugs.filter((slug) => !registry.find(slug))) {
    const html = readFileSync(join(FRAMES_FOLDER, `${slug}.html`), 'utf8')
    await db.write({ site }, (tx) =>
      createFrame(tx, site, { slug, html, userId: ADMIN, now, bake: true }),
    )
    if (slug !== slugs.at(-1)) continue
    for (const pageId of pages)
      await db.write({ site }, (tx) =>
        bindPage(tx, site, { ref: slug, pageId, clear: false, bake: true }),
      )
  }
  const change = await db.write({ site }, async (tx) => {
    await write?.(tx, site)
    return recordChange(tx, site, {
      bake: true,
      work: [...workOn('all'), ...workOn('page', pages)],
    })
  })
  await executor.apply(site, change)
  return site
}

/** The main site of the dump shows its latest posts, which are no page. */
async function showOnFront(tx: Tx, site: Site, page: number): Promise<void> {
  const options = [
    { name: 'show_on_front', value: 'page' },
    { name: 'page_on_front', value: String(page) },
  ]
  await lockOptions(
    tx,
    site,
    options.map(({ name }) => name),
  )
  await writeOptions(tx, site, options, 'on')
}
