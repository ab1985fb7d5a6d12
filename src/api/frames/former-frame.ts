import { z } from 'zod'
import type { Db } from '../../db/database.ts'
import { getFrame } from '../../frames/read-frame.ts'
import { frameNotFound, readRegistry } from '../../frames/registry.ts'
import { sha256Hex } from '../../hash.ts'
import type { Moment } from '../../history/read-history.ts'
import { contentPruned } from '../../restore/choose-targets.ts'
import { findThingAt, readState } from '../../restore/thing-at.ts'
import type { Site } from '../../wordpress/network/site.ts'
import type { ResponseOf } from '../endpoint.ts'
import { EntrySchema, presentEntry } from '../history/entry-schema.ts'
import { HtmlSchema } from './frame-response.ts'

/** The response to a read of a frame with `at`. */
export const FormerFrameSchema = z.object({
  frame: z.object({
    id: z.string(),
    slug: z.string(),
    bytes: z.int(),
    sha256: z.string(),
    created_at_gmt: z.string(),
    updated_at_gmt: z.string(),
    updated_by: z.int(),
    html: HtmlSchema,
  }),
  entry: EntrySchema.nullable().describe(
    'The entry with this state; null if the frame has not been written since the history began.',
  ),
})

/**
 * Reads a frame as it was at a moment.
 * @throws AppError `frame_not_found`, `entry_not_found` if the markup is no longer in the history
 */
export async function readFormerFrame(
  db: Db,
  site: Site,
  ref: string,
  moment: Moment,
): Promise<ResponseOf<typeof FormerFrameSchema>> {
  const current = (await readRegistry(db, site)).find(ref)?.id
  const found = await findThingAt(db, site, { kind: 'frame', ref, current }, moment)
  if (!found) throw frameNotFound()
  const { id, entry } = found
  if (!entry) {
    const { html, ...record } = (await getFrame(db, site, id)).record
    return { frame: { id, ...record, ...measured(html) }, entry: null }
  }
  const state = await readState(db, site, entry)
  if (state?.content === undefined) throw contentPruned(entry.id)
  const { slug, created_at_gmt, updated_at_gmt, updated_by } = state.fields
  return {
    frame: {
      id,
      slug: String(slug),
      updated_by: Number(updated_by) || 0,
      created_at_gmt: String(created_at_gmt),
      updated_at_gmt: String(updated_at_gmt),
      ...measured(state.content),
    },
    entry: presentEntry(entry),
  }
}

const measured = (html: string) => ({
  bytes: Buffer.byteLength(html),
  sha256: sha256Hex(html),
  html,
})
