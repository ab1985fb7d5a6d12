import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type Client, isServiceError, type Output } from '#client'
import { writeFileAtomically } from '../../atomic-write.ts'
import type { SiteReport, SiteRun } from '../../sites/run-over-sites.ts'
import type { AddressedSite } from '../../sites/site-options.ts'
import { formatTable, pluralize } from '../../terminal.ts'
import { matchFiles, readFrameFolder } from '../folder/frame-folder.ts'
import { upsertEntry, writeManifest } from '../folder/manifest.ts'
import {
  findObsoleteFiles,
  type PullContext,
  type PullResult,
  planPull,
  planRemovals,
} from './plan-pull.ts'

type ListedFrame = Output<'listFrames'>['frames'][number]

/**
 * Updates a folder from the site. Edited files stay; if the frame changed on the site as well, both sides stay unchanged and the pull reports
 * a conflict. The next pull continues an interrupted one.
 * @param path the folder, which is created if it does not exist
 */
export async function pullSite(
  client: Client,
  site: AddressedSite,
  { signal, progress }: SiteRun,
  path: string,
  { force = false }: { readonly force?: boolean },
): Promise<SiteReport> {
  const folder = await readFrameFolder(path, site)
  const { frames } = await client.listFrames({ site_id: site.blogId })
  if (frames.length === 0 && !folder.hasManifest) return { outcome: 'no frames' }
  const matches = matchFiles(folder)
  const obsolete = findObsoleteFiles(folder, matches, frames)
  const context = { folder, matches, obsolete, force }
  const pulled: PullResult[] = []
  progress.expect(frames.length)
  for (const frame of frames) {
    if (signal.aborted) break
    pulled.push(await pullFrame(client, site, context, frame))
    progress.tick()
  }
  const isComplete = pulled.length === frames.length
  if (isComplete) pulled.push(...planRemovals(context, frames))
  await updateFolder(context, site, pulled)
  return reportOnPull(path, pulled, isComplete ? undefined : frames.length)
}

async function pullFrame(
  client: Client,
  { blogId }: AddressedSite,
  context: PullContext,
  listed: ListedFrame,
): Promise<PullResult> {
  const { id, slug, updated_by, updated_at_gmt } = listed
  const { action, file, from, entry } = planPull(context, listed)
  const pulled = { id, slug, did: action, file, from: from?.name, entry }
  if (action === 'conflict')
    return {
      ...pulled,
      note: `edited in the folder, but changed on the site by user ${updated_by} at ${updated_at_gmt} GMT`,
    }
  const path = join(context.folder.path, file)
  if (from && (action === 'unchanged' || action === 'edited')) {
    if (from.name !== file) await writeFileAtomically(path, from.bytes)
    return pulled
  }
  try {
    const { frame } = await client.getFrame({ site_id: blogId, ref: id })
    await writeFileAtomically(path, Buffer.from(frame.html))
    // It may have been written since it was listed.
    return { ...pulled, ...(entry ? { entry: { ...entry, sha256: frame.sha256 } } : {}) }
  } catch (error) {
    if (!isServiceError(error, 'frame_unreadable', 'frame_not_found')) throw error
    return { id, slug, did: 'unreadable', note: error.message }
  }
}

/** Removes obsolete files and writes the manifest. */
async function updateFolder(
  { folder: { path, entries } }: PullContext,
  site: AddressedSite,
  pulled: readonly PullResult[],
): Promise<void> {
  const done = pulled.filter(({ did }) => did !== 'conflict' && did !== 'unreadable')
  const currentFiles = new Set(done.map(({ file }) => file))
  for (const { id, from } of done) {
    if (from !== undefined && !currentFiles.has(from)) await rm(join(path, from), { force: true })
    entries.delete(id)
  }
  // Last, because an entry may take over the file of a frame that could not be pulled.
  for (const { entry } of done) if (entry) upsertEntry(entries, entry)
  await writeManifest(path, site, entries.values())
}

const CONFLICT_ADVICE =
  'Conflicts were left unchanged on both sides. Merge the output of "frames show" into the file and run push --force, or run pull --force to discard the file.\n'

/** @param expected the number of frames on the site if the pull was stopped, otherwise undefined */
function reportOnPull(
  path: string,
  pulled: readonly PullResult[],
  expected: number | undefined,
): SiteReport {
  const count = (did: PullResult['did']) => pulled.filter((frame) => frame.did === did).length
  const changes = (['new', 'updated', 'removed', 'edited', 'conflict', 'unreadable'] as const)
    .filter((did) => count(did) > 0)
    .map((did) => `${count(did)} ${did}`)
  const total = pluralize(pulled.length - count('removed'), 'frame')
  const rows = pulled
    .filter(({ did, file, from }) => did !== 'unchanged' || (from && from !== file))
    .map(({ did, slug, file, from, note }) => [did, slug, file ?? from ?? '', note ?? ''])
  return {
    state: pullState(expected !== undefined, count('conflict') + count('unreadable')),
    outcome: `${total}${expected === undefined ? '' : ` of ${expected}`} in ${path}: ${changes.join(', ') || 'nothing new'}`,
    detail:
      (rows.length > 0 ? formatTable(rows) : '') + (count('conflict') > 0 ? CONFLICT_ADVICE : ''),
    data: {
      folder: path,
      frames: pulled.map(({ id, slug, did, file, from, note }) => ({
        id,
        slug,
        did,
        file: file ?? null,
        ...(from !== undefined && from !== file ? { from } : {}),
        ...(note === undefined ? {} : { note }),
      })),
    },
  }
}

function pullState(isStopped: boolean, failures: number): SiteReport['state'] {
  if (isStopped) return 'stopped'
  return failures > 0 ? 'failed' : 'done'
}
