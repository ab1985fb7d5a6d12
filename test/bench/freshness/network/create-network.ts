import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { loadNetwork } from '../../../support/load-network.ts'
import type { SqlDatabase } from '../../../support/open-database.ts'
import { startService, staticDir } from '../../setup/start-service.ts'
import { Undo } from '../../setup/undo.ts'
import { createBenchDatabase } from '../bench-database.ts'
import { untilSettled } from '../measure-edit.ts'
import type { Report } from '../progress.ts'
import { createSite, type SitePlan } from './fill-site.ts'
import { DATABASE_NAME, openNetworkDatabase, startNetworkServer } from './network-server.ts'
import { cloneSites, homeOf, type NewSite } from './site-tables.ts'

/** The sites of a network, besides those of the test network. */
export type NetworkPlan = {
  readonly small: SitePlan
  readonly large: SitePlan
  /** The sites that all others are copies of: with two languages, and without. */
  readonly models: readonly SitePlan[]
  readonly clones: readonly (NewSite & { readonly model: number })[]
}

/** The first blog id after the sites of the test network. */
export const FIRST_ID = 11
const SMALL_PAGES = 200
const MODEL_PAGES = 10
/** The file that marks a folder whose network is complete, with its size. */
const MARK_FILE = 'network.json'

/** The sites of a network with this number of sites, one of which has this number of pages. */
export function planNetwork({ sites, pages }: NetworkSize): NetworkPlan {
  const generated = (index: number, pageCount: number, hasLanguages: boolean): SitePlan => ({
    ...addressOf(FIRST_ID + index),
    pageCount,
    hasLanguages,
  })
  const models = [generated(2, MODEL_PAGES, true), generated(3, MODEL_PAGES, false)]
  return {
    small: generated(0, SMALL_PAGES, true),
    large: generated(1, pages, true),
    models,
    clones: Array.from({ length: Math.max(0, sites - 4) }, (_, index) => ({
      ...addressOf(FIRST_ID + 4 + index),
      model: models[index % 2]?.blogId ?? 0,
    })),
  }
}

/** Half of the sites have a domain of their own, the others a path. */
export const addressOf = (blogId: number): NewSite =>
  blogId % 4 < 2
    ? { blogId, domain: 'net.test', path: `/site-${blogId}/` }
    : { blogId, domain: `site-${blogId}.test`, path: '/' }

export type NetworkSize = { readonly sites: number; readonly pages: number }

/**
 * Creates the database and the static copies of a network in a folder, unless a former run has done it.
 * @param undo stops what runs if the program is interrupted
 */
export async function createNetwork(
  folder: string,
  { sites, pages }: NetworkSize,
  undo: Undo,
  report: Report,
): Promise<NetworkPlan> {
  const size = JSON.stringify({ sites, pages })
  const plan = planNetwork({ sites, pages })
  const mark = join(folder, MARK_FILE)
  if (existsSync(mark) && readFileSync(mark, 'utf8') === size) {
    report('the network exists')
    return plan
  }
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const processes = new Undo()
  undo.add(() => processes.run())
  const server = await startNetworkServer(folder, processes, { binlog: 'none', isDurable: false })
  await loadNetwork(server.serverUrl, DATABASE_NAME)
  const db = openNetworkDatabase(server, processes)
  await createSites(db, plan, report)
  const published = [plan.small, plan.large, ...plan.models, ...plan.clones]
  await publishSites(db, { folder, sites: published, url: server.url, undo: processes, report })
  await processes.run()
  writeFileSync(mark, size)
  return plan
}

const CLONES_PER_REPORT = 250

/** Creates the tables and rows of the sites, without static copies. */
export async function createSites(
  db: SqlDatabase,
  plan: NetworkPlan,
  report: Report,
): Promise<void> {
  for (const site of [plan.small, plan.large, ...plan.models]) await createSite(db, site)
  report(`created the site with ${plan.large.pageCount} pages`)
  let count = 0
  const onCloned = (): void => {
    count += 1
    if (count % CLONES_PER_REPORT === 0) report(`created ${count} of ${plan.clones.length} copies`)
  }
  for (const { blogId } of plan.models) {
    const clones = plan.clones.filter(({ model }) => model === blogId)
    await cloneSites(db, blogId, clones, onCloned)
  }
}

type Publishing = {
  readonly folder: string
  readonly sites: readonly NewSite[]
  readonly url: string
  readonly undo: Undo
  readonly report: Report
}

const MAX_PUBLICATION_MS = 40 * 60_000
const REPORT_MS = 15_000

/** Publishes all pages: the first round of the poll finds that each site with copy records has changed. */
export async function publishSites(
  db: SqlDatabase,
  { folder, sites, url, undo, report }: Publishing,
): Promise<void> {
  await db.sql('wp_svc_pages').insert(
    sites.map((site) => ({
      blog_id: site.blogId,
      page_id: 1,
      url: `${homeOf(site)}/`,
      version: 0,
    })),
  )
  const database = await createBenchDatabase(db, { url, pids: [], blogId: sites[0]?.blogId ?? 0 })
  await startService(database, folder, undo, { name: 'setup', env: { WATCH_SECONDS: '1' } })
  let isDone = false
  const reporting = reportWhile(
    () => !isDone,
    async () => report(await describeCopies(db)),
  )
  try {
    // The poll looks at the sites in the order of their ids.
    await untilPublished(sites.map((site) => copyOfHome(folder, site)))
    await untilSettled(db, { limitMs: MAX_PUBLICATION_MS })
  } finally {
    isDone = true
    await reporting
  }
  report(`published: ${await describeCopies(db)}`)
}

const copyOfHome = (folder: string, { domain, path }: NewSite): string =>
  join(staticDir(folder), domain, path, 'index.html')

async function untilPublished(files: readonly string[]): Promise<void> {
  const begin = performance.now()
  for (const file of files)
    while (!statSync(file, { throwIfNoEntry: false })) {
      if (performance.now() - begin > MAX_PUBLICATION_MS) throw new Error(`${file} is missing`)
      await sleep(100)
    }
}

async function reportWhile(isRunning: () => boolean, report: () => Promise<void>): Promise<void> {
  for (let begin = performance.now(); isRunning(); await sleep(200)) {
    if (performance.now() - begin < REPORT_MS) continue
    begin = performance.now()
    await report()
  }
}

async function describeCopies({ sql }: SqlDatabase): Promise<string> {
  const [[row]] = await sql.raw(
    'SELECT COUNT(*) copies, COUNT(DISTINCT blog_id) sites FROM wp_svc_pages WHERE digest IS NOT NULL',
  )
  return `${row.copies} copies of ${row.sites} sites`
}
