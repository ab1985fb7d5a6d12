import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { isFileNotFound } from '../../../build/publishing/file-not-found.ts'
import { siteAddress } from '../../../wordpress/network/site.ts'
import { writeFileAtomically } from '../../atomic-write.ts'
import { CommandError } from '../../cli-context.ts'
import type { AddressedSite, SiteRef } from '../../sites/site-options.ts'
import { isFrameFileName } from './frame-file-name.ts'

/** The state of a frame when the folder and the site last had the same version. */
export type ManifestEntry = {
  readonly id: string
  readonly slug: string
  /** Hash of the stored markup. */
  readonly sha256: string
  /** Name of the file in the folder. */
  readonly file: string
}

/** File name of the manifest. */
const MANIFEST_FILE = 'frames.json'

const ManifestSchema = z.object({
  version: z.literal(1),
  site: z.object({ id: z.int().positive(), address: z.string() }),
  frames: z.array(
    z.object({
      id: z.string().min(1),
      slug: z.string(),
      sha256: z.string().regex(/^[0-9a-f]{64}$/),
      // A manifest is untrusted input: it must not name a file outside its folder.
      file: z.string().refine(isFrameFileName, 'is not the name of a .html file in this folder'),
    }),
  ),
})

/**
 * Reads the entries of the manifest by frame id; undefined if there is no manifest.
 * @throws CommandError if it is unreadable or belongs to another site
 */
export async function readManifest(
  folder: string,
  site: AddressedSite,
): Promise<Map<string, ManifestEntry> | undefined> {
  const path = join(folder, MANIFEST_FILE)
  const manifest = await findManifest(path)
  if (!manifest) return undefined
  const { site: owner, frames } = manifest
  if (owner.id !== site.blogId) {
    throw new CommandError(
      `${folder} contains frames of site ${owner.id} (${owner.address}), not of site ${site.blogId} (${siteAddress(site)}). Use another folder. To transfer the frames, copy the .html files to it without ${MANIFEST_FILE}.`,
    )
  }
  const byId = new Map(frames.map((frame) => [frame.id, frame]))
  if (byId.size < frames.length || new Set(frames.map(({ file }) => file)).size < frames.length)
    throw new CommandError(
      `${path} contains a frame or a file twice. Remove one of the two entries.`,
    )
  return byId
}

/**
 * The site that a folder was pulled from.
 * @throws CommandError without a manifest
 */
export async function readManifestSite(folder: string): Promise<SiteRef> {
  const manifest = await findManifest(join(folder, MANIFEST_FILE))
  if (manifest) return { blogId: manifest.site.id }
  throw new CommandError(
    `${folder} has no ${MANIFEST_FILE}, which names its site. Name the site with --site.`,
  )
}

async function findManifest(path: string): Promise<z.output<typeof ManifestSchema> | undefined> {
  const bytes = await readFile(path).catch((error) => {
    if (isFileNotFound(error)) return undefined
    throw error
  })
  // Without the byte order mark that some editors write.
  return bytes && parseManifest(path, new TextDecoder().decode(bytes))
}

function parseManifest(path: string, text: string): z.output<typeof ManifestSchema> {
  try {
    return ManifestSchema.parse(JSON.parse(text))
  } catch (error) {
    const reason = error instanceof z.ZodError ? z.prettifyError(error) : String(error)
    throw new CommandError(
      `${path} is invalid: ${reason}\nRestore it, or pull into another folder and copy your edits to it.`,
    )
  }
}

/** Adds or replaces an entry, and removes another entry with the same file. */
export function upsertEntry(entries: Map<string, ManifestEntry>, entry: ManifestEntry): void {
  for (const { id, file } of entries.values()) if (file === entry.file) entries.delete(id)
  entries.set(entry.id, entry)
}

/** Writes the manifest atomically: after a crash, the file is the old or the new one. */
export async function writeManifest(
  folder: string,
  site: AddressedSite,
  frames: Iterable<ManifestEntry>,
): Promise<void> {
  const sorted = [...frames].sort((a, b) => (a.file < b.file ? -1 : 1))
  const manifest = {
    version: 1,
    site: { id: site.blogId, address: siteAddress(site) },
    frames: sorted.map(({ id, slug, sha256, file }) => ({ id, slug, sha256, file })),
  }
  const text = `${JSON.stringify(manifest, null, 2)}\n`
  await writeFileAtomically(join(folder, MANIFEST_FILE), Buffer.from(text))
}
