import { inBatches } from '../../db/sql.ts'
import type { FrameName } from '../../frames/registry.ts'
import { restoreFrames } from '../../frames/repair-frames.ts'
import type { Site } from '../../wordpress/network/site.ts'
import { FIX_BATCH_SIZE, type Fix, type Problem } from '../finding.ts'
import type { SiteSnapshot, SurveyedFrame } from '../site-snapshot.ts'

/** Checks that the record of each frame in the registry exists, is readable, has the current format and agrees with its meta. */
export async function checkRecords(snapshot: SiteSnapshot): Promise<Problem[]> {
  const frames = await snapshot.frames()
  const found = ((await snapshot.registry())?.all() ?? []).flatMap((name) => {
    const problem = problemOf(name, frames.get(name.id) ?? {})
    return problem ? [{ id: name.id, ...problem }] : []
  })
  const fix = rewriteFix(
    snapshot.site,
    found.filter(({ isFixable }) => isFixable).map(({ id }) => id),
  )
  return found.map(({ id: _, isFixable, ...problem }) =>
    isFixable ? { ...problem, fix } : problem,
  )
}

function rewriteFix(site: Site, ids: readonly string[]): Fix {
  return {
    summary: 'Rewrites these frames from their records; markup, dates and authors stay unchanged.',
    apply: async ({ db }) => {
      for (const batch of inBatches(ids, FIX_BATCH_SIZE))
        await db.write({ site }, (tx) => restoreFrames(tx, site, batch))
    },
  }
}

type RecordProblem = Problem & { readonly isFixable: boolean }

function problemOf(
  { id, slug }: FrameName,
  { record, meta }: SurveyedFrame,
): RecordProblem | undefined {
  const frame = `The frame "${slug}" (${id})`
  if (record === undefined) {
    return {
      check: 'record_missing',
      severity: 'error',
      message: `${frame} is in the registry but has no record.`,
      impact: 'It is shown as an empty frame, because its markup is lost.',
      fixHint: `Send its markup again with PUT /frames/${slug}, restore the option svc_frame_${id} from a backup, or delete the frame with DELETE /frames/${slug}.`,
      isFixable: false,
    }
  }
  if (record === null) {
    return {
      check: 'record_unreadable',
      severity: 'error',
      message: `The record of ${lowerFirst(frame)} is damaged or contains no markup.`,
      impact: 'The frame prints nothing, and the API cannot read it.',
      fixHint: `Copy what is left of the markup in the option svc_frame_${id} and send it again with PUT /frames/${slug}, or restore the option from a backup.`,
      isFixable: false,
    }
  }
  if (!record.isCurrentFormat) {
    return {
      check: 'record_older',
      severity: 'info',
      message: `${frame} is stored in an older format.`,
      impact: 'It works, but its author and dates may be unknown, and lists are slower.',
      fixHint: 'The next write of the frame converts it; "doctor --fix" does so now.',
      isFixable: true,
    }
  }
  if (!meta) {
    return {
      check: 'meta_missing',
      severity: 'warning',
      message: `${frame} has no readable meta.`,
      impact: 'Lists of frames have to read its complete markup.',
      fixHint: 'Write the frame, or run "doctor --fix" to create the meta.',
      isFixable: true,
    }
  }
  if (meta.sha256 !== record.sha256 || meta.bytes !== record.bytes) {
    return {
      check: 'meta_differs',
      severity: 'error',
      message: `The meta of ${lowerFirst(frame)} does not match the markup in its record.`,
      impact:
        'Pages keep showing the earlier markup, and the references to embedded frames are outdated.',
      fixHint: 'Write the frame, or run "doctor --fix" to create the meta from the record.',
      isFixable: true,
    }
  }
  if (record.storedSlug !== slug) {
    return {
      check: 'record_slug_differs',
      severity: 'warning',
      message: `${frame} has another slug in its record.`,
      impact:
        'The registry takes precedence; if it had to be rebuilt, the frame would get the other slug.',
      fixHint: 'Write the frame, or run "doctor --fix" to correct the record.',
      isFixable: true,
    }
  }
  return undefined
}

const lowerFirst = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1)
