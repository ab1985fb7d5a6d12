import { join } from 'node:path'
import type { Client } from '#client'
import { sha256Hex } from '../../../host/hash.ts'
import { writeFileAtomically } from '../../atomic-write.ts'
import type { AddressedSite } from '../../sites/site-options.ts'
import { upsertEntry, writeManifest } from '../folder/manifest.ts'
import type { FolderChanges } from './folder-changes.ts'
import { readSiteFrames } from './site-frames.ts'

/**
 * Updates a folder whose changes the site has now: the manifest, and references to renamed frames. The next push does it if this one is
 * interrupted before, because the site then has the changes already.
 */
export async function updateFolder(
  client: Client,
  site: AddressedSite,
  changes: FolderChanges,
): Promise<void> {
  const { path, changed, removed, rewritten } = changes
  if (changed.length + removed.length === 0) return
  const byId = await readSiteFrames(client, site)
  const bySlug = new Map([...byId.values()].map((frame) => [frame.slug, frame]))
  const entries = new Map(changes.entries)
  for (const { id } of removed) if (!byId.has(id)) entries.delete(id)
  for (const { name, slug, html = '', entry, isMoved } of changed) {
    const frame = byId.get(entry?.id ?? '') ?? bySlug.get(slug ?? '')
    if (!frame) continue
    if (entry) entries.delete(entry.id)
    // A frame that was renamed on the site keeps its file until the next pull.
    const known = entry?.id === frame.id && !isMoved ? entry.slug : frame.slug
    upsertEntry(entries, { id: frame.id, slug: known, sha256: sha256Hex(html), file: name })
  }
  const digests = new Map(rewritten.map(({ name, sha256 }) => [name, sha256]))
  for (const [id, entry] of entries) {
    const stored = byId.get(id)?.sha256
    // An embedder that was changed on the site since the pull differs.
    if (stored !== undefined && digests.get(entry.file) === stored)
      entries.set(id, { ...entry, sha256: stored })
  }
  for (const { name, bytes } of rewritten) await writeFileAtomically(join(path, name), bytes)
  await writeManifest(path, site, entries.values())
}
