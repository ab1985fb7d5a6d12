import { resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { DATASET_PREFIX } from '../baking/sources/dataset-source.ts'
import { SETTINGS } from '../baking/sources/site-source.ts'
import type { Touched } from '../change.ts'
import type { Db } from '../db/database.ts'
import { readSiteGraph } from '../frames/read-graph.ts'
import type { Log } from '../log.ts'
import {
  listCopies,
  listRecordedSites,
  readSyncedVersion,
  writeSyncedVersion,
} from '../publishing/copy-records.ts'
import { publishPage } from '../publishing/publish-page.ts'
import { readContentVersion } from '../wordpress/content-version.ts'
import { findBlog, findSite } from '../wordpress/network/find-sites.ts'
import type { GlobalTables, Site } from '../wordpress/network/site.ts'
import { THEME_MODS_PREFIX } from '../wordpress/options/theme-mods.ts'
import type { Executor } from './executor.ts'

export type ChangePollerOptions = SyncServices & {
  readonly log: Log
  /** How long to wait between two rounds through the sites, in milliseconds. */
  readonly intervalMs: number
}

/** A site on which catching up took a second is left alone for twenty: editors who save all day may cost a twentieth of a core. */
const BACKOFF_FACTOR = 20

/** Looks at each site that has static copies, again and again, and catches up with what was edited past this service. */
export class ChangePoller {
  readonly #options: ChangePollerOptions
  readonly #stopped = new AbortController()
  /** When a site may be caught up again, in milliseconds since 1970. */
  readonly #restsUntil = new Map<number, number>()
  readonly #running: Promise<void>

  /** Begins with the first round. */
  constructor(options: ChangePollerOptions) {
    this.#options = options
    this.#running = this.#watch()
  }

  /** Lets the site that is being caught up finish. */
  async stop(): Promise<void> {
    this.#stopped.abort()
    await this.#running
  }

  async #watch(): Promise<void> {
    const { signal } = this.#stopped
    while (!signal.aborted) {
      await this.#round()
      await sleep(this.#options.intervalMs, undefined, { signal, ref: false }).catch(() => {})
    }
  }

  async #round(): Promise<void> {
    const { staticDir, log } = this.#options
    const blogIds = await listRecordedSites(staticDir).catch((error) => {
      log.warn({ err: error }, 'STATIC_DIR could not be read for edits made in WordPress')
      return []
    })
    for (const blogId of blogIds) {
      if (this.#stopped.signal.aborted) return
      if ((this.#restsUntil.get(blogId) ?? 0) <= Date.now()) await this.#visit(blogId)
    }
  }

  async #visit(blogId: number): Promise<void> {
    const log = this.#options.log.child({ site: blogId })
    const begun = Date.now()
    try {
      const outcome = await syncStaticCopies(this.#options, blogId)
      if (outcome === 'up to date') return
      const ms = Date.now() - begun
      this.#restsUntil.set(blogId, Date.now() + BACKOFF_FACTOR * ms)
      if (outcome === 'caught up') log.info({ ms }, 'static copies caught up with WordPress')
      else log.warn('static copies are behind WordPress: building failed')
    } catch (error) {
      log.warn({ err: error }, 'edits made in WordPress could not be looked for')
    }
  }
}

export type SyncServices = {
  readonly db: Db
  readonly globals: GlobalTables
  /** Folder of the static copies. */
  readonly staticDir: string
  readonly executor: Pick<Executor, 'apply'>
}

/**
 * Brings a site's static copies up to date with what was edited past this service: in wp-admin, by a plugin, by a script. A site without
 * such edits costs one statement. Frames are not looked at: their writes come through this service, and may have asked for no build.
 * @returns `failed` where something could not be built; the next call tries again
 */
export async function syncStaticCopies(
  services: SyncServices,
  blogId: number,
): Promise<'up to date' | 'caught up' | 'failed'> {
  const { db, globals, executor } = services
  const staticDir = resolve(services.staticDir)
  const site = await findSite(db, globals, blogId)
  if (!site) {
    // Its tables alone are away while a backup is played in.
    const isGone = (await findBlog(db, globals, blogId)) === undefined
    return isGone ? removeSiteCopies(staticDir, blogId) : 'up to date'
  }
  const version = await readContentVersion(db, site, {
    names: [...SETTINGS, 'polylang', 'category_base', 'tag_base'],
    prefixes: [THEME_MODS_PREFIX, DATASET_PREFIX],
  })
  if (version === (await readSyncedVersion(staticDir, blogId))) return 'up to date'
  const touched = await allContentTouched(db, site)
  const { rebaked, republish } = await executor.apply(site, { bake: true, touched, pages: [] })
  if (rebaked.status === 'failed' || republish.status === 'failed') return 'failed'
  // What was edited meanwhile makes another version, which the next call finds.
  await writeSyncedVersion(staticDir, blogId, version)
  return 'caught up'
}

/** All that the edit of a page, a menu or a setting may have changed. */
async function allContentTouched(db: Db, site: Site): Promise<Touched[]> {
  const sources = (await readSiteGraph(db, site)).all().flatMap(({ meta }) => meta.sources)
  const datasets = sources.flatMap((source) => {
    const [root, name] = source.split('.')
    return root === 'dataset' && name ? [name] : []
  })
  return [
    ...(['menus', 'pages', 'languages', 'settings'] as const).map((kind) => ({ kind })),
    ...[...new Set(datasets)].map((name) => ({ kind: 'dataset', name }) as const),
  ]
}

/** A site that is gone for good has no pages. */
async function removeSiteCopies(
  staticDir: string,
  site: number,
): Promise<'up to date' | 'caught up'> {
  const pages = [...(await listCopies(staticDir, site))]
  const gone = { reason: 'page_not_public', message: 'The site is gone.' } as const
  for (const [page, url] of pages) {
    await publishPage({ staticDir, site, page }, url, gone, Date.now())
  }
  return pages.length > 0 ? 'caught up' : 'up to date'
}
