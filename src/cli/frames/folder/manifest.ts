import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { isFileNotFound } from '../../../publishing/file-not-found.ts'
import { type Site, siteAddress } from '../../../wordpress/network/site.ts'
import { CommandError } from '../../cli-context.ts'
import { putFile } from '../../put-file.ts'
import { isFrameFileName } from './frame-file-name.ts'

/** A frame as it stood on the site when the folder and the site last agreed on it. */
export type ManifestEntry = {
  readonly id: string
  readonly slug: string
  /** Of the stored markup. */
  readonly sha256: string
  /** Name of its file in the folder. */
  readonly file: string
}

/** Name of the file that holds it. */
export const MANIFEST_FILE = 'frames.json'

const ManifestSchema = z.object({
  version: z.literal(1),
  site: z.object({ id: z.number(), address: z.string() }),
  frames: z.array(
    z.object({
      id: z.string().min(1),
      slug: z.string(),
      sha256: z.string().regex(/^[0-9a-f]{64}$/),
      // A manifest may come from anywhere: it names no file outside its folder.
      file: z.string().refine(isFrameFileName, 'is not the name of a .html file in this folder'),
    }),
  ),
})

/**
 * What the folder's manifest says, by frame id; undefined where there is none.
 * @throws CommandError for one that can't be read, or is another site's
 */
export async function readManifest(
  folder: string,
  site: Site,
): Promise<Map<string, ManifestEntry> | undefined> {
  const path = join(folder, MANIFEST_FILE)
  const text = await readFile(path, 'utf8').catch((error) => {
    if (isFileNotFound(error)) return undefined
    throw error
  })
  if (text === undefined) return undefined
  const { site: of, frames } = parseManifest(path, text)
  if (of.id !== site.blogId) {
    throw new CommandError(
      `${folder} holds frames of site ${of.id} (${of.address}), not of site ${site.blogId} (${siteAddress(site)}). Take another folder; copy its .html files there, without ${MANIFEST_FILE}, to bring them to this site.`,
    )
  }
  const byId = new Map(frames.map((frame) => [frame.id, frame]))
  if (byId.size < frames.length || new Set(frames.map(({ file }) => file)).size < frames.length)
    throw new CommandError(`${path} names a frame or a file twice. Leave one of the two.`)
  return byId
}

function parseManifest(path: string, text: string): z.output<typeof ManifestSchema> {
  try {
    return ManifestSchema.parse(JSON.parse(text))
  } catch (error) {
    const reason = error instanceof z.ZodError ? z.prettifyError(error) : String(error)
    throw new CommandError(
      `${path} can't be read: ${reason}\nRestore it, or pull into another folder and bring your edits there.`,
    )
  }
}

/** Enters a frame; a file is one frame's. */
export function upsertEntry(entries: Map<string, ManifestEntry>, entry: ManifestEntry): void {
  for (const { id, file } of entries.values()) if (file === entry.file) entries.delete(id)
  entries.set(entry.id, entry)
}

/** Puts it in place at once, so that a reader, or the next run after a crash, finds the old one or the new one. */
export async function writeManifest(
  folder: string,
  site: Site,
  frames: Iterable<ManifestEntry>,
): Promise<void> {
  const sorted = [...frames].sort((a, b) => (a.file < b.file ? -1 : 1))
  const manifest = {
    version: 1,
    site: { id: site.blogId, address: siteAddress(site) },
    frames: sorted.map(({ id, slug, sha256, file }) => ({ id, slug, sha256, file })),
  }
  const text = `${JSON.stringify(manifest, null, 2)}\n`
  await putFile(folder, MANIFEST_FILE, Buffer.from(text))
}
