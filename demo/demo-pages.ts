import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { type CliServices, CommandError } from '../src/cli/cli-context.ts'
import { createFrame } from '../src/content/frames/create-frame.ts'
import { bindPage } from '../src/content/frames/frame-pages.ts'
import { readRegistry } from '../src/content/frames/registry.ts'
import { recordChange } from '../src/content/work/record-work.ts'
import { workOn } from '../src/content/work/work.ts'
import { writeAs } from '../src/db/database.ts'
import { gmtText } from '../src/db/gmt.ts'
import { findSite } from '../src/wordpress/network/find-sites.ts'
import { pageFrames } from './network/site-rows.ts'
import { readNetworkSource, type SiteSource } from './network/sources.ts'

const FRAMES_FOLDER = resolve(import.meta.dirname, 'frames')
const ADMIN = 1

/** Creates the frames that a site of the demo has never had, assigns them to its pages, and publishes the pages with the current addresses. */
export async function putDemoPages(services: CliServices): Promise<void> {
  for (const source of readNetworkSource().sites) await putPages(services, source)
}

async function putPages(services: CliServices, source: SiteSource): Promise<void> {
  const { globals, executor } = services
  const author = { userId: ADMIN, tokenId: null, label: '', requestId: randomUUID() }
  const db = writeAs(services.db, author)
  const site = await findSite(db, globals, source.id)
  if (!site)
    throw new CommandError(`The demo has no site ${source.id}. Delete .data and start again.`)
  const registry = await readRegistry(db, site)
  const now = gmtText(new Date())
  const pages = pageFrames(source)
  for (const slug of source.frames.filter((slug) => !registry.find(slug))) {
    const html = readFileSync(join(FRAMES_FOLDER, `${slug}.html`), 'utf8')
    await db.write({ site }, (tx) =>
      createFrame(tx, site, { slug, html, userId: ADMIN, now, bake: true }),
    )
    for (const { id } of pages.filter(({ frame }) => frame === slug))
      await db.write({ site }, (tx) =>
        bindPage(tx, site, { ref: slug, pageId: id, clear: false, bake: true }),
      )
  }
  const change = await db.write({ site }, (tx) =>
    recordChange(tx, site, {
      bake: true,
      work: [
        ...workOn('all'),
        ...workOn(
          'page',
          pages.map(({ id }) => id),
        ),
      ],
    }),
  )
  await executor.apply(site, change)
}
