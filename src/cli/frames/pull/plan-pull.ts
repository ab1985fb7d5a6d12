import type { FrameName } from '../../../frames/registry.ts'
import { foldCase, frameFileName } from '../folder/frame-file-name.ts'
import type { FileMatches, FrameFile, FrameFolder } from '../folder/frame-folder.ts'
import type { ManifestEntry } from '../folder/manifest.ts'
import type { StoredFrame } from '../site-frames.ts'
import type { PullResult } from './report-on-pull.ts'

/** What a pull makes of a frame of the site. */
export type PullStep = {
  /** `edited`: the file is ahead of the site and stays. `conflict`: so is the site, and nothing is done. */
  readonly action: 'new' | 'updated' | 'unchanged' | 'edited' | 'conflict'
  /** Name of the file that is to hold it. */
  readonly file: string
  /** The file that holds it now. */
  readonly from: FrameFile | undefined
  /** What the manifest says of it afterwards; what it says now where there is a conflict. */
  readonly entry: ManifestEntry | undefined
}

export type PullContext = {
  readonly folder: FrameFolder
  readonly matches: FileMatches
  /** Files that make room for others, because their frames have other slugs now. */
  readonly leaving: ReadonlySet<FrameFile>
  /** The site's side is taken, whatever the folder says. */
  readonly force: boolean
}

/**
 * Compares a frame on the site with its file, and both with what they were when they last agreed: what changed on one side only is taken
 * from there.
 */
export function planPull(situation: PullContext, stored: StoredFrame): PullStep {
  const { folder, matches, force } = situation
  const { id, slug, sha256 } = stored
  const entry = folder.entries.get(id)
  const from = matchedFile(matches, id)
  const file = targetFileName(situation, stored, entry, from)
  const occupant = findOccupant(situation, file, from)
  const does = decideAction(entry, from ?? occupant, sha256, force)
  const collides = !force && occupant !== undefined && occupant.sha256 !== sha256
  if (does === 'conflict' || collides) return { action: 'conflict', file, from, entry }
  const isMoved = !force && matches.moved.has(id) && entry?.slug === slug
  return {
    action: does,
    file,
    from,
    entry: {
      id,
      slug,
      sha256: does === 'edited' && entry ? entry.sha256 : sha256,
      // That the file was moved is left for the next push to find.
      file: isMoved ? entry.file : file,
    },
  }
}

/** A frame that was renamed on the site takes its new name; else a file keeps the one that it was given. */
function targetFileName(
  { force }: PullContext,
  stored: StoredFrame,
  entry: ManifestEntry | undefined,
  from: FrameFile | undefined,
): string {
  if (entry?.slug !== stored.slug) return frameFileName(stored)
  if (from === undefined) return entry.file
  return force && foldCase(from.name) !== foldCase(entry.file) ? entry.file : from.name
}

function decideAction(
  entry: ManifestEntry | undefined,
  file: FrameFile | undefined,
  sha256: string,
  force: boolean,
): PullStep['action'] {
  if (file === undefined) return entry ? 'updated' : 'new'
  if (file.sha256 === sha256) return 'unchanged'
  if (force || file.sha256 === entry?.sha256) return 'updated'
  return entry?.sha256 === sha256 ? 'edited' : 'conflict'
}

/** A file of something else where this one is to be, be it only on file systems that take no notice of case. */
function findOccupant(
  { folder, leaving }: PullContext,
  name: string,
  own: FrameFile | undefined,
): FrameFile | undefined {
  const folded = foldCase(name)
  if (own && foldCase(own.name) === folded) return undefined
  return [...folder.files.values()].find(
    (file) => file !== own && !leaving.has(file) && foldCase(file.name) === folded,
  )
}

/** Files that stand as they were pulled, and whose frames are gone from the site or have other slugs there now. */
export function findObsoleteFiles(
  { entries }: FrameFolder,
  matches: FileMatches,
  names: readonly FrameName[],
): ReadonlySet<FrameFile> {
  const slugs = new Map(names.map(({ id, slug }) => [id, slug]))
  const leaving = [...entries.values()].flatMap((entry) => {
    const file = matchedFile(matches, entry.id)
    const isLeft = slugs.get(entry.id) !== entry.slug && file?.sha256 === entry.sha256
    return isLeft ? [file] : []
  })
  return new Set(leaving)
}

/** What becomes of the files whose frames are gone from the site. */
export function planRemovals(
  { folder, matches, force }: PullContext,
  names: readonly FrameName[],
): PullResult[] {
  const ids = new Set(names.map(({ id }) => id))
  return [...folder.entries.values()]
    .filter(({ id }) => !ids.has(id))
    .map(({ id, slug, sha256 }) => {
      const file = matchedFile(matches, id)
      const dropped = { id, slug, from: file?.name }
      return force || file === undefined || file.sha256 === sha256
        ? { ...dropped, did: 'removed' }
        : { ...dropped, did: 'conflict', file: file.name, note: 'edited here, and deleted there' }
    })
}

const matchedFile = ({ inPlace: held, moved }: FileMatches, id: string): FrameFile | undefined =>
  held.get(id) ?? moved.get(id)
