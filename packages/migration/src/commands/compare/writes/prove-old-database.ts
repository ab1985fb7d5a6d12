import { randomBytes } from 'node:crypto'
import { CommandError } from '#wp-frames/cli/cli-context'
import type { Database } from '#wp-frames/db/database'
import { insertRow, runStatement } from '#wp-frames/db/sql'
import type { Site } from '#wp-frames/wordpress/network/site'
import { parseBody } from '../../../compare/compare-answers.ts'
import type { ComparedSide } from '../compared-side.ts'
import type { ComparedDatabases } from './scratch-databases.ts'

/**
 * Proves that the old endpoint works on its scratch database: a menu that is added there must appear in its answer. The menu is added to both copies,
 * so that both have the same next ids, and removed again.
 * @throws CommandError if it does not appear, or the token may not read the site: nothing is written then
 */
export async function proveOldDatabase(
  old: ComparedSide,
  databases: Pick<ComparedDatabases, 'old' | 'ours'>,
  site: Site,
): Promise<void> {
  const slug = `wp-frames-compare-${randomBytes(8).toString('hex')}`
  const added: (() => Promise<void>)[] = []
  try {
    for (const db of [databases.old, databases.ours]) added.push(await addMenu(db, site, slug))
    const { status, body } = await old.ask({
      kind: 'menus',
      route: 'GET /menus',
      method: 'GET',
      path: `/site/${site.blogId}/menus`,
    })
    if (status !== 200)
      throw new CommandError(
        `The old endpoint (${old.address.url}) answers ${status} to GET /site/${site.blogId}/menus. Use a token of an administrator of site ${site.blogId}, and name the database of that endpoint in --old-database. Nothing was written to it.`,
      )
    if (hasMenu(parseBody(body).value, slug)) return
  } finally {
    for (const remove of added) await remove()
  }
  throw new CommandError(
    `The old endpoint (${old.address.url}) does not work on --old-database (${databases.old.address}): a menu that was added there for a moment is not in its list. Let wp-config.php of the test WordPress name this database, without a persistent object cache. Nothing was written to it through the endpoint.`,
  )
}

/** @returns a function that removes it */
async function addMenu(db: Database, { tables }: Site, slug: string) {
  const id = await db.write({}, async (tx) => {
    const term = await insertRow(tx, tables.terms, { name: slug, slug, term_group: 0 })
    const row = { term_id: term, taxonomy: 'nav_menu', description: '', parent: 0, count: 0 }
    await insertRow(tx, tables.termTaxonomy, row)
    return term
  })
  return (): Promise<void> =>
    db.write({}, async (tx) => {
      const values = { ...tables, id }
      await runStatement(tx, 'DELETE FROM :termTaxonomy: WHERE term_id = :id', values)
      await runStatement(tx, 'DELETE FROM :terms: WHERE term_id = :id', values)
    })
}

function hasMenu(answer: unknown, slug: string): boolean {
  const menus: unknown =
    typeof answer === 'object' && answer !== null ? Reflect.get(answer, 'menus') : undefined
  return Array.isArray(menus) && menus.some((menu) => menu?.slug === slug)
}
