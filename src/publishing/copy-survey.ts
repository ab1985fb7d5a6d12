import type { Db } from '../db/database.ts'
import type { Page } from '../wordpress/pages/posts.ts'
import { type CopyRecord, type CopySite, listCopyRecords } from './copies-table.ts'
import type { FoundCopy } from './copy-jobs.ts'
import { queryOf } from './copy-states.ts'
import type { CopyTarget } from './copy-target.ts'

/** `damaged`: the files differ from what was recorded. */
type CopyFilesState = 'intact' | 'damaged' | 'missing'

/** The record of a copy, and whether its files are there, as recorded. */
export type SurveyedCopy = CopyRecord & { readonly files: CopyFilesState }

/**
 * Reads the records of a site's copies and compares them with the copies.
 * @returns the copies by page id in ascending order
 */
export async function surveyCopies(
  db: Db,
  site: CopySite,
  copies: CopyTarget,
): Promise<SurveyedCopy[]> {
  const records = await listCopyRecords(db, site)
  const states = await findStates(site, copies, records)
  return records.map((record) => ({ ...record, files: states.get(record.page) ?? 'missing' }))
}

/** The records of copies that are not as recorded, or are missing. */
async function findStates(
  { blogId }: CopySite,
  copies: CopyTarget,
  records: readonly CopyRecord[],
): Promise<Map<number, CopyFilesState>> {
  const located = records.flatMap((record) => {
    const location = copies.locate(record.url)
    if (location === undefined) return []
    const { digest } = record
    const query = queryOf(blogId, record.page, location, record)
    return [{ record, query: digest === undefined ? query : { ...query, digest } }]
  })
  const found = await copies.find(
    blogId,
    located.map(({ query }) => query),
  )
  return new Map(
    located.map(({ record }, index) => [record.page, stateOf(record, found[index] ?? null)]),
  )
}

/** A record without a digest is compared with no file: its copy is being written. */
function stateOf({ digest }: CopyRecord, found: FoundCopy | null): CopyFilesState {
  if (found === null) return 'missing'
  return digest === undefined || found.isAsRecorded ? 'intact' : 'damaged'
}

/** Why a copy is not fresh: its file is missing, replaced or damaged, or what it was made of has changed. */
export type CopyProblem = Exclude<CopyFilesState, 'intact'> | Outdated

/** The page was edited since the copy was made, or its frame was built since. */
type Outdated = 'edited' | 'built'

/** @param sourceFingerprint the current one, see `CopyContent`; undefined if unknown */
export function findCopyProblem(
  copy: SurveyedCopy,
  page: Page,
  sourceFingerprint: string | undefined,
): CopyProblem | undefined {
  return copy.files === 'intact' ? whyOutdated(copy, page, sourceFingerprint) : copy.files
}

/** What the record of a copy tells without its files; see `findCopyProblem`. */
export function whyOutdated(
  { pageModified, source }: CopyRecord,
  page: Page,
  sourceFingerprint: string | undefined,
): Outdated | undefined {
  if (pageModified !== undefined && pageModified !== page.modifiedGmt) return 'edited'
  return sourceFingerprint === undefined || sourceFingerprint === source ? undefined : 'built'
}
