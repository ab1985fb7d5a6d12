import type { Client, Output } from '#client'
import type { MarkupAnalyzer } from '../../../content/frames/frame-markup.ts'
import { findSlug, SLUG_PATTERN } from '../../../content/frames/slug.ts'
import { applyEdits, type Renames } from '../../../content/markup/rewrite-references.ts'
import type { Bundle } from '../../../network/description/description.ts'
import type { AddressedSite } from '../../sites/site-options.ts'
import { slugFromFileName } from '../folder/frame-file-name.ts'
import {
  createFrameFile,
  decodeMarkup,
  type FrameFile,
  matchFiles,
  readFrameFolder,
} from '../folder/frame-folder.ts'
import type { ManifestEntry } from '../folder/manifest.ts'

/** A file that is not as the manifest has it. */
type ChangedFile = {
  readonly name: string
  /** Undefined if the name of the file is no valid slug. */
  readonly slug: string | undefined
  /** Embeds renamed frames by their new slugs. Undefined if the file is not valid UTF-8. */
  readonly html: string | undefined
  /** The frame that was pulled to it; undefined for a new file. */
  readonly entry: ManifestEntry | undefined
  /** Whether the file was renamed. Otherwise its contents were changed. */
  readonly isMoved: boolean
}

/** What was done to a folder since it was pulled. */
export type FolderChanges = {
  readonly path: string
  /** The manifest, by frame id. */
  readonly entries: ReadonlyMap<string, ManifestEntry>
  readonly changed: readonly ChangedFile[]
  /** Entries whose files were removed. */
  readonly removed: readonly ManifestEntry[]
  /** Files that embed renamed frames, with the new slugs. */
  readonly rewritten: readonly FrameFile[]
}

/**
 * Compares a folder with its manifest. Unchanged files are not kept in memory, because a command may send the folders of a thousand sites.
 * @throws CommandError those of `readFrameFolder`
 */
export async function readFolderChanges(
  path: string,
  site: AddressedSite,
  markup: MarkupAnalyzer,
): Promise<FolderChanges> {
  const folder = await readFrameFolder(path, site)
  const { entries } = folder
  const { named, moved, missing, unknown } = matchFiles(folder)
  const renames = new Map<string, string>()
  for (const [id, file] of moved) {
    const [from, to] = [entries.get(id)?.slug, slugOf(file)]
    if (from !== undefined && to !== undefined) renames.set(from, to)
  }
  const rewritten = new Map<string, FrameFile>()
  for (const file of renames.size > 0 ? folder.files.values() : []) {
    const html = await renameReferences(file, renames, markup)
    if (html !== undefined) rewritten.set(file.name, createFrameFile(file.name, Buffer.from(html)))
  }
  const changeOf = (file: FrameFile, entry: ManifestEntry | undefined): ChangedFile => ({
    name: file.name,
    slug: slugOf(file),
    html: decodeMarkup(rewritten.get(file.name) ?? file),
    entry,
    isMoved: entry !== undefined && moved.has(entry.id),
  })
  const known = [...entries.values()].flatMap((entry) => {
    const file = named.get(entry.id)
    const changed = file?.sha256 === entry.sha256 ? undefined : file
    const found = changed ?? moved.get(entry.id)
    return found ? [changeOf(found, entry)] : []
  })
  return {
    path,
    entries,
    changed: [...known, ...unknown.map((file) => changeOf(file, undefined))],
    removed: missing,
    rewritten: [...rewritten.values()],
  }
}

const slugOf = ({ name }: FrameFile): string | undefined => findSlug(slugFromFileName(name))

/** @returns undefined if the file embeds none of these frames */
async function renameReferences(
  file: FrameFile,
  renames: Renames,
  markup: MarkupAnalyzer,
): Promise<string | undefined> {
  const html = decodeMarkup(file)
  if (![...renames.keys()].some((slug) => html?.includes(slug)) || html === undefined)
    return undefined
  const { edits } = await markup.rewrite(html, renames)
  return edits.length === 0 ? undefined : applyEdits(html, edits)
}

/** The frames of a site by id. */
export async function readStoredFrames(
  client: Client,
  { blogId }: AddressedSite,
): Promise<ReadonlyMap<string, Output<'listFrames'>['frames'][number]>> {
  const { frames } = await client.listFrames({ site_id: blogId })
  return new Map(frames.map((frame) => [frame.id, frame]))
}

type PushOptions = {
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
