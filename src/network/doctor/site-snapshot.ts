import { isFreshHeader } from '../../build/baking/bake-frame.ts'
import { type CopyHeader, decodeCopyHeader } from '../../build/baking/baked-copy.ts'
import { SiteData } from '../../build/baking/site-data.ts'
import { listFramePages } from '../../content/frames/frame-pages.ts'
import { FrameGraph } from '../../content/frames/graph.ts'
import {
  bakedOption,
  metaOption,
  REGISTRY_OPTION,
  recordOption,
} from '../../content/frames/option-names.ts'
import { readWholeGraph } from '../../content/frames/read-graph.ts'
import {
  decodeMeta,
  type FrameMeta,
  type InspectedRecord,
  inspectRecord,
} from '../../content/frames/record.ts'
import { decodeRegistry, Registry, rebuildRegistry } from '../../content/frames/registry.ts'
import type { Db } from '../../db/database.ts'
import { forEachBounded } from '../../host/concurrency/for-each.ts'
import { Memo } from '../../host/concurrency/memo.ts'
import { AppError } from '../../host/errors.ts'
import { sha256Hex } from '../../host/hash.ts'
import {
  type ItemSurvey,
  type MenuUses,
  readMenuUses,
  surveyItems,
} from '../../wordpress/health/menu-survey.ts'
import { listMenus, type Menu } from '../../wordpress/nav-menus/nav-menu.ts'
import { isMenuTooLarge } from '../../wordpress/nav-menus/read-menu.ts'
import type { Site } from '../../wordpress/network/site.ts'
import { readOption, streamOptions } from '../../wordpress/options/read-options.ts'
import type { DoctorServices } from './finding.ts'

/** The state of a frame's baked copy. `missing`: there is none, or it has an older format. */
export type BakedCopyState = 'fresh' | 'stale' | 'missing'

/** Baked copies that are compared at the same time. */
const COPIES_AT_ONCE = 20

/** The data of one site at one moment. Values that several checks need are read once. */
export class SiteSnapshot {
  readonly services: DoctorServices
  readonly site: Site
  /** A connection in a read-only transaction: all reads see the same state. */
  readonly db: Db
  readonly startedAt: Date
  /** Addresses, languages and menus as a bake reads them. */
  readonly data: SiteData
  readonly #memo = new Memo()
  readonly #signal: AbortSignal | undefined

  /** @param signal ends the reads before the next one */
  constructor(services: DoctorServices, site: Site, db: Db, signal?: AbortSignal) {
    this.services = services
    this.site = site
    this.db = db
    this.startedAt = services.now()
    this.data = new SiteData(db, site)
    this.#signal = signal
  }

