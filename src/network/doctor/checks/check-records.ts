import { markSeen } from '../../../changes/record-write.ts'
import type { FrameName } from '../../../content/frames/registry.ts'
import { restoreFrames } from '../../../content/frames/repair-frames.ts'
import type { Database } from '../../../db/database.ts'
import { inBatches } from '../../../db/sql.ts'
import type { Site } from '../../../wordpress/network/site.ts'
import { type CheckCode, FIX_BATCH_SIZE, type Fix, type Problem } from '../finding.ts'
import type { SiteSnapshot, SurveyedFrame } from '../site-snapshot.ts'

/** Checks that the record of each frame in the registry exists, is readable, has the current format and agrees with its meta. */
export async function checkRecords(snapshot: SiteSnapshot): Promise<Problem[]> {
  const frames = await snapshot.frames()
  const found = ((await snapshot.registry())?.all() ?? []).flatMap((name) => {
    const problem = findProblem(name, frames.get(name.id) ?? {})
    return problem ? [{ id: name.id, problem }] : []
  })
  const isFixable = ({ check }: Problem) => !UNFIXABLE.has(check)
  const fix = rewriteFix(
    snapshot.site,
    found.filter(({ problem }) => isFixable(problem)).map(({ id }) => id),
  )
  return found.map(({ problem }) => (isFixable(problem) ? { ...problem, fix } : problem))
}

/** Problems of frames whose markup is lost. */
const UNFIXABLE: ReadonlySet<CheckCode> = new Set(['record_missing', 'record_unreadable'])

function rewriteFix(site: Site, ids: readonly string[]): Fix {
  return {
    summary: 'Rewrites these frames from their records; markup, dates and authors stay unchanged.',
    apply: ({ db }) => rewriteFrames(db, site, ids),
  }
}

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
function findProblem(name: FrameName, { record, meta }: SurveyedFrame): Problem | undefined {
  if (record === undefined) return missingRecord(name)
  if (record === null) return unreadableRecord(name)
  if (!record.isCurrentFormat) return olderRecord(name)
  if (!meta) return missingMeta(name)
  if (meta.sha256 !== record.sha256 || meta.bytes !== record.bytes) return differentMeta(name)
  return record.storedSlug === name.slug ? undefined : differentSlug(name)
}

const missingRecord = ({ id, slug }: FrameName): Problem => ({
  check: 'record_missing',
  severity: 'error',
  message: `The frame "${slug}" (${id}) is in the registry but has no record.`,
  impact: 'It is shown as an empty frame, because its markup is lost.',
  fixHint: `Send its markup again with PUT /frames/${slug}, restore the option svc_frame_${id} from a backup, or delete the frame with DELETE /frames/${slug}.`,
})

const unreadableRecord = ({ id, slug }: FrameName): Problem => ({
  check: 'record_unreadable',
  severity: 'error',
  message: `The record of the frame "${slug}" (${id}) is damaged or contains no markup.`,
  impact: 'The frame prints nothing, and the API cannot read it.',
  fixHint: `Copy what is left of the markup in the option svc_frame_${id} and send it again with PUT /frames/${slug}, or restore the option from a backup.`,
})

const olderRecord = ({ id, slug }: FrameName): Problem => ({
  check: 'record_older',
  severity: 'info',
  message: `The frame "${slug}" (${id}) is stored in an older format.`,
  impact: 'It works, but its author and dates may be unknown, and lists are slower.',
  fixHint: 'The next write of the frame converts it; "doctor --fix" does so now.',
})

const missingMeta = ({ id, slug }: FrameName): Problem => ({
  check: 'meta_missing',
  severity: 'warning',
  message: `The frame "${slug}" (${id}) has no readable meta.`,
  impact: 'Lists of frames have to read its complete markup.',
  fixHint: 'Write the frame, or run "doctor --fix" to create the meta.',
})

const differentMeta = ({ id, slug }: FrameName): Problem => ({
  check: 'meta_differs',
  severity: 'error',
  message: `The meta of the frame "${slug}" (${id}) does not match the markup in its record.`,
  impact:
    'Pages keep showing the earlier markup, and the references to embedded frames are outdated.',
  fixHint: 'Write the frame, or run "doctor --fix" to create the meta from the record.',
})

const differentSlug = ({ id, slug }: FrameName): Problem => ({
  check: 'record_slug_differs',
  severity: 'warning',
  message: `The frame "${slug}" (${id}) has another slug in its record.`,
  impact:
    'The registry takes precedence; if it had to be rebuilt, the frame would get the other slug.',
  fixHint: 'Write the frame, or run "doctor --fix" to correct the record.',
})
