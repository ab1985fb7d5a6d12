import { applyEdits } from '../../../markup/rewrite-references.ts'
import { type FrameFile, type FrameFolder, createFrameFile, decodeMarkup } from '../folder/frame-folder.ts'
import { upsertEntry } from '../folder/manifest.ts'
import type { PushWrite, StepResult } from './perform-step.ts'

/** A folder that can be followed through a rehearsal without changing. */
export function copyFolder(folder: FrameFolder): FrameFolder {
  return { ...folder, entries: new Map(folder.entries), files: new Map(folder.files) }
}

/**
 * Notes in the folder what a step did to the site. Where it renamed a frame, the files that embed it say the new name, as the site's
 * frames do.
 * @returns the files that have other bytes now
 */
export async function applyToFolder(
  { entries, files }: FrameFolder,
  done: StepResult,
  { reader }: Pick<PushWrite, 'reader'>,
): Promise<FrameFile[]> {
  const { step, id, sha256, renamed } = done
  if (sha256 === undefined) {
    entries.delete(id)
    return []
  }
  const known = step.does === 'update' ? entries.get(id) : undefined
  // A frame that others renamed keeps its file until the next pull.
  upsertEntry(entries, { id, slug: known?.slug ?? step.slug, sha256, file: step.file })
  if (!renamed) return []
  for (const [other, stored] of renamed.others) {
    const entry = entries.get(other)
    if (entry && stored) entries.set(other, { ...entry, sha256: stored })
  }
  const rewritten: FrameFile[] = []
  for (const file of files.values()) {
    const html = decodeMarkup(file)
    if (!html?.includes(renamed.from)) continue
    const { edits, replaced } = await reader.rewrite(html, renamed.from, step.slug)
    if (replaced > 0)
      rewritten.push(createFrameFile(file.name, Buffer.from(applyEdits(html, edits))))
  }
  for (const file of rewritten) files.set(file.name, file)
  return rewritten
}