  /** The registry, rebuilt from the records if the option is missing; undefined if it is damaged. */
  registry(): Promise<Registry | undefined> {
    return this.#once('registry', async () => {
      const text = (await this.registryText()) ?? (await rebuildRegistry(this.db, this.site))
      try {
        return decodeRegistry(text)
      } catch (error) {
        if (error instanceof AppError) return undefined
        throw error
      }
    })
  }

  registryText(): Promise<string | undefined> {
    return this.#once('registry text', () => readOption(this.db, this.site, REGISTRY_OPTION))
  }

  /** The stored parts of each frame by id, including frames that are not in the registry. */
  frames(): Promise<ReadonlyMap<string, SurveyedFrame>> {
    return this.#once('frames', async () => surveyFrames(this.db, this.site, await this.registry()))
  }

  /** The frames in the registry; empty if the registry is damaged. */
  graph(): Promise<FrameGraph> {
    return this.#once('graph', async () => {
      const registry = (await this.registry()) ?? new Registry(new Map())
      const stored = await this.frames()
      const frames = registry.all().flatMap((name) => {
        const meta = stored.get(name.id)?.meta
        return meta ? [{ ...name, meta }] : []
      })
      const isComplete = frames.length === registry.all().length
      return isComplete
        ? new FrameGraph(registry, frames)
        : readWholeGraph(this.db, this.site, registry)
    })
  }

  /** The state of the baked copy of each frame in the registry. Frames without a readable record are left out. */
  bakedCopies(): Promise<ReadonlyMap<string, BakedCopyState>> {
    return this.#once('copies', async () => {
      const [graph, frames] = [await this.graph(), await this.frames()]
      const states = new Map<string, BakedCopyState>()
      // Frames that are compared at the same time share statements.
      await forEachBounded(graph.all(), COPIES_AT_ONCE, async ({ id }) => {
        const { record, copy } = frames.get(id) ?? {}
        if (record) states.set(id, await this.#copyState(graph, id, copy))
      })
      return new Map(
        graph.all().flatMap(({ id }) => {
          const state = states.get(id)
          return state === undefined ? [] : [[id, state] as const]
        }),
      )
    })
  }

  async #copyState(
    graph: FrameGraph,
    id: string,
    copy: SurveyedFrame['copy'],
  ): Promise<BakedCopyState> {
    if (!copy) return 'missing'
    const isFresh = await isFreshHeader({ graph, data: this.data }, id, copy).catch((error) => {
      // Such a menu has a finding.
      if (isMenuTooLarge(error)) return false
      throw error
    })
    return isFresh ? 'fresh' : 'stale'
  }

  /** Ids of the posts that each frame is assigned to, by frame id, including frames that are not in the registry. */
  framePages(): Promise<ReadonlyMap<string, readonly number[]>> {
    return this.#once('pages', () => listFramePages(this.db, this.site))
  }

  menus(): Promise<readonly Menu[]> {
    return this.#once('menus', () => listMenus(this.db, this.site))
  }

  /** Where menus are assigned, including menus that do not exist. */
  menuAssignments(): Promise<MenuUses> {
    return this.#once('menu uses', () => readMenuUses(this.db, this.site))
  }

  items(): Promise<ItemSurvey> {
    return this.#once('items', () => surveyItems(this.db, this.site))
  }

  #once<T>(name: string, read: () => Promise<T>): Promise<T> {
    this.#signal?.throwIfAborted()
    return this.#memo.once(name, read)
  }
}

/** The stored parts of a frame; undefined if missing, null if unreadable. */
export type SurveyedFrame = {
  readonly record?: SurveyedRecord | null
  readonly meta?: FrameMeta | null
  readonly copy?: CopyHeader | null
}

/** A record without its markup. */
type SurveyedRecord = Omit<InspectedRecord, 'record'> & {
  readonly bytes: number
  readonly sha256: string
  readonly updatedAt: string
}

const OPTION_NAME = new RegExp(
  `^${recordOption('(.+?)')}(${suffixOf(metaOption)}|${suffixOf(bakedOption)})?$`,
)
/** Other options with the same prefix belong to other plugins. */
const FRAME_ID = /^[0-9a-f]{16}$/

/**
 * Reads the stored parts of each frame of a site in one streamed statement, so that only one markup is in memory at a time.
 * @param registry its frames may have ids of other forms
 */
async function surveyFrames(
  db: Db,
  site: Site,
  registry: Registry | undefined,
): Promise<Map<string, SurveyedFrame>> {
  const listed = new Map(registry?.all().map(({ id, slug }) => [id, slug]))
  const frames = new Map<string, SurveyedFrame>()
  for await (const { name, text } of streamOptions(
    db,
    site,
    recordOption(''),
    suffixOf(bakedOption),
  )) {
    const [, id = '', suffix] = OPTION_NAME.exec(name) ?? []
    if (!listed.has(id) && !FRAME_ID.test(id)) continue
    frames.set(id, { ...frames.get(id), ...surveyOption(suffix, text, id, listed.get(id) ?? id) })
  }
  return frames
}

function suffixOf(nameOf: (id: string) => string): string {
  return nameOf('').slice(recordOption('').length)
}

function surveyOption(
  suffix: string | undefined,
  text: string,
  id: string,
  slug: string,
): SurveyedFrame {
  if (suffix === suffixOf(metaOption)) return { meta: decodeMeta(text) ?? null }
  if (suffix === suffixOf(bakedOption)) return { copy: decodeCopyHeader(text) ?? null }
  try {
    const { record, ...inspected } = inspectRecord(text, id, slug)
    return {
      record: {
        ...inspected,
        bytes: Buffer.byteLength(record.html),
        sha256: sha256Hex(record.html),
        updatedAt: record.updated_at_gmt,
      },
    }
  } catch (error) {
    if (error instanceof AppError) return { record: null }
    throw error
  }
}
