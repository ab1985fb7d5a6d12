import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Contender, send } from '../contender.ts'
import { QueryCount } from '../load/query-count.ts'
import { percentile } from '../load/run-load.ts'
import { type BenchDatabase, openBenchDatabase } from '../setup/open-database.ts'
import { markup } from '../setup/put-frames.ts'
import { startSeparately, startService, staticDir } from '../setup/start-service.ts'
import { Undo } from '../setup/undo.ts'
import { createPublicationSite, type PublicationSite } from './publication-site.ts'
import { folderCopies, type Publication, publish } from './publish.ts'

/** All figures of the publication of a site. */
export type PublicationFigures = {
  /** By one process that runs all parts. */
  readonly publications: readonly Publication[]
  /** The largest site, by an API and executors in processes of their own. */
  readonly separate: readonly (Publication & { readonly executors: number })[]
  /** Median time of a PUT of a frame without pages, in milliseconds. */
  readonly putWithoutPagesMs: number
  /** Statements per second of a service without requests. */
  readonly idleStatements: number
}

const EXECUTORS = [1, 2]
const PUTS = 50
const IDLE_SECONDS = 10
/** Until the memory and the connections of a new process have settled. */
const SETTLE_MS = 2000

/**
 * Publishes a site with these numbers of pages, smallest first, on a database of its own.
 * @param undo stops the processes if the run is interrupted
 * @param onMeasured called with a line for each measurement
 */
export async function runPublication(
  sizes: readonly number[],
  undo: Undo,
  onMeasured: (publication: Publication, executors?: number) => void,
): Promise<PublicationFigures> {
  const folder = mkdtempSync(join(tmpdir(), 'wp-frames-publication-'))
  undo.add(() => rmSync(folder, { recursive: true, force: true }))
  const database = await openBenchDatabase(folder, undo)
  const copies = folderCopies(staticDir(folder))
  const processes = new Undo()
  undo.add(() => processes.run())
  const measure = async (
    service: Contender,
    site: PublicationSite,
    asked: Parameters<typeof publish>[2],
    executors?: number,
  ): Promise<Publication> => {
    await sleep(SETTLE_MS)
    const measured = await publish({ database, service, copies }, site, asked)
    onMeasured(measured, executors)
    return measured
  }

  const service = await startService(database, folder, processes)
  const site = await createPublicationSite(database, service)
  const publications: Publication[] = []
  for (const pages of sizes) {
    await site.addPages(pages)
    for (const isFirst of [true, false]) {
      const edition = `${pages} ${isFirst ? 'created' : 'replaced'}`
      publications.push(await measure(service, site, { pages, isFirst, edition }))
    }
  }
  const putWithoutPagesMs = await timePuts(service)
  const idleStatements = await countIdleStatements(database)
  await processes.run()

  const separate: (Publication & { executors: number })[] = []
  const pages = sizes.at(-1) ?? 0
  for (const executors of EXECUTORS) {
    const api = await startSeparately(database, folder, processes, executors)
    const edition = `${executors} separate`
    const asked = { pages, isFirst: false, edition }
    separate.push({ ...(await measure(api, site, asked, executors)), executors })
    await processes.run()
  }
  return { publications, separate, putWithoutPagesMs, idleStatements }
}

async function timePuts(service: Contender): Promise<number> {
  const path = '/frames/alone'
  const body = { slug: 'alone', html: '<p>alone</p>' }
  await send(service, { method: 'POST', path: '/frames', body })
  const times: number[] = []
  for (let index = 0; index < PUTS; index += 1) {
    const html = markup(`Edition ${index}`, 2048)
    const { status, ms } = await send(service, { method: 'PUT', path, body: { html } })
    if (status !== 200) throw new Error(`PUT ${path} was answered ${status}`)
    times.push(ms)
  }
  return percentile(
    times.sort((a, b) => a - b),
    0.5,
  )
}

async function countIdleStatements({ db }: BenchDatabase): Promise<number> {
  await sleep(SETTLE_MS)
  const queries = new QueryCount(db)
  const before = await queries.read()
  await sleep(IDLE_SECONDS * 1000)
  return ((await queries.read()) - before) / IDLE_SECONDS
}
