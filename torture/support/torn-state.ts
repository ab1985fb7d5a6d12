import { examineSite } from '../../src/doctor/examine.ts'
import type { CheckCode, Finding } from '../../src/doctor/finding.ts'
import { fixSite } from '../../src/doctor/fix.ts'
import type { Stage } from './stage.ts'

/** What is derived from the tables after the commit: a process that ends in between leaves it for the next build, or for the doctor. */
const DERIVED = new Set<CheckCode>([
  ...(['copy_missing', 'copy_stale', 'static_stray', 'static_lost', 'static_stale'] as const),
  'static_temporary',
])

/**
 * What no sequence of whole writes leaves behind, a sentence each: by the doctor, and by questions that are not worth asking elsewhere.
 * @param written what the trial's own writes may say
 */
export async function tornState(
  stage: Stage,
  written: readonly CheckCode[] = [],
): Promise<string[]> {
  const findings = await findingsOf(stage)
  return [
    ...findings.filter(({ check }) => !DERIVED.has(check) && !written.includes(check)).map(told),
    ...(await strays(stage)),
  ]
}

/** What the doctor still finds after mending; a sentence each. */
export async function incurable(stage: Stage): Promise<string[]> {
  await fixSite(stage.doctor, stage.site)
  return (await findingsOf(stage)).map(told)
}

/** What the doctor finds and the network didn't come with. */
async function findingsOf({ doctor, site, ailments }: Stage): Promise<Finding[]> {
  const findings = await examineSite(doctor, site)
  return findings.filter((finding) => finding.severity !== 'info' && !ailments.has(told(finding)))
}

/** A finding in a sentence. */
export const told = ({ check, message: what }: Finding): string =>
  `the doctor finds ${check}: ${what}`

async function strays({ db, site }: Stage): Promise<string[]> {
  const { posts, postmeta, terms, termRelationships: relations, termTaxonomy } = site.tables
  const questions = {
    'a relation is of no post': `SELECT tr.object_id FROM ${relations} tr JOIN ${termTaxonomy} tt USING (term_taxonomy_id)
      LEFT JOIN ${posts} p ON p.ID = tr.object_id WHERE tt.taxonomy = 'nav_menu' AND p.ID IS NULL`,
    'a meta value is of no post': `SELECT m.meta_id FROM ${postmeta} m
      LEFT JOIN ${posts} p ON p.ID = m.post_id WHERE m.meta_key LIKE '\\_menu\\_item\\_%' AND p.ID IS NULL`,
    'a post has a meta value twice': `SELECT post_id FROM ${postmeta} WHERE meta_key = '_svc_frame' OR meta_key LIKE '\\_menu\\_item\\_%'
      GROUP BY post_id, meta_key HAVING COUNT(*) > 1`,
    'a menu item is in several menus': `SELECT tr.object_id FROM ${relations} tr JOIN ${termTaxonomy} tt USING (term_taxonomy_id)
      WHERE tt.taxonomy = 'nav_menu' GROUP BY tr.object_id HAVING COUNT(*) > 1`,
    'a menu item bears a mark instead of an address': `SELECT ID FROM ${posts} WHERE post_type = 'nav_menu_item' AND guid NOT LIKE 'http%'`,
    'a menu has no term': `SELECT tt.term_id FROM ${termTaxonomy} tt LEFT JOIN ${terms} t USING (term_id)
      WHERE tt.taxonomy = 'nav_menu' AND t.term_id IS NULL`,
  }
  const torn: string[] = []
  for (const [sentence, sql] of Object.entries(questions)) {
    const [rows] = await db.sql.raw(sql)
    if (rows.length > 0) torn.push(`${sentence}: ${JSON.stringify(rows.slice(0, 5))}`)
  }
  return torn
}
