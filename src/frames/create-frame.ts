import { randomBytes } from 'node:crypto'
import type { Change } from '../change.ts'
import type { Tx } from '../db/transaction.ts'
import type { MarkupReport } from '../markup/analyse.ts'
import type { Site } from '../wordpress/network/site.ts'
import { parseMarkup } from './markup-input.ts'
import { lockRegistry } from './registry.ts'
import { assertReferencesAgree, readMarkup } from './report.ts'
import { type Frame, saveFrame } from './save-frame.ts'
import { parseSlug } from './slug.ts'

/** What a write of a frame brings: who writes, when, and whether to build afterwards. */
export type FrameWrite = {
  readonly slug?: unknown
  readonly html?: unknown
  readonly userId: number
  /** GMT, `YYYY-MM-DD HH:MM:SS`. */
  readonly now: string
  readonly bake: boolean
}

/**
 * Makes a frame (contract, section 4.1.2).
 * @throws AppError `invalid_slug`, `frame_html_required`, `frame_too_large`, `frame_charset_unsupported`,
 * `frame_ref_conflict`, `slug_taken`
 */
export async function createFrame(
  tx: Tx,
  site: Site,
  write: FrameWrite,
): Promise<{ frame: Frame; report: MarkupReport; change: Change }> {
  const slug = parseSlug(write.slug)
  const html = parseMarkup(write.html)
  const report = readMarkup(html)
  const { registry, set } = await lockRegistry(tx, site)
  registry.assertFree(slug)
  assertReferencesAgree(report.references, registry)
  const id = newFrameId()
  const record = {
    slug,
    html,
    created_at_gmt: write.now,
    updated_at_gmt: write.now,
    updated_by: write.userId,
  }
  const frame = await saveFrame(tx, site, id, record, report)
  await set(id, slug)
  return {
    frame,
    report,
    change: {
      bake: write.bake,
      frame: id,
      touched: [{ kind: 'frame', id, slugs: [slug] }],
      pages: [],
    },
  }
}

/**
 * 16 hexadecimal characters from the system's random source. One that is all digits would become an integer as a
 * key of the registry's PHP array, so another is drawn.
 */
function newFrameId(): string {
  for (;;) {
    const id = randomBytes(8).toString('hex')
    if (/[a-f]/.test(id)) return id
  }
}
