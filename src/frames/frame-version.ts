import type { Tx } from '../db/transaction.ts'
import {
  assertPrecondition,
  type CurrentVersion,
  type Precondition,
  shortHash,
  versionOf,
} from '../preconditions.ts'
import type { Site } from '../wordpress/network/site.ts'
import { readOption } from '../wordpress/options/read-options.ts'
import type { Frame } from './lock-frames.ts'
import { recordOption } from './option-names.ts'
import { decodeRecordOrEmpty } from './record.ts'
import type { FrameName, Registry } from './registry.ts'

/**
 * The version of a frame: of its two names, its markup, and who wrote it when. Where it stands and what embeds it is not part of it: no
 * write of the frame replaces that. Made of the record and not of its meta, which an older endpoint leaves as it was.
 */
export function versionOfFrame({ id, record }: Pick<Frame, 'id' | 'record'>): string {
  const { slug, html, created_at_gmt, updated_at_gmt, updated_by } = record
  return versionOf([id, slug, shortHash(html), created_at_gmt, updated_at_gmt, updated_by])
}

/**
 * The frame of `{ref}` in a registry that is held, standing as its writer expects.
 * @throws AppError `frame_ref_required`, `frame_not_found`, `precondition_failed`
 */
export async function getFrameForWrite(
  tx: Tx,
  site: Site,
  registry: Registry,
  ref: string,
  expected: Precondition | undefined,
): Promise<FrameName> {
  const frame = registry.get(ref)
  if (expected)
    assertPrecondition(expected, nameOf(frame.slug), await readCurrentVersion(tx, site, frame))
  return frame
}

/** @throws AppError `precondition_failed` where a frame bears this slug and is expected not to, or the other way round */
export async function assertSlugPrecondition(
  tx: Tx,
  site: Site,
  registry: Registry,
  slug: string,
  expected: Precondition | undefined,
): Promise<void> {
  if (!expected) return
  const found = registry.find(slug)
  // It may be the id of a frame that bears another slug.
  const standing = found?.slug === slug ? await readCurrentVersion(tx, site, found) : undefined
  assertPrecondition(expected, nameOf(slug), standing)
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
