import { describeMachine } from '../report/describe-run.ts'
import { staticDir } from '../setup/start-service.ts'
import { Undo } from '../setup/undo.ts'
import { measureCollaboration } from './collaboration.ts'
import { comparePages } from './compare-pages.ts'
import { EditTimesLog } from './edit-times.ts'
import { networkEdits } from './edits/network-edits.ts'
import { TEXT_EDITS } from './edits/page-edits.ts'
import { SETTING_EDITS } from './edits/setting-edits.ts'
import { BRIEF_SITE_EDITS, SITE_EDITS } from './edits/site-edits.ts'
import { TREE_EDITS } from './edits/tree-edits.ts'
import { LIMIT_MS } from './measure-edit.ts'
import { createOtherDatabase, MILLION_ROWS, measureMillionRows } from './million-rows.ts'
import type { NetworkPlan } from './network/create-network.ts'
import { type NamedSite, PartRunner } from './part-runner.ts'
import { PASSES, type PassName, type PassPart, type PassResults } from './passes.ts'
import type { Report } from './progress.ts'
import { measureQuiet, measureRound } from './quiet-figures.ts'
import { countRenderedPages } from './rendered-pages.ts'
import {
  collaborationLine,
  millionRowsLine,
  quietLine,
  renderedLine,
} from './report/freshness-lines.ts'
import { runSchedule } from './run-schedule.ts'
import { publishAgain, type RunningPass, startPass, untilWatched } from './start-pass.ts'

/** How much is measured. */
export type PassSize = {
  readonly sites: number
  readonly pages: number
  /** Duration of the measurement without edits, in seconds. */
  readonly quietSeconds: number
  /** Rows that are changed in one transaction. */
  readonly rows: number
  /** The parts to measure. */
  readonly parts: readonly PassPart[]
  /** Whether the large site gets all edits that change all its pages. */
  readonly isThorough: boolean
}

/** How often the edits of each other kind are measured. */
const OTHER_TIMES = 3
const EDITS_PER_SECOND = 4
const ROUND_SECONDS = 20
/** How long all pages of a site may take, in milliseconds. */
const SITE_LIMIT_MS = 180_000
const MAX_DIFFERENCES_REPORTED = 5

type Run = {
  readonly name: PassName
  readonly size: PassSize
  readonly pass: RunningPass
  readonly parts: PartRunner
  readonly log: EditTimesLog
  readonly report: Report
}

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
  try {
    return await measurePass(folder, plan, name, { size, undo, report })
  } finally {
    await undo.run()
  }
}

async function measurePass(
  folder: string,
  plan: NetworkPlan,
  name: PassName,
  { size, undo, report }: { size: PassSize; undo: Undo; report: Report },
): Promise<PassResults> {
  report(`pass "${PASSES[name].title}"`)
  const pass = await startPass(folder, plan, name, undo)
  const arrived = (await untilWatched(pass)).map((ms) => `${Math.round(ms)} ms`)
  report(`the first two edits arrived after ${arrived.join(' and ')}`)
  const log = new EditTimesLog()
  const run = { name, size, pass, log, report, parts: new PartRunner(pass.gauge, log, report) }
  const has = (part: PassPart) => size.parts.includes(part)
  const quiet = has('quiet') ? await runQuiet(run) : {}
  if (has('edits')) await runEdits(run)
  const costs = has('costs') ? await runCosts(run) : { rendered: [], millions: [] }
  const { date, commit } = describeMachine()
  return {
    pass: name,
    date,
    commit,
    sites: size.sites,
    pages: size.pages,
    limitMs: LIMIT_MS,
    ...quiet,
    edits: log.all(),
    ...costs,
  }
}

