import { inBatches } from '../../db/sql.ts'
import type { Tx } from '../../db/transaction.ts'
import { assertPrecondition, type Precondition } from '../../host/preconditions.ts'
import type { EntryRow } from '../../record/history/history-row.ts'
import { findWrittenSinceNamed, readContents } from '../../record/history/read-history.ts'
import { recordedWrites } from '../../record/history/record-history.ts'
import type { Site } from '../../wordpress/network/site.ts'
import type { FrameFields } from '../frames/frame-history.ts'
import type { MarkupAnalyzer } from '../frames/frame-markup.ts'
import { getFrameForWrite } from '../frames/frame-version.ts'
import type { FrameGraph } from '../frames/graph.ts'
import { type LockedFrames, lockFrames } from '../frames/lock-frames.ts'
import { decodeRecordOrEmpty } from '../frames/record.ts'
import { type FrameName, type Registry, readRecordTexts } from '../frames/registry.ts'
import { embeddersBySlug, type FrameRename, writeEmbedders } from '../frames/rename-frame.ts'
import { type FrameToWrite, removeFrames, writeFrames } from '../frames/write-frames.ts'
import type { Obstacle, RestoreTarget } from './choose-targets.ts'

/** What restored frames need to know about the request. */
export type FrameRestoreContext = {
  readonly userId: number
  /** GMT, `YYYY-MM-DD HH:MM:SS`. */
  readonly now: string
  readonly analyzer: MarkupAnalyzer
  readonly maxSiteBytes: number | undefined
  readonly precondition: Precondition | undefined
  /** Everything is restored to one moment: frames that were not written since then stay as they are. */
  readonly isWhole: boolean
}

export type RestoredFrames = {
  readonly obstacles: readonly Obstacle[]
  /** After the restore. */
  readonly registry: Registry
}

/** Frames whose markup is read at a time, and its bytes as far as they are known: a frame that was deleted may have any length. */
const MAX_READ_FRAMES = 250
const MAX_READ_BYTES = 4 * 1024 * 1024

/**
 * Restores frames with their ids, so that pages and other frames find them again. Frames that embed a renamed one by its slug embed it by the
 * restored slug, unless they had the slug in their markup before it was that of the renamed one. References that name no frame afterwards are obstacles.
 * @throws AppError those of `writeEmbedders`, `site_quota_exceeded`, `frame_charset_unsupported`
 */
export async function restoreFrames(
  tx: Tx,
  site: Site,
  targets: readonly RestoreTarget[],
  context: FrameRestoreContext,
): Promise<RestoredFrames> {
  const frames = await lockFrames(tx, site)
  const { before } = frames
  await assertFrameVersions(tx, site, before.registry, targets, context)
  const { wanted, obstacles } = freeSlugs(before.registry, targets)
  const sizeOf = ({ thing }: RestoreTarget): number =>
    Math.max(before.get(thing.ref)?.meta.bytes ?? 0, MAX_READ_BYTES / MAX_READ_FRAMES)
  for (const batch of inBatches(wanted, MAX_READ_BYTES, sizeOf)) {
    const { removed, writes, lost } = await readWanted(tx, site, frames, batch)
    obstacles.push(...lost)
    // Assignments that are restored too follow later.
    await removeFrames(tx, site, frames, removed)
    await writeFrames(frames, writes, context)
  }
  if (!context.isWhole) {
    const failed = new Set(obstacles.map(({ ref }) => ref))
    const refs = wanted.map(({ thing }) => thing.ref)
    const others = new Set(refs.filter((ref) => !failed.has(ref)))
    await writeEmbedders(tx, site, frames, await renamesIn(tx, site, frames), context, others)
  }
  if (frames.graph !== before) await frames.flush(context.maxSiteBytes)
  obstacles.push(...brokenReferences(tx, site, frames, context))
  return { obstacles, registry: frames.graph.registry }
}

async function assertFrameVersions(
  tx: Tx,
  site: Site,
  registry: Registry,
  targets: readonly RestoreTarget[],
  { precondition }: FrameRestoreContext,
): Promise<void> {
  if (!precondition) return
  for (const { thing, wanted } of targets) {
    if (registry.find(thing.ref))
      await getFrameForWrite(tx, site, registry, thing.ref, precondition)
    else assertPrecondition(precondition, `The frame "${wanted?.name ?? thing.ref}"`, undefined)
  }
}

