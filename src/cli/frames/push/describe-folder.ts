import { SLUG_PATTERN } from '../../../content/frames/slug.ts'
import type { Bundle } from '../../../network/description/description.ts'
import type { FolderChanges } from './folder-changes.ts'

export type PushOptions = {
  /** Overwrites frames that changed on the site since the pull. */
  readonly force: boolean
  /** Deletes frames whose files were removed. */
  readonly delete: boolean
}

type DescribedFrame = Bundle['frames'][number]

/** The changes of a folder as frames of a description, and the files that cannot be sent. */
export type DescribedFolder = {
  readonly frames: readonly DescribedFrame[]
  readonly problems: readonly { readonly file: string; readonly message: string }[]
}

/** Describes what was done to a folder since it was pulled. A frame that changed on the site as well is a conflict there. */
export function describeFolder(
  { changed, removed }: Pick<FolderChanges, 'changed' | 'removed'>,
  { force, delete: isDeleting }: PushOptions,
): DescribedFolder {
  const seen = (before: string | null) => (force ? {} : { before })
  const frames: DescribedFrame[] = []
  const problems: { file: string; message: string }[] = []
  /** The file of each described slug. */
  const files = new Map<string, string>()
  for (const { name: file, slug: named, html, entry, isMoved } of changed) {
    // A frame that was renamed on the site keeps its file until the next pull.
    const slug = entry && !isMoved ? entry.slug : named
    const twin = files.get(slug ?? '')
    if (slug === undefined)
      problems.push({ file, message: `the name of the file is not a valid slug (${SLUG_PATTERN})` })
    else if (html === undefined) problems.push({ file, message: 'the file is not valid UTF-8' })
    else if (twin !== undefined) problems.push({ file, message: `${twin} has the same slug` })
    else {
      files.set(slug, file)
      const formerly = entry && isMoved ? [entry.slug] : []
      frames.push({ slug, html, formerly, id: entry?.id, ...seen(entry?.sha256 ?? null) })
    }
  }
  if (isDeleting)
    for (const { id, slug, sha256 } of removed)
      frames.push({ slug, absent: true, formerly: [], id, ...seen(sha256) })
  return { frames, problems }
}