async function runQuiet({ name, size, pass, parts, report }: Run) {
  const { hasFeed, watchSeconds } = PASSES[name]
  const { service, database } = pass
  const { db } = pass.gauge
  const found: { -readonly [Part in 'quiet' | 'collaboration' | 'roundMs']?: PassResults[Part] } =
    {}
  await parts.run('quiet', async () => {
    const processes = { db, servicePids: service.processes(), databasePids: database.pids }
    found.quiet = await measureQuiet(processes, size.quietSeconds)
    if (!hasFeed) found.roundMs = await measureRound(db, ROUND_SECONDS, watchSeconds * 1000)
    report(quietLine(found.quiet, found.roundMs))
    found.collaboration = await measureCollaboration(processes, pass.large, size.quietSeconds)
    report(collaborationLine(found.collaboration))
  })
  return found
}

async function runEdits({ name, size, pass, parts, log }: Run): Promise<void> {
  const { gauge, plan } = pass
  const sites: readonly NamedSite[] = [
    ['small', pass.small],
    ['large', pass.large],
  ]
  /** A poll mostly waits, so it can be measured on both sites at the same time. */
  const onEachSite = async (part: (site: NamedSite) => Promise<void>): Promise<void> => {
    if (!PASSES[name].hasFeed) await Promise.all(sites.map(part))
    else for (const site of sites) await part(site)
  }
  await onEachSite(async ([siteName, site]) => {
    for (const { kind, times } of TEXT_EDITS) {
      const schedule = { kind, times, perSecond: EDITS_PER_SECOND }
      const onEdit = log.collect('text', siteName, gauge.limitMs)
      const measure = () => runSchedule(gauge, site, schedule, onEdit)
      await parts.run(`${siteName}, ${kind.titles[0]}`, measure, site.blogId)
    }
    parts.reportGroup('text', siteName)
  })
  const often = { times: OTHER_TIMES }
  await onEachSite((site) => parts.runKinds('tree', site, TREE_EDITS, often))
  await onEachSite((site) => parts.runKinds('setting', site, SETTING_EDITS, often))
  const [small = ['small', pass.small], large = ['large', pass.large]] = sites
  await parts.runKinds('site', small, SITE_EDITS, often)
  const ofLarge = SITE_EDITS.filter(
    ({ titles }) => size.isThorough || titles.some((title) => BRIEF_SITE_EDITS.includes(title)),
  )
  await parts.runKinds('site', large, ofLarge, { times: 1, allLimitMs: SITE_LIMIT_MS })
  const [model] = plan.models
  const cloned = model ? networkEdits(gauge.db, model, staticDir(pass.folder)) : []
  await parts.runKinds('network', ['network', pass.small], cloned, often)
}

async function runCosts({ size, pass, parts, report }: Run) {
  const { gauge, small, large, service, database, folder } = pass
  const rendered: PassResults['rendered'][number][] = []
  const millions: PassResults['millions'][number][] = []
  let differences: readonly string[] | undefined
  if (await publishAgain(gauge.db, folder, pass.plan)) {
    report('a site has lost its copies: it is published again')
    await parts.settle()
  }
  for (const [site, measured] of [['small', small] as const, ['large', large] as const])
    await parts.run(`${site}, rendered pages`, async () => {
      const counted = await countRenderedPages(gauge, measured, pass.metricsUrl)
      rendered.push({ site, ...counted })
      report(renderedLine(site, counted))
    })
  await createOtherDatabase(large)
  for (const kind of MILLION_ROWS)
    await parts.run(`${size.rows} rows ${kind.title}`, async () => {
      const waiting = { ...gauge, limitMs: SITE_LIMIT_MS }
      const found = await measureMillionRows(waiting, service, large, kind, size.rows)
      millions.push({ title: kind.title, ...found })
      report(millionRowsLine(kind.title, found))
      await kind.undo(large)
    })
  await parts.run('comparison', async () => {
    differences = await comparePages(database, folder, [small, large])
    report(`${differences.length} sampled copies differ from fresh pages`)
    for (const difference of differences.slice(0, MAX_DIFFERENCES_REPORTED)) report(difference)
  })
  return { rendered, millions, ...(differences ? { differences } : {}) }
}
