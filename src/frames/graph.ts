import type { Db } from '../db/database.ts'
import type { Site } from '../wordpress/network/site.ts'
import { readOptions } from '../wordpress/options/read-option.ts'
import { decodeMeta, type FrameMeta, metaOf } from './meta.ts'
import { metaOption, recordOption } from './option-names.ts'
import { readableRecord } from './record.ts'
import { type FrameName, type Registry, readRegistry } from './registry.ts'
import { readMarkup } from './report.ts'

/** A frame with its meta. */
export type IndexedFrame = FrameName & { readonly meta: FrameMeta }

/** All frames of a site and how they embed one another, without their markup. */
export class FrameGraph {
  readonly registry: Registry
  readonly #frames: ReadonlyMap<string, IndexedFrame>
  readonly #embedders = new Map<string, string[]>()

  constructor(registry: Registry, frames: readonly IndexedFrame[]) {
    this.registry = registry
    this.#frames = new Map(frames.map((frame) => [frame.id, frame]))
    for (const { id, meta } of frames) {
      for (const ref of meta.references) {
        const target = registry.find(ref)?.id ?? ref
        this.#embedders.set(target, [...(this.#embedders.get(target) ?? []), id])
      }
    }
  }

  /** All frames, sorted by slug. */
  all(): IndexedFrame[] {
    return this.registry.all().flatMap(({ id }) => this.#frames.get(id) ?? [])
  }

  get(id: string): IndexedFrame | undefined {
    return this.#frames.get(id)
  }

  /**
   * The frames that embed one by a reference of their own, sorted by slug.
   * @param refs the frame's id, and slugs under which it is or was embedded
   */
  embeddersOf(refs: readonly string[]): IndexedFrame[] {
    const ids = new Set(refs.flatMap((ref) => this.#embedders.get(ref) ?? []))
    return [...ids]
      .flatMap((id) => this.#frames.get(id) ?? [])
      .sort((a, b) => (a.slug < b.slug ? -1 : 1))
  }

  /** The frames that this one embeds, directly and through others, itself left out. */
  embeddedIn(id: string): IndexedFrame[] {
    const seen = new Set([id])
    for (const current of seen) {
      for (const ref of this.#frames.get(current)?.meta.references ?? []) {
        const target = this.registry.find(ref)
        if (target) seen.add(target.id)
      }
    }
    seen.delete(id)
    return [...seen].flatMap((embedded) => this.#frames.get(embedded) ?? [])
  }

  /** Why the frame's output needs the page being rendered: its own reasons, and the frames that bring theirs. */
  liveReasons(id: string): string[] {
    const own = this.#frames.get(id)?.meta.live_reasons ?? []
    const brought = this.embeddedIn(id)
      .filter(({ meta }) => meta.live_reasons.length > 0)
      .map(({ slug }) => `frame ${slug}`)
    return [...own, ...brought.sort()]
  }
}

/** Reads the metas of all frames in the registry. */
export async function readGraph(db: Db, site: Site, registry: Registry): Promise<FrameGraph> {
  return new FrameGraph(registry, await indexFrames(db, site, registry.all()))
}

/** These frames with their metas; the meta of a frame without one is made of its record. */
export async function indexFrames(
  db: Db,
  site: Site,
  names: readonly FrameName[],
): Promise<IndexedFrame[]> {
  const metas = await readOptions(
    db,
    site,
    names.map(({ id }) => metaOption(id)),
  )
  const found = new Map<string, FrameMeta>()
  for (const { id } of names) {
    const meta = decodeMeta(metas.get(metaOption(id)) ?? '')
    if (meta) found.set(id, meta)
  }
  const missing = names.filter(({ id }) => !found.has(id))
  if (missing.length > 0) {
    const records = await readOptions(
      db,
      site,
      missing.map(({ id }) => recordOption(id)),
    )
    for (const { id, slug } of missing) {
      const record = readableRecord(records.get(recordOption(id)) ?? '', id, slug)
      found.set(id, metaOf(record, readMarkup(record.html)))
    }
  }
  return names.flatMap((name) => {
    const meta = found.get(name.id)
    return meta ? [{ ...name, meta }] : []
  })
}

/** The frames of a site as they stand now. */
export async function readSiteGraph(db: Db, site: Site): Promise<FrameGraph> {
  return readGraph(db, site, await readRegistry(db, site))
}
