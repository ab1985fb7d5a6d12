import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Db } from '../../../db/database.ts'
import { AppError } from '../../../errors.ts'
import { type FrameName, readRegistry } from '../../../frames/registry.ts'
import type { Site } from '../../../wordpress/network/site.ts'
import { putFile } from '../../put-file.ts'
import type { SiteReport, SiteRun } from '../../sites/run-over-sites.ts'
import { matchFiles, readFrameFolder } from '../folder/frame-folder.ts'
import { upsertEntry, writeManifest } from '../folder/manifest.ts'
import { describeLastChange, readStoredFrame, type StoredFrame } from '../site-frames.ts'
import { findObsoleteFiles, type PullContext, planPull, planRemovals } from './plan-pull.ts'
import { type PullResult, reportOnPull } from './report-on-pull.ts'

/**
 * Updates a folder from the site. Edited files stay; if the frame changed on the site as well, both sides stay unchanged and the pull reports
 * a conflict. The next pull continues an interrupted one.
 * @param path the folder, which is created if it does not exist
 */
export async function pullSite(
  db: Db,
  site: Site,
  { signal, progress }: SiteRun,
  path: string,
  { force = false }: { readonly force?: boolean },
): Promise<SiteReport> {
  const folder = await readFrameFolder(path, site)
  const names = (await readRegistry(db, site)).all()
  if (names.length === 0 && !folder.hasManifest) return { outcome: 'no frames' }
  const matches = matchFiles(folder)
  const obsolete = findObsoleteFiles(folder, matches, names)
  const context = { folder, matches, obsolete, force }
  const pulled: PullResult[] = []
  progress.expect(names.length)
  for (const name of names) {
    if (signal.aborted) break
    pulled.push(await pullFrame(db, site, context, name))
    progress.tick()
  }
  const isComplete = pulled.length === names.length
  if (isComplete) pulled.push(...planRemovals(context, names))
  await updateFolder(context, site, pulled)
  return reportOnPull(path, pulled, isComplete ? undefined : names.length)
}

async function pullFrame(
  db: Db,
  site: Site,
  context: PullContext,
  name: FrameName,
): Promise<PullResult> {
  let stored: StoredFrame
  try {
    stored = await readStoredFrame(db, site, name)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return { ...name, did: 'unreadable', note: error.message }
  }
  const { action: does, file, from, entry } = planPull(context, stored)
  const pulled = { ...name, did: does, file, from: from?.name, entry }
  if (does === 'conflict')
    return {
      ...pulled,
      note: `edited in the folder, but changed on the site ${describeLastChange(stored)}`,
    }
  const bytes = does === 'edited' && from ? from.bytes : Buffer.from(stored.record.html)
  const isUpToDate = does === 'unchanged' || does === 'edited'
  if (!isUpToDate || (from && from.name !== file)) await putFile(context.folder.path, file, bytes)
  return pulled
}

/** Removes obsolete files and writes the manifest. */
async function updateFolder(
  { folder: { path, entries } }: PullContext,
  site: Site,
  pulled: readonly PullResult[],
): Promise<void> {
  const done = pulled.filter(({ did }) => did !== 'conflict' && did !== 'unreadable')
  const inPlace = new Set(done.map(({ file }) => file))
  for (const { id, from } of done) {
    if (from !== undefined && !inPlace.has(from)) await rm(join(path, from), { force: true })
    entries.delete(id)
  }
  // Last, because an entry may take over the file of a frame that could not be pulled.
  for (const { entry } of done) if (entry) upsertEntry(entries, entry)
  await writeManifest(path, site, entries.values())
}
