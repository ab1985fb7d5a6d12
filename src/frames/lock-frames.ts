import { isCharsetMismatch } from '../db/database-error.ts'
import type { Tx } from '../db/transaction.ts'
import { AppError } from '../errors.ts'
import type { Site } from '../wordpress/network/site.ts'
import { readOption } from '../wordpress/options/read-options.ts'
import {
  deleteOptions,
  type OptionValue,
  writeOptions,
} from '../wordpress/options/write-options.ts'
import { removeValue, setValue } from '../wordpress/serialized/edit-php.ts'
import { encodePhp } from '../wordpress/serialized/encode-php.ts'
import type { FrameGraph, IndexedFrame } from './graph.ts'
import {
  cacheWrittenGraph,
  getCachedGraph,
  graphVersionOf,
  newVersionNonce,
} from './graph-cache.ts'
import {
  bakedOption,
  metaOption,
  REGISTRY_OPTION,
  recordOption,
  VERSION_OPTION,
} from './option-names.ts'
import { readWholeGraph } from './read-graph.ts'
import {
  encodeRecord,
  type FrameMeta,
  type FrameRecord,
  type MarkupSummary,
  metaOf,
} from './record.ts'
import { decodeRegistry, lockRegistry } from './registry.ts'

/** A frame whole: what `GET /frames/{ref}` and the write verbs give. */
export type Frame = { readonly id: string; readonly record: FrameRecord; readonly meta: FrameMeta }

/** A site's frames under their write lock. What is saved and removed is written at once by `finish`. */
export class LockedFrames {
  readonly #tx: Tx
  readonly #site: Site
  readonly #locked: FrameGraph
  #graph: FrameGraph
  /** Saved since the graph was last asked for: putting in many frames one by one would copy it as often. */
  #saved: IndexedFrame[] = []
  readonly #lockedText: string
  #registryText: string
  #written: OptionValue[] = []
  readonly #deleted: string[] = []

  constructor(tx: Tx, site: Site, graph: FrameGraph, registryText: string) {
    this.#tx = tx
    this.#site = site
    this.#locked = graph
    this.#graph = graph
    this.#lockedText = registryText
    this.#registryText = registryText
  }

  /** The site's frames, with what was saved and removed so far. */
  get graph(): FrameGraph {
    if (this.#saved.length > 0) this.#graph = this.#graph.with(this.#saved)
    this.#saved = []
    return this.#graph
  }

  /** Enters a frame, its record and its meta; in the registry, its slug is the record's. */
  stage(id: string, record: FrameRecord, report: MarkupSummary): Frame {
    const meta = metaOf(record, report)
    this.#written.push({ name: recordOption(id), value: encodeRecord(record) })
    this.#written.push({ name: metaOption(id), value: JSON.stringify(meta) })
    if (this.#graph.registry.find(id)?.slug !== record.slug) {
      this.#registryText = setValue(this.#registryText, [id], encodePhp(record.slug))
    }
    this.#saved.push({ id, slug: record.slug, meta })
    return { id, record, meta }
  }

  /** Takes a frame out, with its record, its meta and its baked copy. */
  stageRemoval(id: string): void {
    this.#deleted.push(recordOption(id), metaOption(id), bakedOption(id))
    this.#registryText = removeValue(this.#registryText, [id])
    this.#graph = this.graph.with([], [id])
  }

  /**
   * Writes what was saved so far, so that it need not stay in memory until `finish`.
   * @throws AppError `frame_charset_unsupported` where the table's character set can't hold a markup
   */
  async flushRecords(): Promise<void> {
    const written = this.#written
    this.#written = []
    await this.#write(written)
  }

  /**
   * Writes it all in one statement; the registry, which is large on a large site, only where it has changed.
   * @param maxSiteBytes what all frames of the site may have of markup, in bytes; no limit where it is left out
   * @throws AppError `frame_charset_unsupported` where the table's character set can't hold a markup; `site_quota_exceeded`
   */
  async finish(maxSiteBytes?: number): Promise<void> {
    if (maxSiteBytes !== undefined) this.#assertWithin(maxSiteBytes)
    const word = newVersionNonce()
    if (this.#deleted.length > 0) await deleteOptions(this.#tx, this.#site, this.#deleted)
    await this.#write([
      ...this.#written,
      ...(this.#registryText === this.#lockedText
        ? []
        : [{ name: REGISTRY_OPTION, value: this.#registryText }]),
      { name: VERSION_OPTION, value: word },
    ])
    cacheWrittenGraph(this.#tx, this.#site, graphVersionOf(word, this.#registryText), this.graph)
  }

  async #write(options: readonly OptionValue[]): Promise<void> {
    try {
      await writeOptions(this.#tx, this.#site, options, 'off')
    } catch (error) {
      if (!isCharsetMismatch(error)) throw error
      throw new AppError(
        'frame_charset_unsupported',
        "This site's tables can't hold a character of the markup (an emoji, for instance). Write it as an entity such as &#x1F600;, or convert the table to utf8mb4.",
      )
    }
  }

  /** A site that has more already, because the limit was lowered, may still shrink. */
  #assertWithin(max: number): void {
    const used = this.#locked.totalBytes()
    const wanted = this.graph.totalBytes()
    if (wanted <= max || wanted <= used) return
    throw new AppError(
      'site_quota_exceeded',
      `The frames of this site have ${used} bytes of markup and may have ${max}; with this write they would have ${wanted}. Delete frames that are not needed, or ask the operator to raise STORED_MB_PER_SITE.`,
      { used_bytes: used, wanted_bytes: wanted, limit_bytes: max },
    )
  }
}

/** Waits for the site's other frame writers and keeps them out until the transaction ends. */
export async function lockFrames(tx: Tx, site: Site): Promise<LockedFrames> {
  const text = await lockRegistry(tx, site)
  const word = (await readOption(tx, site, VERSION_OPTION)) ?? ''
  const held = getCachedGraph(tx, site, graphVersionOf(word, text))
  return new LockedFrames(
    tx,
    site,
    held ?? (await readWholeGraph(tx, site, decodeRegistry(text))),
    text,
  )
}
