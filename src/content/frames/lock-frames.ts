import { encodePhp, removeValue, setValue } from '#php-serialized'
import { isCharsetMismatch } from '../../db/database-error.ts'
import type { Tx } from '../../db/transaction.ts'
import { AppError } from '../../host/errors.ts'
import type { Site } from '../../wordpress/network/site.ts'
import {
  deleteOptions,
  type OptionValue,
  writeOptions,
} from '../../wordpress/options/write-options.ts'
import type { Change } from '../work/change.ts'
import { workOn, workOnEmbedders } from '../work/work.ts'
import {
  type RecordDigests,
  readRecordDigests,
  recordFrames,
  type StagedFrame,
} from './frame-history.ts'
import { isFrameBound } from './frame-pages.ts'
import type { FrameGraph, IndexedFrame } from './graph.ts'
import {
  cacheWrittenGraph,
  findCachedGraph,
  graphVersionOf,
  newVersionNonce,
  peekCachedGraph,
} from './graph-cache.ts'
import {
  bakedOption,
  metaOption,
  REGISTRY_OPTION,
  recordOption,
  VERSION_OPTION,
} from './option-names.ts'
import { readWholeGraph } from './read-graph.ts'
import { encodeRecord, type Frame, type FrameRecord, type MarkupSummary, metaOf } from './record.ts'
import { decodeRegistry, lockRegistryAndNonce } from './registry.ts'

/** A site's frames under their write lock. Changes are staged, and written together by `flush`. */
export class LockedFrames {
  readonly #tx: Tx
  readonly #site: Site
  readonly early: EarlyReads
  /** The site's graph before the write. */
  readonly before: FrameGraph
  #graph: FrameGraph
  /** Frames staged since `graph` was last read. They are added together, because each addition copies the graph. */
  #unmerged: IndexedFrame[] = []
  readonly #lockedText: string
  #registryText: string
  #stagedOptions: OptionValue[] = []
  readonly #stagedDeletions: string[] = []
  /** Staged since the last write, for the history. */
  #staged: StagedFrame[] = []

  constructor(tx: Tx, site: Site, graph: FrameGraph, registryText: string, early: EarlyReads) {
    this.#tx = tx
    this.#site = site
    this.early = early
    this.before = graph
    this.#graph = graph
    this.#lockedText = registryText
    this.#registryText = registryText
  }

  /** The site's graph including the staged changes. */
  get graph(): FrameGraph {
    if (this.#unmerged.length > 0) this.#graph = this.#graph.with(this.#unmerged)
    this.#unmerged = []
    return this.#graph
  }

  /**
   * The change that a write of a frame makes. The copy of a frame that no page and no frame uses is baked now or when it is needed, and not
   * recorded.
   * @param slugs the frame's slugs before and after the write: others may embed it by each of them, or by its id
   * @param write `isNew`: the frame had other markup, or did not exist
   */
  async changeOf(
    { id, record: { html }, meta: { sha256 } }: Frame,
    slugs: readonly string[],
    { bake, isNew }: { readonly bake: boolean; readonly isNew: boolean },
  ): Promise<Change> {
    const isEmbedded = this.graph.embeddersOf([id, ...slugs]).length > 0
    const isUsed = bake && (isEmbedded || (await this.early.isBound(id)))
    const work = isUsed ? [...workOn('frame', [id]), ...workOnEmbedders(id, slugs)] : []
    return { bake, work, frame: id, markup: { html, sha256, isNew } }
  }

  /**
   * Stages a new or changed frame: its record, its meta, and its registry entry if the slug is new.
   * @param isNew no frame has had the id
   */
  stage(id: string, record: FrameRecord, report: MarkupSummary, isNew = false): Frame {
    const meta = metaOf(record, report)
    const text = encodeRecord(record)
    const after = { record, text, sha256: meta.sha256 }
    this.#staged.push({ id, slug: this.#slugOf(id), after, isNew })
    this.#stagedOptions.push({ name: recordOption(id), value: text })
    this.#stagedOptions.push({ name: metaOption(id), value: JSON.stringify(meta) })
    if (this.#graph.registry.find(id)?.slug !== record.slug) {
      this.#registryText = setValue(this.#registryText, [id], encodePhp(record.slug))
    }
    this.#unmerged.push({ id, slug: record.slug, meta })
    return { id, record, meta }
  }

  /** Stages the removal of a frame with its record, meta and baked copy. */
  stageRemoval(id: string): void {
    this.#staged.push({ id, slug: this.#slugOf(id), after: undefined, isNew: false })
    this.#stagedDeletions.push(recordOption(id), metaOption(id), bakedOption(id))
    this.#registryText = removeValue(this.#registryText, [id])
    this.#graph = this.graph.with([], [id])
  }

  /** The slug of the frame with this id before the write. */
  #slugOf(id: string): string | undefined {
    const found = this.before.registry.find(id)
    return found?.id === id ? found.slug : undefined
  }