/** The targets whose slugs no other frame has once all of them are restored. */
function freeSlugs(registry: Registry, targets: readonly RestoreTarget[]) {
  const ids = new Set(targets.map(({ thing }) => thing.ref))
  const taken = new Map(
    registry.all().flatMap(({ id, slug }) => (ids.has(id) ? [] : [[slug, id] as const])),
  )
  const obstacles: Obstacle[] = []
  const wanted = targets.filter(({ thing, wanted }) => {
    const holder = wanted?.state == null ? undefined : taken.get(fieldsOf(wanted).slug)
    if (holder === undefined) return true
    const { name = '' } = wanted ?? {}
    const message = `The slug "${name}" is used by frame ${holder} now. Rename that frame first.`
    obstacles.push({ ...thing, name, reason: 'slug_taken', message })
    return false
  })
  return { wanted, obstacles }
}

const fieldsOf = ({ state }: EntryRow): FrameFields => JSON.parse(state ?? '{}')

/** The frame with this id, not one with this slug. */
export function frameWithId(registry: Registry, id: string): FrameName | undefined {
  const found = registry.find(id)
  return found?.id === id ? found : undefined
}

type FramesToRestore = {
  readonly removed: readonly FrameName[]
  /** What differs from what is stored. */
  readonly writes: readonly FrameToWrite[]
  readonly lost: readonly Obstacle[]
}

/** Reads the wanted frames and what is stored of them, in one packet. */
async function readWanted(
  tx: Tx,
  site: Site,
  { before: { registry }, early }: LockedFrames,
  targets: readonly RestoreTarget[],
): Promise<FramesToRestore> {
  const ids = targets.map(({ thing }) => thing.ref)
  early.readDigests(ids)
  const hashes = targets.flatMap(({ wanted }) => wanted?.content ?? [])
  const [contents, records] = await Promise.all([
    readContents(tx, site, hashes),
    readRecordTexts(tx, site, ids),
  ])
  const removed: FrameName[] = []
  const writes: FrameToWrite[] = []
  const lost: Obstacle[] = []
  for (const { thing, wanted } of targets) {
    const id = thing.ref
    const current = frameWithId(registry, id)
    if (wanted?.state == null) {
      if (current) removed.push(current)
      continue
    }
    const html = contents.get(wanted.content ?? '')
    const { slug, created_at_gmt, damaged } = fieldsOf(wanted)
    if (html === undefined || damaged) {
      const [reason, message] = damaged
        ? (['record_damaged', 'The record was damaged at that time.'] as const)
        : (['history_pruned', 'The markup of this state is no longer in the history.'] as const)
      lost.push({ ...thing, name: wanted.name, reason, message })
      continue
    }
    const stored = decodeRecordOrEmpty(records.get(id) ?? '', id, slug)
    const isSame = current?.slug === slug && stored.html === html
    if (!isSame) writes.push({ id, slug, html, created_at_gmt })
  }
  return { removed, writes, lost }
}

/** What was not written since a frame got its slug has named this slug before, when no frame or another one had it: it still does. */
function renamesIn(tx: Tx, site: Site, { before, graph }: LockedFrames): Promise<FrameRename[]> {
  const renames = before.registry.all().flatMap((frame) => {
    const slug = graph.get(frame.id)?.slug
    return slug === undefined || slug === frame.slug ? [] : [{ before: frame, slug }]
  })
  return Promise.all(
    renames.map(async (rename) => {
      const { id: ref, slug: name } = rename.before
      const refs = embeddersBySlug(before, rename.before).map(({ id }) => id)
      const frame = { kind: 'frame', ref, name } as const
      return { ...rename, embedders: await findWrittenSinceNamed(tx, site, frame, refs) }
    }),
  )
}

/** References that name no frame now: to frames that the restore has removed or renamed, and those that restored frames have got back. */
function brokenReferences(
  tx: Tx,
  site: Site,
  { before, graph }: LockedFrames,
  { isWhole }: FrameRestoreContext,
): Obstacle[] {
  const written = new Set(
    recordedWrites(tx, site).flatMap(({ kind, ref }) => (kind === 'frame' ? [ref] : [])),
  )
  const referencesOf = (of: FrameGraph, id: string) => of.get(id)?.meta.references ?? []
  const isBroken = (id: string, ref: string): boolean => {
    if (graph.registry.find(ref)) return false
    // At that moment, it named none either.
    if (isWhole && written.has(id)) return false
    if (before.registry.find(ref)) return true
    return written.has(id) && !referencesOf(before, id).includes(ref)
  }
  return graph.all().flatMap(({ id, slug, meta }) =>
    meta.references
      .filter((ref) => isBroken(id, ref))
      .map((ref): Obstacle => {
        const message = `It embeds "${ref}", but no frame has this name after the restore; the insert prints nothing. Restore that frame too, or change the insert.`
        return { kind: 'frame', ref: id, name: slug, reason: 'reference_missing', message }
      }),
  )
}
