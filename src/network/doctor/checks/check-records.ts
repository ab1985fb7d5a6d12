import { markSeen } from '../../../changes/record-write.ts'
import type { FrameName } from '../../../content/frames/registry.ts'
import { restoreFrames } from '../../../content/frames/repair-frames.ts'
import type { Database } from '../../../db/database.ts'
import { inBatches } from '../../../db/sql.ts'
import type { Site } from '../../../wordpress/network/site.ts'
import type { CheckCode } from '../check-codes.ts'
import { type DoctorServices, FIX_BATCH_SIZE, found, type Problem, subject } from '../finding.ts'
import type { SiteSnapshot, SurveyedFrame } from '../site-snapshot.ts'

/** Checks that the record of each frame in the registry exists, is readable, has the current format and agrees with its meta. */
export async function checkRecords(snapshot: SiteSnapshot): Promise<Problem[]> {
  const frames = await snapshot.frames()
  const found = ((await snapshot.registry())?.all() ?? []).flatMap((name) => {
    const problem = findProblem(name, frames.get(name.id) ?? {})
    return problem ? [{ id: name.id, problem }] : []
  })
  const isFixable = ({ check }: Problem) => !UNFIXABLE.has(check)
  const ids = found.filter(({ problem }) => isFixable(problem)).map(({ id }) => id)
  const fix = {
    summary: 'Rewrites these frames from their records; markup, dates and authors stay unchanged.',
    apply: ({ db }: DoctorServices) => rewriteFrames(db, snapshot.site, ids),
  }
  return found.map(({ problem }) => (isFixable(problem) ? { ...problem, fix } : problem))
}

/** Problems of frames whose markup is lost. */
const UNFIXABLE: ReadonlySet<CheckCode> = new Set(['record_missing', 'record_unreadable'])

/** Rewrites frames from their records, which were compared before: they are no edits. */
export async function rewriteFrames(
  db: Database,
  site: Site,
  ids: readonly string[],
): Promise<void> {
  for (const batch of inBatches(ids, FIX_BATCH_SIZE))
    await db.write({ site }, async (tx) => {
      await restoreFrames(tx, site, batch)
      markSeen(tx, site)
    })
}

/** The most severe problem of a frame. */
function findProblem(
  { id, slug }: FrameName,
  { record, meta }: SurveyedFrame,
): Problem | undefined {
  const frame = `frame "${slug}" (${id})`
  const problem = (check: CheckCode, message: string): Problem =>
    found(check, message, { about: subject('frame', slug) }, { id })
  if (record === undefined)
    return problem('record_missing', `The ${frame} is in the registry but has no record.`)
  if (record === null)
    return problem(
      'record_unreadable',
      `The record of the ${frame} is damaged or contains no markup.`,
    )
  if (!record.isCurrentFormat)
    return problem('record_older', `The ${frame} is stored in an older format.`)
  if (!meta) return problem('meta_missing', `The ${frame} has no readable meta.`)
  if (meta.sha256 !== record.sha256 || meta.bytes !== record.bytes)
    return problem(
      'meta_differs',
      `The meta of the ${frame} does not match the markup in its record.`,
    )
  return record.storedSlug === slug
    ? undefined
    : problem('record_slug_differs', `The ${frame} has another slug in its record.`)
}
