import type { Db } from '../../db/database.ts'
import { AppError } from '../../errors.ts'
import { readFrame } from '../../frames/read-frame.ts'
import type { Frame } from '../../frames/record.ts'
import type { FrameName, Registry } from '../../frames/registry.ts'
import { type Site, siteAddress } from '../../wordpress/network/site.ts'
import { CommandError } from '../cli-context.ts'
import type { AddressedSite } from '../sites/site-options.ts'

/** The error for a frame that the site does not have. */
const noFrameSentence = (site: AddressedSite, ref: string): string =>
  `${siteAddress(site)} has no frame "${ref}". "wp-frames frames list --site ${site.blogId}" lists the frames.`

/** @throws CommandError if the site has no frame with this id or slug */
export function getFrameName(registry: Registry, site: Site, ref: string): FrameName {
  const name = registry.find(ref)
  if (name) return name
  throw new CommandError(noFrameSentence(site, ref))
}

/** Reads a frame; undefined if its record is damaged. */
export async function findReadableFrame(
  db: Db,
  site: Site,
  name: FrameName,
): Promise<Frame | undefined> {
  try {
    return await readFrame(db, site, name)
  } catch (error) {
    if (error instanceof AppError && error.code === 'frame_unreadable') return undefined
    throw error
  }
}

/** The last change for a message: `by user 3 at 2026-01-02 03:04:05 GMT`. */
export function describeLastChange(frame: Frame | undefined): string {
  if (!frame) return 'and its record is unreadable'
  const { updated_by, updated_at_gmt } = frame.record
  return `by user ${updated_by} at ${updated_at_gmt} GMT`
}
