import type { MarkupAnalyzer } from '../../../frames/frame-markup.ts'
import { findSlug } from '../../../frames/slug.ts'
import { applyEdits } from '../../../markup/rewrite-references.ts'
import type { Site } from '../../../wordpress/network/site.ts'
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
export type ChangedFile = {
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
  site: Site,
  markup: MarkupAnalyzer,
): Promise<FolderChanges> {
  const folder = await readFrameFolder(path, site)
  const { entries } = folder
  const { named, moved, missing, unknown } = matchFiles(folder)
  const renames = [...moved].map(([id, file]) => ({
    from: entries.get(id)?.slug,
    to: slugOf(file),
  }))
  const rewritten = new Map<string, FrameFile>()
  for (const file of renames.length > 0 ? folder.files.values() : []) {
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

type Rename = { readonly from: string | undefined; readonly to: string | undefined }

/** @returns undefined if the file embeds none of these frames */
async function renameReferences(
  file: FrameFile,
  renames: readonly Rename[],
  markup: MarkupAnalyzer,
): Promise<string | undefined> {
  const before = decodeMarkup(file)
  let html = before
  for (const { from, to } of renames) {
    if (from === undefined || to === undefined || !html?.includes(from)) continue
    html = applyEdits(html, (await markup.rewrite(html, from, to)).edits)
  }
  return html === before ? undefined : html
}
