import { foldCase, frameFileName } from '../folder/frame-file-name.ts'
import type { FileMatches, FrameFile, FrameFolder } from '../folder/frame-folder.ts'
import type { ManifestEntry } from '../folder/manifest.ts'

/** A frame of the site. */
export type FrameToPull = {
  readonly id: string
  readonly slug: string
  /** Hash of the markup. */
  readonly sha256: string
}

type NamedFrame = Pick<FrameToPull, 'id' | 'slug'>

/** What a pull does with a frame of the site. */
export type PullStep = {
  /** `edited`: only the file changed, so it stays. `conflict`: the site changed as well, so nothing is done. */
  readonly action: 'new' | 'updated' | 'unchanged' | 'edited' | 'conflict'
  /** Name of the target file. */
  readonly file: string
  /** The current file of the frame. */
  readonly from: FrameFile | undefined
  /** The entry of the manifest after the pull; the current entry if there is a conflict. */
  readonly entry: ManifestEntry | undefined
}

/** The result of the pull for one frame. */
export type PullResult = {
  readonly id: string
  readonly slug: string
  readonly did: 'new' | 'updated' | 'unchanged' | 'edited' | 'conflict' | 'unreadable' | 'removed'
  /** The current file; undefined if it was removed. */
  readonly file?: string
  /** The earlier file. */
  readonly from?: string | undefined
  /** The new entry of the manifest. */
  readonly entry?: ManifestEntry | undefined
  /** The reason why nothing was done. */
  readonly note?: string
}

export type PullContext = {
  readonly folder: FrameFolder
  readonly matches: FileMatches
  /** Unedited files whose frames were renamed or deleted on the site; another frame may use their names. */
  readonly obsolete: ReadonlySet<FrameFile>
  /** Overwrites edited files. */
  readonly force: boolean
}

/**
 * Compares a frame on the site and its file with the manifest, their last common version. A change on one side only is taken over.
 */
export function planPull(context: PullContext, { id, slug, sha256 }: FrameToPull): PullStep {
  const { folder, matches, force } = context
  const entry = folder.entries.get(id)
  const from = matchedFile(matches, id)
  const file = targetFileName(context, { id, slug }, entry, from)
  const occupant = findOccupant(context, file, from)
  const action = decideAction(entry, from ?? occupant, sha256, force)
  const collides = !force && occupant !== undefined && occupant.sha256 !== sha256
  if (action === 'conflict' || collides) return { action: 'conflict', file, from, entry }
  const isMoved = !force && matches.moved.has(id) && entry?.slug === slug
  return {
    action,
    file,
    from,
    entry: {
      id,
      slug,
      sha256: action === 'edited' && entry ? entry.sha256 : sha256,
      // The manifest keeps the old file name, so that the next push detects the rename.
      file: isMoved ? entry.file : file,
    },
  }
}

/** A frame that was renamed on the site gets the file name of its new slug; otherwise a file keeps its name. */
function targetFileName(
  { force }: PullContext,
  name: NamedFrame,
  entry: ManifestEntry | undefined,
  from: FrameFile | undefined,
): string {
  if (entry?.slug !== name.slug) return frameFileName(name)
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

/** Finds another file with the same name, also if it differs only in case. */
function findOccupant(
  { folder, obsolete }: PullContext,
  name: string,
  own: FrameFile | undefined,
): FrameFile | undefined {
  const folded = foldCase(name)
  if (own && foldCase(own.name) === folded) return undefined
  return [...folder.files.values()].find(
    (file) => file !== own && !obsolete.has(file) && foldCase(file.name) === folded,
  )
}

/** Finds unedited files whose frames were deleted or renamed on the site. */
export function findObsoleteFiles(
  { entries }: FrameFolder,
  matches: FileMatches,
  names: readonly NamedFrame[],
): ReadonlySet<FrameFile> {
  const slugs = new Map(names.map(({ id, slug }) => [id, slug]))
  const obsolete = [...entries.values()].flatMap((entry) => {
    const file = matchedFile(matches, entry.id)
    const isObsolete = slugs.get(entry.id) !== entry.slug && file?.sha256 === entry.sha256
    return isObsolete ? [file] : []
  })
  return new Set(obsolete)
}

/** Plans the removal of files whose frames were deleted on the site. */
export function planRemovals(
  { folder, matches, force }: PullContext,
  names: readonly NamedFrame[],
): PullResult[] {
  const ids = new Set(names.map(({ id }) => id))
  return [...folder.entries.values()]
    .filter(({ id }) => !ids.has(id))
    .map(({ id, slug, sha256 }) => {
      const file = matchedFile(matches, id)
      const removal = { id, slug, from: file?.name }
      return force || file === undefined || file.sha256 === sha256
        ? { ...removal, did: 'removed' }
        : {
            ...removal,
            did: 'conflict',
            file: file.name,
            note: 'edited in the folder, but deleted on the site',
          }
    })
}

const matchedFile = ({ named, moved }: FileMatches, id: string): FrameFile | undefined =>
  named.get(id) ?? moved.get(id)
