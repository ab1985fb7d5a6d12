import type { MarkupAnalyzer } from '../../../content/frames/frame-markup.ts'
import { findSlug } from '../../../content/frames/slug.ts'
import { applyEdits, type Renames } from '../../../content/markup/rewrite-references.ts'
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
