import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { recordEdits } from '../../src/edits/record-edits.ts'
import type { Site } from '../../src/wordpress/network/site.ts'
import { encodePhp } from '../../src/wordpress/serialized/encode-php.ts'
import { recordChange } from '../../src/work/record-work.ts'
import { startFront, type TestFront } from '../support/front.ts'

/** A site of the network with pages on frames, whose rows other programs edit. */
export type EditedSite = {
  readonly front: TestFront
  readonly site: Site
  /** Records what was edited, and builds what follows. @returns whether there were edits */
  follow(): Promise<boolean>
  /** Builds everything. */
  rebuild(): Promise<void>
  /** The HTML of all static copies, by path of the file. */
  copies(): Promise<Map<string, string>>
}

/** Frames of pages: they show everything that a page can show. */
export const FRAMES = {
  list:
    '<!-- svc/frame {"name":"header"} /--><h1 data-op-bind="page.title"></h1><!-- svc/content /-->' +
    '<!-- svc/repeat {"source":"page.children"} --><a data-op-bind="href:item.url; item.title"></a><!-- /svc/repeat -->',
  crumbs:
    '<!-- svc/frame {"name":"header"} /--><!-- svc/repeat {"source":"page.ancestors"} --><a data-op-bind="href:item.url; item.title"></a><!-- /svc/repeat -->' +
    '<!-- svc/lang-switcher /--><i data-op-bind="href:page.url; page.modified"></i>',
  plain: '<h2 data-op-bind="page.title"></h2><!-- svc/data {"source":"dataset.news.0"} /-->',
  index:
    '<!-- svc/repeat {"source":"pages"} --><a data-op-bind="href:item.url; item.title"></a><!-- /svc/repeat --><b data-op-bind="settings.date_format"></b>',
  header:
    '<!-- svc/menu {"location":"header","current":true} /--><b data-op-bind="href:site.url; site.title"></b><!-- svc/menu {"location":"footer_1"} /-->',
}

export async function startEditedSite(blogId: number): Promise<EditedSite> {
  const front = await startFront()
  const { db, globals } = front.network
  const site = await front.network.site(blogId)
  for (const slug of ['header', 'list', 'crumbs', 'plain', 'index'] as const)
    await front.frame(blogId, slug, FRAMES[slug])
  const pages: number[] = await db.sql(site.tables.posts).where({ post_type: 'page' }).pluck('ID')
  const slugs = ['list', 'crumbs', 'plain', 'index']
  for (const [at, slug] of slugs.entries()) {
    const own = pages.filter((_, index) => index % slugs.length === at)
    await front.assign(blogId, slug, own)
  }
  const follow = async () => {
    const edits = await recordEdits({ db, globals }, blogId)
    await front.executor.finish(blogId)
    return edits !== undefined
  }
  await follow()
  return {
    front,
    site,
    follow,
    rebuild: async () => {
      const change = { bake: true, touched: [], pages: [], all: true }
      await db.write({ site }, (tx) => recordChange(tx, site, change))
      await front.executor.finish(blogId)
    },
    copies: async () => {
      const folder = join(front.staticDir, site.domain)
      const files = await readdir(folder, { recursive: true }).catch(() => [])
      const html = files.filter((file) => file.endsWith('index.html')).sort()
      return new Map(
        await Promise.all(
          html.map(
            async (file) => [file, await readFile(join(folder, file), 'utf8')] as [string, string],
          ),
        ),
      )
    },
  }
}

/** A group of translations, as Polylang stores it. */
export function translationGroup(members: Readonly<Record<string, number>>): string {
  return encodePhp(members)
}
