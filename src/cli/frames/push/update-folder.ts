import { join } from 'node:path'
import type { Db } from '../../../db/database.ts'
import { readFrames } from '../../../frames/read-frame.ts'
import { readRegistry } from '../../../frames/registry.ts'
import { sha256Hex } from '../../../hash.ts'
import { writeFileAtomically } from '../../../publishing/atomic-write.ts'
import type { Site } from '../../../wordpress/network/site.ts'
import { upsertEntry, writeManifest } from '../folder/manifest.ts'
import type { FolderChanges } from './folder-changes.ts'

/**
 * Updates a folder whose changes the site has now: the manifest, and references to renamed frames. The next push does it if this one is
 * interrupted before, because the site then has the changes already.
 */
export async function updateFolder(db: Db, site: Site, changes: FolderChanges): Promise<void> {
  const { path, changed, removed, rewritten } = changes
  if (changed.length + removed.length === 0) return
  const names = (await readRegistry(db, site)).all()
  const byId = new Map(names.map((name) => [name.id, name]))
  const bySlug = new Map(names.map((name) => [name.slug, name]))
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
  const embedders = [...entries.values()].filter(
    ({ id, file, sha256 }) => byId.has(id) && (digests.get(file) ?? sha256) !== sha256,
  )
  for (const { id, meta } of await readFrames(db, site, embedders)) {
    const entry = entries.get(id)
    // An embedder that was changed on the site since the pull differs.
    if (entry && digests.get(entry.file) === meta.sha256)
      entries.set(id, { ...entry, sha256: meta.sha256 })
  }
  for (const { name, bytes } of rewritten) await writeFileAtomically(join(path, name), bytes)
  await writeManifest(path, site, entries.values())
}
