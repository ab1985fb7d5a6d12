import type { Tx } from '../../db/transaction.ts'
import {
  assertPrecondition,
  type CurrentVersion,
  type Precondition,
  shortHash,
  versionOf,
} from '../../host/preconditions.ts'
import type { Site } from '../../wordpress/network/site.ts'
import { readOption } from '../../wordpress/options/read-options.ts'
import { recordOption } from './option-names.ts'
import { decodeRecordOrEmpty, type Frame } from './record.ts'
import type { FrameName, Registry } from './registry.ts'

/**
 * The version of a frame (its ETag): a hash of its names, markup, author and times. Its pages and embedders are not part of it, because no
 * write of the frame replaces them. Computed from the record, because the legacy endpoint leaves a stale meta.
 */
export function versionOfFrame({ id, record }: Pick<Frame, 'id' | 'record'>): string {
  const { slug, html, created_at_gmt, updated_at_gmt, updated_by } = record
  return versionOf([id, slug, shortHash(html), created_at_gmt, updated_at_gmt, updated_by])
}

/**
 * Finds a frame in a locked registry and checks the write's precondition.
 * @param ref id or slug
 * @throws AppError `frame_ref_required`, `frame_not_found`, `precondition_failed`
 */
export async function getFrameForWrite(
  tx: Tx,
  site: Site,
  registry: Registry,
  ref: string,
  precondition: Precondition | undefined,
): Promise<FrameName> {
  const frame = registry.get(ref)
  if (precondition)
    assertPrecondition(precondition, nameOf(frame.slug), await readCurrentVersion(tx, site, frame))
  return frame
}

/**
 * Checks the precondition of a write that creates a frame with this slug.
 * @throws AppError `precondition_failed`
 */
export async function assertSlugPrecondition(
  tx: Tx,
  site: Site,
  registry: Registry,
  slug: string,
  precondition: Precondition | undefined,
): Promise<void> {
  if (!precondition) return
  const found = registry.find(slug)
  // The slug may be the id of a frame that has another slug.
  const current = found?.slug === slug ? await readCurrentVersion(tx, site, found) : undefined
  assertPrecondition(precondition, nameOf(slug), current)
}

const nameOf = (slug: string): string => `The frame "${slug}"`

async function readCurrentVersion(
  tx: Tx,
  site: Site,
  { id, slug }: FrameName,
): Promise<CurrentVersion> {
  const stored = (await readOption(tx, site, recordOption(id))) ?? ''
  const record = decodeRecordOrEmpty(stored, id, slug)
  const { updated_by, updated_at_gmt } = record
  return { version: versionOfFrame({ id, record }), updated_by, updated_at_gmt }
}
