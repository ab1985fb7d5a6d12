import { resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { DATASET_PREFIX } from '../baking/sources/dataset-source.ts'
import { SETTINGS } from '../baking/sources/site-source.ts'
import type { Touched } from '../change.ts'
import type { KeyedMutex } from '../concurrency/keyed-mutex.ts'
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
  /** Pause between two rounds through all sites, in milliseconds. */
  readonly intervalMs: number
}

/** After a sync that took t ms, the site is skipped for 20·t ms, so that constant edits cost at most 5% of one core. */
const BACKOFF_FACTOR = 20

/** Polls every site that has static copies for edits that bypassed this service, and syncs the copies. */
export class ChangePoller {
  readonly #options: ChangePollerOptions
  readonly #stopped = new AbortController()
  /** When each site may be synced next, in milliseconds since 1970. */
  readonly #nextRunAt = new Map<number, number>()
  readonly #running: Promise<void>

  /** Starts the first round at once. */
  constructor(options: ChangePollerOptions) {
    this.#options = options
    this.#running = this.#poll()
  }

  /** Stops polling. Resolves when the sync in progress has finished. */
  async stop(): Promise<void> {
    this.#stopped.abort()
    await this.#running
  }

  async #poll(): Promise<void> {
    const { signal } = this.#stopped
    while (!signal.aborted) {
      await this.#round()
      await sleep(this.#options.intervalMs, undefined, { signal, ref: false }).catch(() => {})
    }
  }

  async #round(): Promise<void> {
    const { staticDir, log } = this.#options
    const blogIds = await listRecordedSites(staticDir).catch((error) => {
      log.warn(
        { err: error },
        'STATIC_DIR cannot be read; static copies are not synced with WordPress',
      )
      return []
    })
    for (const blogId of blogIds) {
      if (this.#stopped.signal.aborted) return
      if ((this.#nextRunAt.get(blogId) ?? 0) <= Date.now()) await this.#syncSite(blogId)
    }
  }

  async #syncSite(blogId: number): Promise<void> {
    const log = this.#options.log.child({ site: blogId })
    const startedAt = Date.now()
    try {
      const outcome = await syncStaticCopies(this.#options, blogId)
      if (outcome === 'up to date') return
      const ms = Date.now() - startedAt
      this.#nextRunAt.set(blogId, Date.now() + BACKOFF_FACTOR * ms)
      if (outcome === 'synced') log.info({ ms }, 'static copies synced with WordPress')
      else log.warn('static copies are stale: the build failed')
    } catch (error) {
      log.warn({ err: error }, 'polling for edits in WordPress failed')
    }
  }
}

export type SyncServices = {
  readonly db: Db
  readonly globals: GlobalTables
  /** Folder of the static copies. */
  readonly staticDir: string
  readonly executor: Pick<Executor, 'apply'>
  /** See `PublishContext`. */
  readonly copyMutex: KeyedMutex
}

/**
 * Updates a site's static copies after edits that bypassed this service: in wp-admin, by a plugin, by a script. A site without such edits
 * costs one statement. Frames are not compared: they are written by this service only, and the write may have asked for no build.
 * @returns `failed` if something could not be built; the next call retries
 */
export async function syncStaticCopies(
  services: SyncServices,
  blogId: number,
): Promise<'up to date' | 'synced' | 'failed'> {
  const { db, globals, executor, copyMutex } = services
  const staticDir = resolve(services.staticDir)
  const site = await findSite(db, globals, blogId)
  if (!site) {
    // While a backup is restored, the site's tables may be missing although the site exists.
    const isDeleted = (await findBlog(db, globals, blogId)) === undefined
    return isDeleted ? removeSiteCopies(staticDir, blogId, copyMutex) : 'up to date'
  }
  const version = await readContentVersion(db, site, {
    names: [...SETTINGS, 'polylang', 'category_base', 'tag_base'],
    prefixes: [THEME_MODS_PREFIX, DATASET_PREFIX],
  })
  if (version === (await readSyncedVersion(staticDir, blogId))) return 'up to date'
  const touched = await allContentTouched(db, site)
  const { rebaked, republish } = await executor.apply(site, { bake: true, touched, pages: [] })
  if (rebaked.status === 'failed' || republish.status === 'failed') return 'failed'
  // Edits made meanwhile change the version again; the next call finds them.
  await writeSyncedVersion(staticDir, blogId, version)
  return 'synced'
}

/** Everything that an edit of a page, a menu, a setting or a dataset can change in the output of frames. */
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

/** Removes all static copies of a deleted site. */
async function removeSiteCopies(
  staticDir: string,
  site: number,
  mutex: KeyedMutex,
): Promise<'up to date' | 'synced'> {
  const pages = [...(await listCopies(staticDir, site))]
  const gone = { reason: 'page_not_public', message: 'The site was deleted.' } as const
  for (const [page, url] of pages) {
    await publishPage({ staticDir, site, page }, url, gone, Date.now(), { mutex })
  }
  return pages.length > 0 ? 'synced' : 'up to date'
}
