import { inBatches } from '../../db/sql.ts'
import type { FrameName } from '../../frames/registry.ts'
import { restoreFrames } from '../../frames/repair-frames.ts'
import type { Site } from '../../wordpress/network/site.ts'
import { FIX_BATCH_SIZE, type Fix, type Problem } from '../finding.ts'
import type { SiteSnapshot, SurveyedFrame } from '../site-snapshot.ts'

/** Is each listed frame there, readable, in today's form, and told of rightly by its meta? */
export async function checkRecords(visit: SiteSnapshot): Promise<Problem[]> {
  const frames = await visit.frames()
  const faults = ((await visit.registry())?.all() ?? []).flatMap((name) => {
    const fault = problemOf(name, frames.get(name.id) ?? {})
    return fault ? [{ id: name.id, ...fault }] : []
  })
  const remedy = rewriteFix(
    visit.site,
    faults.filter(({ mends }) => mends).map(({ id }) => id),
  )
  return faults.map(({ id: _, mends, ...symptom }) => (mends ? { ...symptom, remedy } : symptom))
}

function rewriteFix(site: Site, ids: readonly string[]): Fix {
  return {
    does: 'Writes these frames anew from their records; markup, dates and authors stay.',
    apply: async ({ db }) => {
      for (const batch of inBatches(ids, FIX_BATCH_SIZE))
        await db.write({ site }, (tx) => restoreFrames(tx, site, batch))
    },
  }
}

type RecordProblem = Problem & { readonly mends: boolean }

function problemOf(
  { id, slug }: FrameName,
  { record, meta }: SurveyedFrame,
): RecordProblem | undefined {
  const frame = `The frame "${slug}" (${id})`
  if (record === undefined) {
    return {
      check: 'record_missing',
      severity: 'error',
      what: `${frame} is listed and has no record.`,
      why: 'It is shown as an empty frame; its markup is lost.',
      mend: `Send its markup again with PUT /frames/${slug}, restore the option svc_frame_${id} from a backup, or delete the frame with DELETE /frames/${slug}.`,
      mends: false,
    }
  }
  if (record === null) {
    return {
      check: 'record_unreadable',
      severity: 'error',
      what: `The record of ${lowerFirst(frame)} is damaged or holds no markup.`,
      why: 'The frame prints nothing and cannot be read.',
      mend: `Save what the option svc_frame_${id} holds of its markup and send that again with PUT /frames/${slug}, or restore the option from a backup.`,
      mends: false,
    }
  }
  if (!record.isCurrentFormat) {
    return {
      check: 'record_older',
      severity: 'info',
      what: `${frame} is stored as an older endpoint left it.`,
      why: 'It is read all the same; who wrote it and when may not be known, and lists are slower.',
      mend: 'It takes the form of today at its next write, or now by the doctor.',
      mends: true,
    }
  }
  if (!meta) {
    return {
      check: 'meta_missing',
      severity: 'warning',
      what: `${frame} has no readable meta.`,
      why: 'Each list of the frames reads its whole markup.',
      mend: 'Write the frame, or let the doctor make the meta.',
      mends: true,
    }
  }
  if (meta.sha256 !== record.sha256 || meta.bytes !== record.bytes) {
    return {
      check: 'meta_differs',
      severity: 'error',
      what: `The meta of ${lowerFirst(frame)} tells of other markup than its record holds.`,
      why: 'Pages go on showing what was baked of the markup before, and frames that it embeds are not known.',
      mend: 'Write the frame, or let the doctor make the meta of the record.',
      mends: true,
    }
  }
  if (record.storedSlug !== slug) {
    return {
      check: 'record_slug_differs',
      severity: 'warning',
      what: `${frame} bears another slug in its record.`,
      why: 'The list counts; if it were lost, the frame would come back under the other slug.',
      mend: 'Write the frame, or let the doctor write the slug into the record.',
      mends: true,
    }
  }
  return undefined
}

const lowerFirst = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1)
