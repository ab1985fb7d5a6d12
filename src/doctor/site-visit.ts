import { isFreshHeader } from '../baking/bake-frame.ts'
import { SiteData } from '../baking/site-data.ts'
import type { Db } from '../db/database.ts'
import { AppError } from '../errors.ts'
import { listFramePages } from '../frames/frame-pages.ts'
import type { FrameGraph } from '../frames/graph.ts'
import { REGISTRY_OPTION } from '../frames/option-names.ts'
import { readWholeGraph } from '../frames/read-graph.ts'
import { Registry, decodeRegistry, rebuildRegistry } from '../frames/registry.ts'
import { type ItemSurvey, type MenuUses, readMenuUses, surveyItems } from '../wordpress/health/menu-survey.ts'
import { type Menu, listMenus } from '../wordpress/nav-menus/nav-menu.ts'
import type { Site } from '../wordpress/network/site.ts'
import { readOption } from '../wordpress/options/read-options.ts'
import type { DoctorServices } from './finding.ts'
import { type SurveyedFrame, surveyFrames } from './survey-frames.ts'

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
