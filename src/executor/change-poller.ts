import { setTimeout as sleep } from 'node:timers/promises'
import { DATASET_PREFIX } from '../baking/sources/dataset-source.ts'
import { SETTINGS } from '../baking/sources/site-source.ts'
import type { Touched } from '../change.ts'
import type { Database, Db } from '../db/database.ts'
import { readSiteGraph } from '../frames/read-graph.ts'
import type { Log } from '../log.ts'
import { listSitesWithCopies } from '../publishing/copies-table.ts'
import { readContentVersion } from '../wordpress/content-version.ts'
import { findBlog, findSite } from '../wordpress/network/find-sites.ts'
import { type GlobalTables, type Site, siteOf } from '../wordpress/network/site.ts'
import { THEME_MODS_PREFIX } from '../wordpress/options/theme-mods.ts'
import { isWorking } from '../work/claims.ts'
import { recordChange } from '../work/record-work.ts'
import { readContentVersionOf, storeContentVersion } from '../work/site-versions.ts'

export type ChangePollerOptions = {
  readonly db: Database
  readonly globals: GlobalTables
  readonly log: Log
  /** Starts the recorded work of a site. */
  readonly wake: (blogId: number) => void
  /** Pause between two rounds through all sites, in milliseconds. */
  readonly intervalMs: number
}

/** Polls every site that has static copies for edits that bypassed this service, and records the work that follows from them. */
export class ChangePoller {
  readonly #options: ChangePollerOptions
  readonly #stopped = new AbortController()
  readonly #running: Promise<void>

  /** Starts the first round at once. */
  constructor(options: ChangePollerOptions) {
    this.#options = options
    this.#running = this.#poll()
  }

  /** Stops polling. Resolves when the check in progress has finished. */
  async stop(): Promise<void> {
    this.#stopped.abort()
    await this.#running
  }

  async #poll(): Promise<void> {
    const { signal } = this.#stopped
    while (!signal.aborted) {
      await this.#round().catch((error) => this.#warn(error))
      await sleep(this.#options.intervalMs, undefined, { signal, ref: false }).catch(() => {})
    }
  }

  async #round(): Promise<void> {
    const { db, globals, log } = this.#options
    for (const blogId of await listSitesWithCopies(db, globals)) {
      if (this.#stopped.signal.aborted) return
      try {
        if (!(await recordEdits(this.#options, blogId))) continue
        this.#options.wake(blogId)
        log.info({ site: blogId }, 'the site was edited in WordPress; its pages are built again')
      } catch (error) {
        this.#warn(error, blogId)
      }
    }
  }

  #warn(error: unknown, site?: number): void {
    this.#options.log.warn({ err: error, site }, 'polling for edits in WordPress failed')
  }
}

/**
 * Records the work that follows from edits of a site that bypassed this service: in wp-admin, by a plugin, by a script. A site without such
 * edits costs four short statements. Frames are not compared: they are written by this service only, and the write may have asked for no build.
 * @returns whether there were edits
 */
export async function recordEdits(
  { db, globals }: Pick<ChangePollerOptions, 'db' | 'globals'>,
  blogId: number,
): Promise<boolean> {
  const site = await findSite(db, globals, blogId)
  if (!site) return recordDeletion(db, globals, blogId)
  const version = await readContentVersion(db, site, {
    names: [...SETTINGS, 'polylang', 'category_base', 'tag_base'],
    prefixes: [THEME_MODS_PREFIX, DATASET_PREFIX],
  })
  if (version === (await readContentVersionOf(db, site))) return false
  // The work of the last edits goes first: it would include these edits, but the site would be built again and again. Failing work does not
  // keep edits from being published.
  if (await isWorking(db, site)) return false
  const touched = await allContentTouched(db, site)
  await db.write({ site }, async (tx) => {
    await recordChange(tx, site, { bake: true, touched, pages: [] })
    await storeContentVersion(tx, site, version)
  })
  return true
}

/** A deleted site loses its copies. While a backup is restored, the site's tables may be missing although the site exists. */
async function recordDeletion(
  db: Database,
  globals: GlobalTables,
  blogId: number,
): Promise<boolean> {
  if (await isWorking(db, { blogId, globals })) return false
  if (await findBlog(db, globals, blogId)) return false
  const row = { site_id: 0, domain: '', path: '/', archived: 0, spam: 0, deleted: 1 }
  const site = siteOf(globals, { ...row, blog_id: blogId })
  await db.write({ site }, (tx) =>
    recordChange(tx, site, { bake: true, touched: [], all: true, pages: [] }),
  )
  return true
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
