import { inBatches } from '../db/sql.ts'
import type { Tx } from '../db/transaction.ts'
import {
  type AssignmentFields,
  type FrameFields,
  recordAssignments,
  startReadingFrames,
} from '../frames/frame-history.ts'
import type { MarkupAnalyzer } from '../frames/frame-markup.ts'
import { getFrameForWrite } from '../frames/frame-version.ts'
import type { FrameGraph, IndexedFrame } from '../frames/graph.ts'
import { type LockedFrames, lockFrames } from '../frames/lock-frames.ts'
import { PAGE_META_KEY, recordOption } from '../frames/option-names.ts'
import { decodeRecordOrEmpty } from '../frames/record.ts'
import { inRecordBatches } from '../frames/record-batches.ts'
import type { Registry } from '../frames/registry.ts'
import { embeddersBySlug, rewriteEmbedders } from '../frames/rename-frame.ts'
import type { EntryRow } from '../history/history-row.ts'
import { readContents } from '../history/read-history.ts'
import { assertPrecondition, type Precondition } from '../preconditions.ts'
import { markMetaSeen } from '../seen/seen-posts.ts'
import { readPostStatuses } from '../wordpress/health/menu-survey.ts'
import type { Site } from '../wordpress/network/site.ts'
import { readOptions } from '../wordpress/options/read-options.ts'
import {
  deletePostMeta,
  listPostsByMeta,
  type PostMeta,
  readPostsMeta,
  setPostsMeta,
} from '../wordpress/postmeta.ts'
import type { RestoreTarget } from './choose-targets.ts'
import type { Obstacle, RestoredPart, RestoredThing } from './restored-thing.ts'

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

export type RestoredFrames = RestoredPart & {
  readonly registry: Registry
  /** Slugs before and after, by id, of the frames that were written. */
  readonly written: ReadonlyMap<string, readonly string[]>
  /** Ids of pages that lost their frame. */
  readonly unbound: readonly number[]
}

/** Markup of rewritten embedders that is kept for the differences in the answer, in characters. The others have none. */
const MAX_KEPT_CHARACTERS = 8_000_000

/** Frames whose markup is read at a time, and its bytes as far as they are known: a frame that was deleted may have any length. */
const MAX_READ_FRAMES = 250
const MAX_READ_BYTES = 4 * 1024 * 1024

/**
 * Restores frames with their ids, so that pages and other frames find them again. Frames that embed a renamed one by its slug embed it by the
 * restored slug. References that name no frame afterwards are obstacles.
 * @throws AppError those of `rewriteEmbedders`, `site_quota_exceeded`, `frame_charset_unsupported`
 */
