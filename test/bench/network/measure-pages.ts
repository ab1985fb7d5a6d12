import { SiteData } from '../../../src/build/baking/site-data.ts'
import { ask } from '../contender.ts'
import { shows } from '../freshness/copy-watch.ts'
import { lastItem, TITLE_EDIT, updatePost } from '../freshness/edits.ts'
import { type Edit, measureEdit, newMark } from '../freshness/measure-edit.ts'
import { openSite } from '../freshness/measured-site.ts'
import { footerMarkup } from '../generated/site-frames.ts'
import { FEED, startWatching } from '../generated/start-watching.ts'
import { resetPeaks } from '../load/process-figures.ts'
import { getSite } from '../setup/open-database.ts'
import { untilSettled } from '../setup/pending-work.ts'
import { staticDir } from '../setup/start-service.ts'
import type { PagesFigures } from './figures.ts'
import { memoryOf, type NetworkRun } from './measure-service.ts'

/** Pages that are compared. */
const SAMPLE = 200
const LIMIT_MS = 3_600_000

/** A site with many pages: a frame, a menu and a title are changed. The frame gives all pages their first static copies. */
export async function measurePages(run: NetworkRun): Promise<PagesFigures> {
  const { running, undo, report } = run
  const { db, plan, folder } = running
  const [large] = plan.sites
  if (!large) throw new Error('the network has no sites')
  const list = await measureList(run, large.blogId)
  const service = await startWatching(running, FEED, undo)
  const site = await openSite(db, large, staticDir(folder))
  /** Time until all expected copies are true and there is no work, in seconds, and peak memory of the service in MB. */
  const measure = async (edit: Edit): Promise<{ seconds: number; memory: number }> => {
    resetPeaks(service.processes())
    const begin = performance.now()
    const { allMs } = await measureEdit(db, edit, LIMIT_MS)
    if (allMs === undefined) throw new Error('an edit did not arrive')
    await untilSettled(db, { blogId: site.blogId })
    return { seconds: (performance.now() - begin) / 1000, memory: memoryOf(service) }
  }
  const allPages = (text: string) =>
    site.sample(SAMPLE).map((page) => shows(site.fileOf(page), text))
  const editTitle = async (): Promise<number> => {
    const edit = await TITLE_EDIT.begin(site)[0]?.(newMark())
    return edit ? (await measure(edit)).seconds : 0
  }
  // The first edit waits until the feed has compared all sites.
  await editTitle()

  const mark = newMark()
  let frameAnswer = 0
  const frame = await measure({
    statements: async () => {
      const body = { html: footerMarkup(mark) }
      const answer = await ask(service, { method: 'PUT', path: '/frames/site-footer', body })
      frameAnswer = answer.ms / 1000
    },
    expected: allPages(mark),
  })
  report(`frame: ${frame.seconds} s`)

  // The header has a menu for each language.
  const title = `Item ${newMark()}`
  const items = [await lastItem(site, 'header', 'en'), await lastItem(site, 'header', 'fr')]
  const menu = await measure({
    statements: items.map((item) => updatePost(site, item, 'post_title', title)),
    expected: allPages(title),
  })
  report(`menu: ${menu.seconds} s`)
  return {
    list,
    frame: frame.seconds,
    frameAnswer,
    frameMemory: frame.memory,
    menu: menu.seconds,
    menuMemory: menu.memory,
    title: await editTitle(),
  }
}

/** What a bake reads for a list of all pages, in this process: milliseconds in which its main thread is busy. */
async function measureList({ running: { db } }: NetworkRun, blogId: number): Promise<number> {
  const site = await getSite(db, blogId)
  const nothing = { site: [], settings: [], menus: [], datasets: [], page: [], languages: false }
  const read = () =>
    db.snapshot(async (reads) => {
      const data = new SiteData(reads, site)
      for (const lang of await data.languageSlugs())
        data.digestOf(await data.values({ ...nothing, pages: true }, lang))
    })
  await read()
  const before = performance.eventLoopUtilization()
  await read()
  return performance.eventLoopUtilization(before).active
}
