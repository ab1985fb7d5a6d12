import type { Change } from '../change.ts'
import type { Tx } from '../db/transaction.ts'
import type { MarkupReport } from '../markup/analyse.ts'
import type { Site } from '../wordpress/network/site.ts'
import { readOption } from '../wordpress/options/read-option.ts'
import type { FrameWrite } from './create-frame.ts'
import { parseMarkup } from './markup-input.ts'
import { recordOption } from './option-names.ts'
import { readableRecord, ZERO_DATE } from './record.ts'
import { lockRegistry } from './registry.ts'
import { type Rename, renameInSite } from './rename-frame.ts'
import { assertReferencesAgree, readMarkup } from './report.ts'
import { type Frame, saveFrame } from './save-frame.ts'
import { parseSlug } from './slug.ts'

/**
 * Replaces a frame's markup, and its slug where another is sent, with the consequences of a rename
 * (contract, section 4.1.4). What was stored before need not be readable.
 * @throws AppError `frame_not_found` and all that `createFrame` throws
 */
export async function replaceFrame(
  tx: Tx,
  site: Site,
  ref: string,
  write: FrameWrite,
): Promise<{ frame: Frame; report: MarkupReport; renamed: Rename | undefined; change: Change }> {
  const wanted = write.slug === undefined ? undefined : parseSlug(write.slug)
  const html = parseMarkup(write.html)
  const report = readMarkup(html)
  const locked = await lockRegistry(tx, site)
  const { id, slug: held } = locked.registry.get(ref)
  const slug = wanted ?? held
  locked.registry.assertFree(slug, id)
  assertReferencesAgree(report.references, locked.registry)
  const stored = (await readOption(tx, site, recordOption(id))) ?? ''
  const { created_at_gmt } = readableRecord(stored, id, held)
  const record = {
    slug,
    html,
    created_at_gmt: created_at_gmt === ZERO_DATE ? write.now : created_at_gmt,
    updated_at_gmt: write.now,
    updated_by: write.userId,
  }
  const renamed =
    slug === held
      ? undefined
      : await renameInSite(tx, site, locked, { id, slug: held }, slug, write)
  const frame = await saveFrame(tx, site, id, record, report)
  return {
    frame,
    report,
    renamed,
    change: {
      bake: write.bake,
      frame: id,
      touched: [{ kind: 'frame', id, slugs: [held, slug] }],
      pages: [],
    },
  }
}
