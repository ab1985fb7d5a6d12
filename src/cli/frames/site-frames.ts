import type { Db } from '../../db/database.ts'
import { AppError } from '../../errors.ts'
import { readFrame } from '../../frames/read-frame.ts'
import type { FrameRecord } from '../../frames/record.ts'
import type { FrameName, Registry } from '../../frames/registry.ts'
import { sha256Hex } from '../../hash.ts'
import { type Site, siteAddress } from '../../wordpress/network/site.ts'
import { CommandError } from '../cli-context.ts'

/** @throws CommandError if the site has no frame with this id or slug */
export function getFrameName(registry: Registry, site: Site, ref: string): FrameName {
  const name = registry.find(ref)
  if (name) return name
  throw new CommandError(
    `${siteAddress(site)} has no frame "${ref}". "wp-frames frames list --site ${site.blogId}" lists the frames.`,
  )
}

/** A frame as the site holds it. */
export type StoredFrame = FrameName & {
  readonly record: FrameRecord
  readonly sha256: string
}

/**
 * Reads a frame for comparing it. The digest is of the record's markup and not the meta's: an older endpoint writes records only.
 * @throws AppError `frame_unreadable`
 */
export async function readStoredFrame(db: Db, site: Site, name: FrameName): Promise<StoredFrame> {
  const { record } = await readFrame(db, site, name)
  return { ...name, record, sha256: sha256Hex(record.html) }
}

/** The same; undefined for a frame whose record is damaged. */
export async function findStoredFrame(
  db: Db,
  site: Site,
  name: FrameName,
): Promise<StoredFrame | undefined> {
  try {
    return await readStoredFrame(db, site, name)
  } catch (error) {
    if (error instanceof AppError && error.code === 'frame_unreadable') return undefined
    throw error
  }
}

/** The last change for a message: `by user 3 at 2026-01-02 03:04:05 GMT`. */
export function describeLastChange(stored: StoredFrame | undefined): string {
  if (!stored) return 'and its record is unreadable'
  const { updated_by, updated_at_gmt } = stored.record
  return `by user ${updated_by} at ${updated_at_gmt} GMT`
}
