import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { recordEdits } from '../../src/changes/record-edits.ts'
import { recordChange } from '../../src/content/work/record-work.ts'
import { workOn } from '../../src/content/work/work.ts'
import { FRAMES } from '../support/editable-site.ts'
import { startFront, type TestFrontOptions } from '../support/front.ts'

/** A site of the network with pages on frames, whose rows other programs edit. */
export async function startEditedSite(blogId: number, options: TestFrontOptions = {}) {
  const front = await startFront(options)
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
    /** Records what was edited, and builds what follows. @returns whether there were edits */
    follow,
    stop: () => front.stop(),
    /** Builds everything. */
    rebuild: async () => {
      const change = { bake: true, work: workOn('all') }
      await db.write({ site }, (tx) => recordChange(tx, site, change))
      await front.executor.finish(blogId)
    },
    /** The HTML of all static copies, by path of the file. */
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
