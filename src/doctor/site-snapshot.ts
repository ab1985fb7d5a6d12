import { isFreshHeader } from '../baking/bake-frame.ts'
import { type CopyHeader, decodeCopyHeader } from '../baking/baked-copy.ts'
import { SiteData } from '../baking/site-data.ts'
import type { Db } from '../db/database.ts'
import { AppError } from '../errors.ts'
import { listFramePages } from '../frames/frame-pages.ts'
import type { FrameGraph } from '../frames/graph.ts'
import { bakedOption, metaOption, REGISTRY_OPTION, recordOption } from '../frames/option-names.ts'
import { readWholeGraph } from '../frames/read-graph.ts'
import {
  decodeMeta,
  type FrameMeta,
  type InspectedRecord,
  inspectRecord,
} from '../frames/record.ts'
import { decodeRegistry, Registry, rebuildRegistry } from '../frames/registry.ts'
import { sha256Hex } from '../hash.ts'
import {
  type ItemSurvey,
  type MenuUses,
  readMenuUses,
  surveyItems,
} from '../wordpress/health/menu-survey.ts'
import { listMenus, type Menu } from '../wordpress/nav-menus/nav-menu.ts'
import type { Site } from '../wordpress/network/site.ts'
import { readOption, streamOptions } from '../wordpress/options/read-options.ts'
import type { DoctorServices } from './finding.ts'

/** Of a frame's baked copy. `missing`: there is none, or none of today's form. */
export type BakedCopyState = 'true' | 'stale' | 'missing'

/** A look at one site, at one moment: what several checks need is read once. */
export class SiteSnapshot {
  readonly services: DoctorServices
  readonly site: Site
  /** All reads of a visit see the same state. */
  readonly db: Db
  /** When it began. */
  readonly startedAt: Date
  /** Addresses, languages and menus as bakes read them. */
  readonly data: SiteData
  readonly #held = new Map<string, Promise<unknown>>()

  constructor(services: DoctorServices, site: Site, db: Db) {
    this.services = services
    this.site = site
    this.db = db
    this.startedAt = services.now()
    this.data = new SiteData(db, site)
  }

  /** The list of frames, as their records say where there is none; undefined for a damaged one. */
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

  /** What is stored of each frame, listed or not, by its id. */
  frames(): Promise<ReadonlyMap<string, SurveyedFrame>> {
    return this.#once('frames', async () => surveyFrames(this.db, this.site, await this.registry()))
  }

  /** The listed frames as renderers and writers see them; none where the list is damaged. */
  graph(): Promise<FrameGraph> {
    return this.#once('graph', async () =>
      readWholeGraph(this.db, this.site, (await this.registry()) ?? new Registry(new Map())),
    )
  }

  /** Which listed frames have a baked copy, and whether it is true. Those without a readable record can have none. */
  bakedCopies(): Promise<ReadonlyMap<string, BakedCopyState>> {
    return this.#once('copies', async () => {
      const [graph, frames] = [await this.graph(), await this.frames()]
      const copies = new Map<string, BakedCopyState>()
      for (const { id } of graph.all()) {
        const { record, copy } = frames.get(id) ?? {}
        if (record) copies.set(id, await this.#copyState(graph, id, copy))
      }
      return copies
    })
  }

  async #copyState(
    graph: FrameGraph,
    id: string,
    copy: SurveyedFrame['copy'],
  ): Promise<BakedCopyState> {
    if (!copy) return 'missing'
    return (await isFreshHeader({ graph, data: this.data }, id, copy)) ? 'true' : 'stale'
  }

  /** Ids of the posts that stand on each frame, listed or not. */
  framePages(): Promise<ReadonlyMap<string, readonly number[]>> {
    return this.#once('pages', () => listFramePages(this.db, this.site))
  }

  menus(): Promise<readonly Menu[]> {
    return this.#once('menus', () => listMenus(this.db, this.site))
  }

  /** Where menus are set, be they there or not. */
  menuAssignments(): Promise<MenuUses> {
    return this.#once('places', () => readMenuUses(this.db, this.site))
  }

  items(): Promise<ItemSurvey> {
    return this.#once('items', () => surveyItems(this.db, this.site))
  }

  #once<T>(key: string, read: () => Promise<T>): Promise<T> {
    const held = this.#held.get(key) ?? read()
    this.#held.set(key, held)
    return held as Promise<T>
  }
}

/** What is stored of a frame; a part that is not there is undefined, one that says nothing null. */
export type SurveyedFrame = {
  readonly record?: SurveyedRecord | null
  readonly meta?: FrameMeta | null
  readonly copy?: CopyHeader | null
}

/** A record without its markup. */
export type SurveyedRecord = Omit<InspectedRecord, 'record'> & {
  readonly bytes: number
  readonly sha256: string
  readonly updatedAt: string
}

const OPTION_NAME = new RegExp(
  `^${recordOption('(.+?)')}(${suffixOf(metaOption)}|${suffixOf(bakedOption)})?$`,
)
/** What else begins like the record of a frame belongs to somebody else. */
const FRAME_ID = /^[0-9a-f]{16}$/

/**
 * What is stored of each frame of a site, in one statement and one markup at a time.
 * @param registry whose frames may have ids of other forms, too
 */
export async function surveyFrames(
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
