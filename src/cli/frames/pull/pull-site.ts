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
 * Brings a folder up to what the site holds. Files that were edited stay; where the site changed as well, both sides stay as they are and
 * the pull fails for that frame. One that is stopped or broken off is taken up by the next.
 * @param path of the folder, made where it is missing
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
  const leaving = findObsoleteFiles(folder, matches, names)
  const situation = { folder, matches, leaving, force }
  const pulled: PullResult[] = []
  progress.expect(names.length)
  for (const name of names) {
    if (signal.aborted) break
    pulled.push(await pullFrame(db, site, situation, name))
    progress.tick()
  }
  const isWhole = pulled.length === names.length
  if (isWhole) pulled.push(...planRemovals(situation, names))
  await updateFolder(situation, site, pulled)
  return reportOnPull(path, pulled, isWhole ? undefined : names.length)
}

async function pullFrame(
  db: Db,
  site: Site,
  situation: PullContext,
  name: FrameName,
): Promise<PullResult> {
  let stored: StoredFrame
  try {
    stored = await readStoredFrame(db, site, name)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return { ...name, did: 'unreadable', note: error.message }
  }
  const { action: does, file, from, entry } = planPull(situation, stored)
  const pulled = { ...name, did: does, file, from: from?.name, entry }
  if (does === 'conflict')
    return { ...pulled, note: `edited here, and changed there ${describeLastChange(stored)}` }
  const bytes = does === 'edited' && from ? from.bytes : Buffer.from(stored.record.html)
  const isThere = does === 'unchanged' || does === 'edited'
  if (!isThere || (from && from.name !== file)) await putFile(situation.folder.path, file, bytes)
  return pulled
}

/** Removes the files whose frames have others now, or are gone, and writes down what the folder holds. */
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
  // A frame that was not settled may have lost its file to one of these.
  for (const { entry } of done) if (entry) upsertEntry(entries, entry)
  await writeManifest(path, site, entries.values())
}
