import type { CheckCode } from '../../../src/network/doctor/check-codes.ts'
import { examineSite } from '../../../src/network/doctor/examine.ts'
import type { Finding } from '../../../src/network/doctor/finding.ts'
import { fixSite } from '../../../src/network/doctor/fix.ts'
import type { TortureFixture } from './torture-fixture.ts'

/** Findings on data that is derived after the commit: if a process ends in between, the next build or the doctor derives it. */
const DERIVED = new Set<CheckCode>([
  ...(['copy_missing', 'copy_stale', 'static_stray', 'static_lost', 'static_stale'] as const),
  'static_temporary',
])

/**
 * States that no sequence of complete writes produces, one sentence each: the doctor's findings, and further checks of the tables.
 * @param written findings that the trial's own writes may cause
 */
export async function tornState(
  fixture: TortureFixture,
  written: readonly CheckCode[] = [],
): Promise<string[]> {
  const findings = await findingsOf(fixture)
  return [
    ...findings
      .filter(({ check }) => !DERIVED.has(check) && !written.includes(check))
      .map(describeFinding),
    ...(await brokenRows(fixture)),
  ]
}

/** The doctor's findings after it has fixed the site, one sentence each. */
export async function remainingFindings(fixture: TortureFixture): Promise<string[]> {
  await fixSite(fixture.doctor, fixture.site)
  return (await findingsOf(fixture)).map(describeFinding)
}

/** The doctor's findings that the unchanged network did not have. */
async function findingsOf({ doctor, site, knownFindings }: TortureFixture): Promise<Finding[]> {
  const findings = await examineSite(doctor, site)
  return findings.filter(
    (finding) => finding.severity !== 'info' && !knownFindings.has(describeFinding(finding)),
  )
}

/** Describes a finding in a sentence. */
export const describeFinding = ({ check, message }: Finding): string =>
  `the doctor finds ${check}: ${message}`

async function brokenRows({ db, site }: TortureFixture): Promise<string[]> {
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
    'a menu item has a marker instead of an address': `SELECT ID FROM ${posts} WHERE post_type = 'nav_menu_item' AND guid NOT LIKE 'http%'`,
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
