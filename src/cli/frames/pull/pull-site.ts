import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type Client, isServiceError, type Output } from '#client'
import { writeFileAtomically } from '../../atomic-write.ts'
import type { SiteReport, SiteRun } from '../../sites/run-over-sites.ts'
import type { AddressedSite } from '../../sites/site-options.ts'
import { formatTable, pluralize } from '../../terminal.ts'
import { foldCase, frameFileName } from '../folder/frame-file-name.ts'
import {
  type FileMatches,
  type FrameFile,
  type FrameFolder,
  matchFiles,
  readFrameFolder,
} from '../folder/frame-folder.ts'
import { type ManifestEntry, upsertEntry, writeManifest } from '../folder/manifest.ts'

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
  const failures = count('conflict') + count('unreadable')
  const total = pluralize(pulled.length - count('removed'), 'frame')
  const rows = pulled
    .filter(({ did, file, from }) => did !== 'unchanged' || (from && from !== file))
    .map(({ did, slug, file, from, note }) => [did, slug, file ?? from ?? '', note ?? ''])
  return {
    state: expected !== undefined ? 'stopped' : failures > 0 ? 'failed' : 'done',
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

type NamedFrame = Pick<ListedFrame, 'id' | 'slug'>

/** What a pull does with a frame of the site. */
type PullStep = {
  /** `edited`: only the file changed, so it stays. `conflict`: the site changed as well, so nothing is done. */
  readonly action: 'new' | 'updated' | 'unchanged' | 'edited' | 'conflict'
  /** Name of the target file. */
  readonly file: string
  /** The current file of the frame. */
  readonly from: FrameFile | undefined
  /** The entry of the manifest after the pull; the current entry if there is a conflict. */
  readonly entry: ManifestEntry | undefined
}

/** The result of the pull for one frame. */
type PullResult = {
  readonly id: string
  readonly slug: string
  readonly did: PullStep['action'] | 'unreadable' | 'removed'
  /** The current file; undefined if it was removed. */
  readonly file?: string
  /** The earlier file. */
  readonly from?: string | undefined
  /** The new entry of the manifest. */
  readonly entry?: ManifestEntry | undefined
  /** The reason why nothing was done. */
  readonly note?: string
}

type PullContext = {
  readonly folder: FrameFolder
  readonly matches: FileMatches
  /** Unedited files whose frames were renamed or deleted on the site; another frame may use their names. */
  readonly obsolete: ReadonlySet<FrameFile>
  /** Overwrites edited files. */
  readonly force: boolean
}

/**
 * Compares a frame on the site and its file with the manifest, their last common version. A change on one side only is taken over.
 */
function planPull(context: PullContext, { id, slug, sha256 }: ListedFrame): PullStep {
  const { folder, matches, force } = context
  const entry = folder.entries.get(id)
  const from = matchedFile(matches, id)
  const file = targetFileName(context, { id, slug }, entry, from)
  const occupant = findOccupant(context, file, from)
  const action = decideAction(entry, from ?? occupant, sha256, force)
  const collides = !force && occupant !== undefined && occupant.sha256 !== sha256
  if (action === 'conflict' || collides) return { action: 'conflict', file, from, entry }
  const isMoved = !force && matches.moved.has(id) && entry?.slug === slug
  return {
    action,
    file,
    from,
    entry: {
      id,
      slug,
      sha256: action === 'edited' && entry ? entry.sha256 : sha256,
      // The manifest keeps the old file name, so that the next push detects the rename.
      file: isMoved ? entry.file : file,
    },
  }
}

/** A frame that was renamed on the site gets the file name of its new slug; otherwise a file keeps its name. */
function targetFileName(
  { force }: PullContext,
  name: NamedFrame,
  entry: ManifestEntry | undefined,
  from: FrameFile | undefined,
): string {
  if (entry?.slug !== name.slug) return frameFileName(name)
  if (from === undefined) return entry.file
  return force && foldCase(from.name) !== foldCase(entry.file) ? entry.file : from.name
}

function decideAction(
  entry: ManifestEntry | undefined,
  file: FrameFile | undefined,
  sha256: string,
  force: boolean,
): PullStep['action'] {
  if (file === undefined) return entry ? 'updated' : 'new'
  if (file.sha256 === sha256) return 'unchanged'
  if (force || file.sha256 === entry?.sha256) return 'updated'
  return entry?.sha256 === sha256 ? 'edited' : 'conflict'
}

/** Finds another file with the same name, also if it differs only in case. */
function findOccupant(
  { folder, obsolete }: PullContext,
  name: string,
  own: FrameFile | undefined,
): FrameFile | undefined {
  const folded = foldCase(name)
  if (own && foldCase(own.name) === folded) return undefined
  return [...folder.files.values()].find(
    (file) => file !== own && !obsolete.has(file) && foldCase(file.name) === folded,
  )
}

/** Finds unedited files whose frames were deleted or renamed on the site. */
function findObsoleteFiles(
  { entries }: FrameFolder,
  matches: FileMatches,
  names: readonly NamedFrame[],
): ReadonlySet<FrameFile> {
  const slugs = new Map(names.map(({ id, slug }) => [id, slug]))
  const obsolete = [...entries.values()].flatMap((entry) => {
    const file = matchedFile(matches, entry.id)
    const isObsolete = slugs.get(entry.id) !== entry.slug && file?.sha256 === entry.sha256
    return isObsolete ? [file] : []
  })
  return new Set(obsolete)
}

/** Plans the removal of files whose frames were deleted on the site. */
function planRemovals(
  { folder, matches, force }: PullContext,
  names: readonly NamedFrame[],
): PullResult[] {
  const ids = new Set(names.map(({ id }) => id))
  return [...folder.entries.values()]
    .filter(({ id }) => !ids.has(id))
    .map(({ id, slug, sha256 }) => {
      const file = matchedFile(matches, id)
      const removal = { id, slug, from: file?.name }
      return force || file === undefined || file.sha256 === sha256
        ? { ...removal, did: 'removed' }
        : {
            ...removal,
            did: 'conflict',
            file: file.name,
            note: 'edited in the folder, but deleted on the site',
          }
    })
}

const matchedFile = ({ named, moved }: FileMatches, id: string): FrameFile | undefined =>
  named.get(id) ?? moved.get(id)
