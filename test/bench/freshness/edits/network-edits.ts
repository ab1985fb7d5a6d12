import { join } from 'node:path'
import { COPY_FILE } from '../../../../src/build/publishing/static-path.ts'
import type { SqlDatabase } from '../../../support/open-database.ts'
import { isGone, shows } from '../copy-watch.ts'
import type { SitePlan } from '../network/fill-site.ts'
import { generatePages } from '../network/page-tree.ts'
import { cloneSites, dropTables, type NewSite } from '../network/site-tables.ts'
import type { EditKind } from './edit.ts'

/** Blog ids of new sites begin here. */
const FIRST_NEW_ID = 900_000

/** A site of ten pages that a plugin clones, and that is removed with its tables. */
export function networkEdits(db: SqlDatabase, model: SitePlan, staticDir: string): EditKind[] {
  let cloned = 0
  return [
    {
      titles: ['site cloned', 'site removed with its tables'],
      begin: () => {
        const blogId = FIRST_NEW_ID + cloned
        const site: NewSite = { blogId, domain: model.domain, path: `/clone-${blogId}/` }
        const all = generatePages(model.pageCount, model.hasLanguages)
        const pages = all.filter(({ lang, parent }) => lang !== 'fr' && parent === 0)
        // The first page is the front page.
        const files = pages.map(({ slug }, at) =>
          join(staticDir, site.domain, site.path, at === 0 ? '' : slug, COPY_FILE),
        )
        cloned += 1
        return [
          () => ({
            statements: () => cloneSites(db, model.blogId, [site]),
            expected: files.map((file) => shows(file, '</html>')),
          }),
          () => ({
            statements: async () => {
              await db.sql('wp_blogs').where({ blog_id: blogId }).delete()
              await dropTables(db, blogId)
            },
            expected: files.map((file) => isGone(file)),
          }),
        ]
      },
    },
  ]
}