export async function restoreFrames(
  tx: Tx,
  site: Site,
  targets: readonly RestoreTarget[],
  context: FrameRestoreContext,
): Promise<RestoredFrames> {
  const frames = await lockFrames(tx, site)
  const restoring = new FrameRestore(tx, site, frames, context)
  await restoring.assertPrecondition(targets)
  const { wanted, obstacles } = freeSlugs(frames.graph.registry, targets)
  for (const batch of inBatches(wanted, MAX_READ_BYTES, restoring.readSizeOf))
    await restoring.restore(batch)
  await restoring.renameInEmbedders(wanted)
  if (restoring.restored.length > 0) await frames.flush(context.maxSiteBytes)
  return {
    restored: restoring.restored,
    obstacles: [...obstacles, ...restoring.obstacles, ...restoring.brokenReferences()],
    registry: frames.graph.registry,
    written: restoring.written,
    unbound: restoring.unbound,
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

class FrameRestore {
  readonly restored: RestoredThing[] = []
  readonly obstacles: Obstacle[] = []
  readonly written = new Map<string, readonly string[]>()
  readonly unbound: number[] = []
  readonly #tx: Tx
  readonly #site: Site
  readonly #frames: LockedFrames
  /** Before the restore. */
  readonly #graph: FrameGraph
  readonly #registry: Registry
  readonly #context: FrameRestoreContext

  constructor(tx: Tx, site: Site, frames: LockedFrames, context: FrameRestoreContext) {
    this.#tx = tx
    this.#site = site
    this.#frames = frames
    this.#graph = frames.graph
    this.#registry = frames.graph.registry
    this.#context = context
  }

  async assertPrecondition(targets: readonly RestoreTarget[]): Promise<void> {
    const { precondition } = this.#context
    if (!precondition) return
    for (const { thing, wanted } of targets) {
      if (this.#registry.find(thing.ref))
        await getFrameForWrite(this.#tx, this.#site, this.#registry, thing.ref, precondition)
      else assertPrecondition(precondition, `The frame "${wanted?.name ?? thing.ref}"`, undefined)
    }
  }

  /** What a target adds to the size of its batch. */
  readonly readSizeOf = ({ thing }: RestoreTarget): number =>
    Math.max(this.#graph.get(thing.ref)?.meta.bytes ?? 0, MAX_READ_BYTES / MAX_READ_FRAMES)

  /** Reads the frames in one packet, and writes them. */
  async restore(targets: readonly RestoreTarget[]): Promise<void> {
    const [tx, site] = [this.#tx, this.#site]
    const ids = targets.map(({ thing }) => thing.ref)
    startReadingFrames(tx, site, ids)
    const hashes = targets.flatMap(({ wanted }) => wanted?.content ?? [])
    const removed = targets.filter(
      ({ thing, wanted }) =>
        wanted?.state == null && this.#registry.find(thing.ref)?.id === thing.ref,
    )
    const removedIds = removed.map(({ thing }) => thing.ref)
    const [contents, records, pages] = await Promise.all([
      readContents(tx, site, hashes),
      readOptions(tx, site, ids.map(recordOption)),
      listPostsByMeta(tx, site, PAGE_META_KEY, removedIds),
    ])
    await this.#unbind(pages)
    const lengthOf = ({ wanted }: RestoreTarget): number =>
      contents.get(wanted?.content ?? '')?.length ?? 0
    for (const batch of inRecordBatches(targets, lengthOf)) {
      for (const target of batch) await this.#restoreOne(target, contents, records)
      await this.#frames.flushRecords()
    }
  }

  async #restoreOne(
    { thing, wanted }: RestoreTarget,
    contents: ReadonlyMap<string, string>,
    records: ReadonlyMap<string, string>,
  ): Promise<void> {
    const { ref: id } = thing
    const found = this.#registry.find(id)
    const current = found?.id === id ? found : undefined
    const before =
      current && decodeRecordOrEmpty(records.get(recordOption(id)) ?? '', id, current.slug)
    const stateBefore = before && { fields: { slug: before.slug }, content: before.html }
    if (!wanted || wanted.state === null) {
      if (!current) return
      this.#frames.stageRemoval(id)
      this.#note(id, current.slug, 'deleted', [current.slug], stateBefore, undefined)
      return
    }
    const html = contents.get(wanted.content ?? '')
    const { slug, created_at_gmt, damaged } = fieldsOf(wanted)
    if (html === undefined || damaged) {
      const [reason, message] = damaged
        ? (['record_damaged', 'The record was damaged at that time.'] as const)
        : (['history_pruned', 'The markup of this state is no longer in the history.'] as const)
      this.obstacles.push({ ...thing, name: wanted.name, reason, message })
      return
    }
    if (before?.slug === slug && before.html === html) return
    const { userId, now, analyzer } = this.#context
    const record = { slug, html, created_at_gmt, updated_at_gmt: now, updated_by: userId }
    this.#frames.stage(id, record, await analyzer.analyze(html))
    const slugs = [...new Set([...(current ? [current.slug] : []), slug])]
    const action = current ? 'replaced' : 'created'
    this.#note(id, slug, action, slugs, stateBefore, { fields: { slug }, content: html })
  }

  #note(
    id: string,
    name: string,
    action: RestoredThing['action'],
    slugs: readonly string[],
    before: RestoredThing['before'],
    after: RestoredThing['after'],
  ): void {
    this.restored.push({ kind: 'frame', ref: id, name, action, before, after })
    this.written.set(id, slugs)
  }

  /** Rewrites the frames that are not restored themselves, as a rename does. */
  async renameInEmbedders(targets: readonly RestoreTarget[]): Promise<void> {
    if (this.#context.isWhole) return
    const failed = new Set(this.obstacles.map(({ ref }) => ref))
    const ids = new Set(targets.map(({ thing }) => thing.ref).filter((ref) => !failed.has(ref)))
    const renames = new Map<string, string>()
    const embedders = new Map<string, IndexedFrame>()
    for (const before of this.#graph.all()) {
      const after = this.written.has(before.id) && this.#frames.graph.get(before.id)
      if (!after || after.slug === before.slug) continue
      renames.set(before.slug, after.slug)
      for (const frame of embeddersBySlug(this.#graph, before))
        if (!ids.has(frame.id)) embedders.set(frame.id, frame)
    }
    const rewritten = rewriteEmbedders(
      this.#tx,
      this.#site,
      this.#frames,
      [...embedders.values()],
      renames,
      this.#context,
    )
    let kept = 0
    for await (const { id, slug, before, html } of rewritten) {
      kept += before.length + html.length
      const state = (content: string) =>
        kept > MAX_KEPT_CHARACTERS ? { fields: { slug } } : { fields: { slug }, content }
      this.#note(id, slug, 'replaced', [slug], state(before), state(html))
    }
  }

  /** References that name no frame now: to frames that the restore has removed or renamed, and those that restored frames have got back. */
  brokenReferences(): Obstacle[] {
    const { graph } = this.#frames
    const isBroken = (id: string, ref: string): boolean => {
      if (graph.registry.find(ref)) return false
      const isRestored = this.written.has(id)
      // At that moment, it named none either.
      if (this.#context.isWhole && isRestored) return false
      if (this.#registry.find(ref)) return true
      return isRestored && !this.#graph.get(id)?.meta.references.includes(ref)
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

  /** As a deletion does. Assignments that are restored too follow later. */
  async #unbind(pages: readonly PostMeta[]): Promise<void> {
    const ids = pages.map(({ postId }) => postId)
    await deletePostMeta(this.#tx, this.#site, ids, PAGE_META_KEY)
    markMetaSeen(this.#tx, this.#site, [PAGE_META_KEY], ids)
    const cleared = pages.map(({ postId, value }) => ({ pageId: postId, before: value }))
    recordAssignments(this.#tx, this.#site, cleared, undefined)
    this.unbound.push(...ids)
  }
}

/** Restores which frames pages stand on. The caller has locked the frames. */
export async function restoreAssignments(
  tx: Tx,
  site: Site,
  targets: readonly RestoreTarget[],
  registry: Registry,
): Promise<RestoredPart> {
  if (targets.length === 0) return { restored: [], obstacles: [] }
  const pageIds = targets.map(({ thing }) => Number(thing.ref))
  const [existing, current] = await Promise.all([
    readPostStatuses(tx, site, pageIds),
    readPostsMeta(tx, site, pageIds, PAGE_META_KEY),
  ])
  const written = new Map<number, string>()
  const cleared: number[] = []
  const restored: RestoredThing[] = []
  const obstacles: Obstacle[] = []
  for (const { thing, wanted } of targets) {
    const pageId = Number(thing.ref)
    const fields: AssignmentFields | null = JSON.parse(wanted?.state ?? 'null')
    const before = current.get(pageId)
    if (before === fields?.frame) continue
    const obstacle = (reason: Obstacle['reason'], message: string): void =>
      void obstacles.push({ ...thing, name: wanted?.name ?? '', reason, message })
    if (!existing.has(pageId)) {
      obstacle('page_missing', `Page ${pageId} does not exist.`)
      continue
    }
    const found = fields ? registry.find(fields.frame) : undefined
    const frame = found && found.id === fields?.frame ? found : undefined
    if (fields && !frame) {
      obstacle('frame_missing', `Frame ${fields.frame} does not exist.`)
      continue
    }
    if (frame) written.set(pageId, frame.id)
    else cleared.push(pageId)
    recordAssignments(tx, site, [{ pageId, before }], frame)
    restored.push({
      ...thing,
      name: frame?.slug ?? wanted?.name ?? '',
      action: frame ? 'assigned' : 'cleared',
      before: before === undefined ? undefined : { fields: { frame: before } },
      after: frame && { fields: { frame: frame.id } },
    })
  }
  await setPostsMeta(tx, site, PAGE_META_KEY, written)
  await deletePostMeta(tx, site, cleared, PAGE_META_KEY)
  markMetaSeen(tx, site, [PAGE_META_KEY], pageIds)
  return { restored, obstacles }
}
