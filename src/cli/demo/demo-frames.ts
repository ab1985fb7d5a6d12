import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { bindPage } from '../../frames/bind-page.ts'
import { createFrame } from '../../frames/create-frame.ts'
import { readRegistry } from '../../frames/registry.ts'
import { gmtText } from '../../wordpress/dates/gmt-text.ts'
import { findSite } from '../../wordpress/network/find-site.ts'
import { readHome } from '../../wordpress/network/read-home.ts'
import type { Site } from '../../wordpress/network/site.ts'
import { type CliServices, CommandError } from '../context.ts'

const FOLDER = resolve(import.meta.dirname, '../../../sql/demo/frames')

/** Embedded ones first, so that no frame is ever made before what it embeds. */
const SLUGS = ['site-header', 'site-footer', 'card', 'page']

const SHOP = 2
/** The shop's home in four languages, About us in three and Team in two. Its page Legal stands on no frame. */
const PAGES = [3, 4, 5, 6, 7, 8, 9, 10, 11]
const ADMIN = 1

/**
 * Puts the demo's frames on the shop where they are missing, and brings its pages up to date with today's addresses.
 * @returns the shop's home address
 */
export async function putDemoFrames({ db, globals, executor }: CliServices): Promise<string> {
  const site = await findSite(db, globals, SHOP)
  if (!site) throw new CommandError('The demo network has no shop. Delete .data and start again.')
  for (const slug of SLUGS) await putFrame({ db }, site, slug)
  await executor.apply(site, {
    bake: true,
    all: true,
    touched: [{ kind: 'settings' }],
    pages: PAGES,
  })
  return `${await readHome(db, site)}/`
}

async function putFrame({ db }: Pick<CliServices, 'db'>, site: Site, slug: string): Promise<void> {
  if ((await readRegistry(db, site)).find(slug)) return
  const html = readFileSync(join(FOLDER, `${slug}.html`), 'utf8')
  const now = gmtText(new Date())
  await db.transaction(
    (tx) => createFrame(tx, site, { slug, html, userId: ADMIN, now, bake: true }),
    site,
  )
  if (slug !== 'page') return
  for (const pageId of PAGES) {
    await db.transaction(
      (tx) => bindPage(tx, site, { ref: slug, pageId, clear: false, bake: true }),
      site,
    )
  }
}