  /**
   * Writes the staged records and metas early, to release their memory.
   * @throws AppError `frame_charset_unsupported` if the table's character set cannot store the markup
   */
  async flushRecords(): Promise<void> {
    const options = this.#stagedOptions
    this.#stagedOptions = []
    await this.#recordHistory()
    writeOptions(this.#tx, this.#site, options, 'off', explainCharset)
  }

  /**
   * Writes all staged changes and a new version nonce in one statement, after one for the deletions. The registry, which is large on a
   * large site, is written only if it has changed. The graph is cached after the commit.
   * @param maxSiteBytes limit for the markup of all frames of the site, in bytes [none]
   * @throws AppError `frame_charset_unsupported` if the table's character set cannot store the markup; `site_quota_exceeded`
   */
  async flush(maxSiteBytes?: number): Promise<void> {
    if (maxSiteBytes !== undefined) this.#assertWithin(maxSiteBytes)
    const nonce = newVersionNonce()
    await this.#recordHistory()
    const deletions = this.#stagedDeletions
    if (deletions.length > 0) deleteOptions(this.#tx, this.#site, deletions)
    const registry = {
      name: REGISTRY_OPTION,
      value: this.#registryText,
      before: this.#lockedText,
    }
    const options = [
      ...this.#stagedOptions,
      ...(registry.value === registry.before ? [] : [registry]),
      { name: VERSION_OPTION, value: nonce },
    ]
    writeOptions(this.#tx, this.#site, options, 'off', explainCharset)
    const { graph } = this
    await graph.indexEmbedders()
    cacheWrittenGraph(this.#tx, this.#site, graphVersionOf(nonce, this.#registryText), graph)
  }

  async #recordHistory(): Promise<void> {
    const staged = this.#staged
    this.#staged = []
    const ids = staged.flatMap(({ id, isNew }) => (isNew ? [] : id))
    await recordFrames(this.#tx, this.#site, staged, await this.early.takeDigests(ids))
  }

  /** A site that already exceeds the limit, because it was lowered, may still shrink. */
  #assertWithin(max: number): void {
    const used = this.before.totalBytes()
    const wanted = this.graph.totalBytes()
    if (wanted <= max || wanted <= used) return
    throw new AppError(
      'site_quota_exceeded',
      `The frames of this site have ${used} bytes of markup; this write would increase that to ${wanted}, and the limit is ${max}. Delete unused frames, or ask the operator to raise STORED_MB_PER_SITE.`,
      { used_bytes: used, wanted_bytes: wanted, limit_bytes: max },
    )
  }
}

function explainCharset(error: unknown): AppError | undefined {
  if (!isCharsetMismatch(error)) return undefined
  return new AppError(
    'frame_charset_unsupported',
    "This site's tables cannot store a character of the markup, such as an emoji. Write it as an entity such as &#x1F600;, or convert the table to utf8mb4.",
  )
}

/**
 * Locks the site's frames for writing until the transaction ends.
 * @param written the frame that is written: what its write needs besides is read with the lock, if the cached graph knows the frame
 */
export async function lockFrames(
  tx: Tx,
  site: Site,
  written?: { readonly ref: string; readonly bake?: boolean },
): Promise<LockedFrames> {
  const locking = lockRegistryAndNonce(tx, site)
  const early = new EarlyReads(tx, site)
  const probable = written && peekCachedGraph(tx, site)?.graph.registry.find(written.ref)
  if (probable) {
    early.readDigests([probable.id])
    if (written.bake) early.readBinding(probable.id)
  }
  const { text, nonce } = await locking
  const cached = findCachedGraph(tx, site, graphVersionOf(nonce, text))
  const graph = cached ?? (await readWholeGraph(tx, site, decodeRegistry(text)))
  return new LockedFrames(tx, site, graph, text, early)
}

/** What a write of frames reads before it needs it: in the packet of the statement that locks them, or once for many of them. */
export class EarlyReads {
  readonly #tx: Tx
  readonly #site: Site
  #digests: Promise<RecordDigests> | undefined
  /** The frames whose digests were read, and not taken yet. */
  #unwritten = new Set<string>()
  readonly #bound = new Map<string, Promise<boolean>>()

  constructor(tx: Tx, site: Site) {
    this.#tx = tx
    this.#site = site
  }

  /** Begins to read what the history compares writes of these frames with. */
  readDigests(ids: readonly string[]): void {
    this.#digests = readRecordDigests(this.#tx, this.#site, ids)
    this.#digests.catch(() => {})
    this.#unwritten = new Set(ids)
  }

  /** The digests of frames that are written next; they are read if they were not, and once more for a frame that is written twice. */
  takeDigests(ids: readonly string[]): Promise<RecordDigests> {
    const isRead = ids.every((id) => this.#unwritten.delete(id))
    return (isRead && this.#digests) || readRecordDigests(this.#tx, this.#site, ids)
  }

  /** Begins to read whether a page is bound to a frame. */
  readBinding(id: string): void {
    const bound = isFrameBound(this.#tx, this.#site, id)
    bound.catch(() => {})
    this.#bound.set(id, bound)
  }

  /** See `isFrameBound`. */
  isBound(id: string): Promise<boolean> {
    return this.#bound.get(id) ?? isFrameBound(this.#tx, this.#site, id)
  }
}
