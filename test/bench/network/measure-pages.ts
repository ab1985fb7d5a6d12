import { listBuilders } from '../../../src/content/work/due-work.ts'
import { BackgroundLoop } from '../../../src/host/concurrency/background-loop.ts'
import { globalTables } from '../../../src/wordpress/network/site.ts'
import { CopyWatch, type Expectation, shows } from '../freshness/copy-watch.ts'
import { MODIFIED, type Statement } from '../freshness/edits/edit.ts'
import { TITLE_EDIT } from '../freshness/edits/page-edits.ts'
import { readItems } from '../freshness/edits/setting-edits.ts'
import { measureEdit, newMark, untilSettled } from '../freshness/measure-edit.ts'
import { MeasuredSite } from '../freshness/measured-site.ts'
import { menuName } from '../freshness/network/menus.ts'
import { SITE_FRAMES } from '../freshness/network/site-frames.ts'
import { resetPeaks } from '../load/process-figures.ts'
import { staticDir } from '../setup/start-service.ts'
import type { Figures } from './figures.ts'
import type { NetworkRun } from './measure-service.ts'
import { type MeasuredService, memoryOf, startMeasuredService } from './measured-service.ts'
import type { RunningNetwork } from './sized-network.ts'

const FRAME = 'site-footer'
/** Pages that are compared. */
const SAMPLE = 200
const LIMIT_MS = 3_600_000

type PagesRun = {
  readonly site: MeasuredSite
  readonly running: RunningNetwork
  readonly service: MeasuredService
}

/** A site with many pages: a frame, a menu and a title are changed. The frame gives all pages their first static copies. */
export async function measurePages({
  network,
  running,
  undo,
  report,
}: NetworkRun): Promise<Figures> {
  const [large] = network.sites
  if (!large) throw new Error('the network has no sites')
  const service = await startMeasuredService(
    running,
    large.blogId,
    { name: 'feed', watchSeconds: 60 },
    undo,
  )
  const site = await MeasuredSite.open(running.db, large, staticDir(running.folder))
  const run = { site, running, service }
  // The first edit waits until the feed has compared all sites.
  await measureTitle(run)
  const frame = await measureFrame(run)
  report(`frame: ${JSON.stringify(frame)}`)
  const menu = await measureMenu(run)
  report(`menu: ${JSON.stringify(menu)}`)
  return { ...frame, ...menu, ...(await measureTitle(run)) }
}

/** Owners of work are looked up this often, in milliseconds. */
const LOOK_MS = 50

/** Time until everything is true, in seconds, peak memory of the service in MB, and the claims that were seen. */
async function measured(
  { running, service }: PagesRun,
  work: () => Promise<void>,
): Promise<{ seconds: number; memory: number; claims: number }> {
  resetPeaks(service.pids)
  const claims = new Set<string>()
  const watching = new BackgroundLoop(async () => {
    for (const owner of await listBuilders(running.db, globalTables('wp_'))) claims.add(owner)
    return LOOK_MS
  })
  const begin = performance.now()
  await work()
  const seconds = (performance.now() - begin) / 1000
  await untilSettled(running.db, { limitMs: LIMIT_MS })
  await watching.stop()
  return { seconds, memory: memoryOf(service), claims: claims.size }
}

async function measureTitle(run: PagesRun): Promise<Figures> {
  const make = TITLE_EDIT.begin(run.site)[0]
  if (!make) throw new Error('there is no edit of a title')
  const edit = await make(newMark())
  const { seconds } = await measured(run, () =>
    until(run, edit.statements as readonly Statement[], edit.expected),
  )
  return { title: seconds }
}

async function measureFrame(run: PagesRun): Promise<Figures> {
  const { site, service } = run
  const mark = newMark()
  const html = (SITE_FRAMES.find(({ slug }) => slug === FRAME)?.html ?? '').replace(
    '</footer>',
    `<p>${mark}</p></footer>`,
  )
  let answerMs = 0
  const { seconds, memory, claims } = await measured(run, () =>
    until(
      run,
      async () => {
        const begin = performance.now()
        const response = await fetch(`${service.apiUrl}/site/${site.blogId}/frames/${FRAME}`, {
          method: 'PUT',
          headers: { authorization: service.authorization, 'content-type': 'application/json' },
          body: JSON.stringify({ html }),
        })
        if (response.status !== 200) throw new Error(`PUT was answered ${response.status}`)
        await response.text()
        answerMs = performance.now() - begin
      },
      allPages(site, mark),
    ),
  )
  return {
    frame: seconds,
    frameAnswer: answerMs / 1000,
    frameMemory: memory,
    frameClaims: claims,
  }
}

/** The header has a menu for each language. */
async function measureMenu(run: PagesRun): Promise<Figures> {
  const { site } = run
  const title = `Item ${newMark()}`
  const statements: Statement[] = []
  for (const lang of ['en', 'fr'] as const) {
    const items = await readItems(site, menuName({ theme: site.theme, location: 'header', lang }))
    statements.push([
      `UPDATE ?? SET post_title = ?, ${MODIFIED} WHERE ID = ?`,
      [site.table('posts'), title, items.at(-1) ?? 0],
    ])
  }
  const { seconds, memory, claims } = await measured(run, () =>
    until(run, statements, allPages(site, title)),
  )
  return { menu: seconds, menuMemory: memory, menuClaims: claims }
}

const allPages = (site: MeasuredSite, text: string): Expectation[] =>
  site.sample(SAMPLE).map((page) => shows(site.fileOf(page), text))

/** Makes an edit, and waits until there is no work and all expected copies are true. */
async function until(
  { running, site }: PagesRun,
  statements: readonly Statement[] | (() => Promise<void>),
  expected: readonly Expectation[],
): Promise<void> {
  const { allMs } = await measureEdit(
    {
      db: running.db,
      watch: new CopyWatch(),
      limitMs: LIMIT_MS,
      pauseMs: 0,
      random: Math.random,
    },
    { statements, expected },
  )
  if (allMs === undefined) throw new Error('an edit did not arrive')
  await untilSettled(running.db, { blogId: site.blogId, limitMs: LIMIT_MS })
}
