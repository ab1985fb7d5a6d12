import { describeMachine } from '../report/describe-run.ts'
import { staticDir } from '../setup/start-service.ts'
import { Undo } from '../setup/undo.ts'
import { comparePages } from './compare-pages.ts'
import { type EditGroup, EditTimesLog } from './edit-times.ts'
import type { EditKind } from './edits/edit.ts'
import { networkEdits } from './edits/network-edits.ts'
import { TEXT_EDITS } from './edits/page-edits.ts'
import { SETTING_EDITS } from './edits/setting-edits.ts'
import { BRIEF_SITE_EDITS, SITE_EDITS } from './edits/site-edits.ts'
import { TREE_EDITS } from './edits/tree-edits.ts'
import { measureKind, untilSettled } from './measure-edit.ts'
import type { MeasuredSite } from './measured-site.ts'
import { createOtherDatabase, MILLION_ROWS, measureMillionRows } from './million-rows.ts'
import type { NetworkPlan } from './network/create-network.ts'
import { PASSES, type PassName, type PassResults } from './passes.ts'
import type { Report } from './progress.ts'
import { measureQuiet, measureRound } from './quiet-figures.ts'
import { countRenderedPages } from './rendered-pages.ts'
import { groupLines, millionRowsLine, quietLine, renderedLine } from './report/freshness-lines.ts'
import { runSchedule } from './run-schedule.ts'
import { LIMIT_MS, startPass, untilWatched } from './start-pass.ts'

/** How much is measured. */
export type PassSize = {
  readonly sites: number
  readonly pages: number
  /** Duration of the measurement without edits, in seconds. */
  readonly quietSeconds: number
  /** Rows that are changed in one transaction. */
  readonly rows: number
  /** Whether the large site gets all edits that change all its pages. */
  readonly isThorough: boolean
}

const TEXT_TIMES = 30
const OTHER_TIMES = 3
const EDITS_PER_SECOND = 4
const ROUND_SECONDS = 20
/** How long all pages of the large site may take, in milliseconds. */
const SITE_LIMIT_MS = 180_000
const SETTLE_LIMIT_MS = 300_000
/** Parts of a pass that would begin later are left out, in milliseconds. */
const MAX_PASS_MS = 15 * 60_000

/**
 * Measures one pass.
 * @param undo stops what runs if the program is interrupted
 */
export async function runPass(
  folder: string,
  plan: NetworkPlan,
  name: PassName,
  { size, undo: outer, report }: { size: PassSize; undo: Undo; report: Report },
): Promise<PassResults> {
  const undo = new Undo()
  outer.add(() => undo.run())
  const { hasFeed, watchSeconds, title } = PASSES[name]
  const begin = performance.now()
  report(`pass "${title}"`)
  const pass = await startPass(folder, plan, name, undo)
  const { gauge, small, large, database, service } = pass
  report(`the first edit arrived after ${Math.round(await untilWatched(pass))} ms`)
  const log = new EditTimesLog()
  const measured: { -readonly [Part in keyof PassResults]?: PassResults[Part] } = {}
  const rendered: PassResults['rendered'][number][] = []
  const millions: PassResults['millions'][number][] = []
  const sites = [
    ['small', small],
    ['large', large],
  ] as const

  /** Runs a part, and waits until nothing is left of it. A part that fails does not end the pass. */
  const run = async (what: string, part: () => Promise<void>): Promise<void> => {
    if (performance.now() - begin > MAX_PASS_MS) return report(`${what}: left out, it is too late`)
    try {
      await part()
      await untilSettled(gauge.db, { limitMs: SETTLE_LIMIT_MS })
    } catch (error) {
      report(`${what}: ${error instanceof Error ? error.message : error}`)
    }
  }
  const runKinds = async (
    group: EditGroup,
    [siteName, site]: readonly ['small' | 'large' | 'network', MeasuredSite],
    kinds: readonly EditKind[],
    { times, limitMs }: { times: number; limitMs: number },
  ): Promise<void> => {
    const settle = () => untilSettled(gauge.db, { blogId: site.blogId, limitMs: SETTLE_LIMIT_MS })
    for (const kind of kinds)
      await run(`${siteName}, ${kind.titles[0]}`, async () => {
        const onEdit = log.collect(group, siteName, limitMs)
        for (let time = 0; time < times; time += 1)
          if (!(await measureKind({ ...gauge, limitMs }, site, kind, onEdit, settle))) break
      })
    for (const line of groupLines(log.all(), group, siteName)) report(line)
  }

  const processes = {
    ...{ db: gauge.db, servicePids: service.processes(), databasePids: database.pids },
  }
  await run('quiet', async () => {
    measured.quiet = await measureQuiet(processes, size.quietSeconds)
    if (!hasFeed)
      measured.roundMs = await measureRound(gauge.db, ROUND_SECONDS, watchSeconds * 1000)
    report(quietLine(measured.quiet, measured.roundMs))
  })
  for (const [siteName, site] of sites)
    await run(`${siteName}, pages`, async () => {
      const schedule = [
        ...TEXT_EDITS.map((kind) => ({ kind, group: 'text' as const, times: TEXT_TIMES })),
        ...TREE_EDITS.map((kind) => ({ kind, group: 'tree' as const, times: OTHER_TIMES })),
      ]
      await runSchedule(gauge, site, { schedule, perSecond: EDITS_PER_SECOND }, (group) =>
        log.collect(group, siteName, gauge.limitMs),
      )
      for (const group of ['text', 'tree'] as const)
        for (const line of groupLines(log.all(), group, siteName)) report(line)
    })
  for (const named of sites)
    await runKinds('setting', named, SETTING_EDITS, { times: OTHER_TIMES, limitMs: LIMIT_MS })
  await runKinds('site', ['small', small], SITE_EDITS, { times: OTHER_TIMES, limitMs: LIMIT_MS })
  const ofLarge = SITE_EDITS.filter(
    ({ titles }) => size.isThorough || titles.some((one) => BRIEF_SITE_EDITS.includes(one)),
  )
  await runKinds('site', ['large', large], ofLarge, { times: 1, limitMs: SITE_LIMIT_MS })
  const [model] = plan.models
  const cloned = model ? networkEdits(gauge.db, model, staticDir(folder)) : []
  await runKinds('network', ['network', small], cloned, { times: OTHER_TIMES, limitMs: LIMIT_MS })
  for (const [siteName, site] of sites)
    await run(`${siteName}, rendered pages`, async () => {
      const counted = await countRenderedPages(gauge, site, pass.metricsUrl)
      rendered.push({ site: siteName, ...counted })
      report(renderedLine(siteName, counted))
    })
  await createOtherDatabase(large)
  for (const kind of MILLION_ROWS)
    await run(`${size.rows} rows ${kind.title}`, async () => {
      const limits = { ...gauge, limitMs: SITE_LIMIT_MS }
      const found = await measureMillionRows(limits, service, large, kind, size.rows)
      millions.push({ title: kind.title, ...found })
      report(millionRowsLine(kind.title, found))
      await kind.undo(large)
    })
  await run('comparison', async () => {
    measured.differences = await comparePages(database, folder, [small, large])
    report(`${measured.differences.length} sampled copies differ from fresh pages`)
    for (const difference of measured.differences.slice(0, 5)) report(difference)
  })
  await undo.run()
  const { date, commit } = describeMachine()
  return {
    ...{ pass: name, date, commit, sites: size.sites, pages: size.pages, limitMs: LIMIT_MS },
    ...{ ...measured, edits: log.all(), rendered, millions },
  }
}
