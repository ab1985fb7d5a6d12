import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  createNetwork,
  type Report,
  type RunningNetwork,
  startNetwork,
  startReport,
} from '../generated/create-network.ts'
import { publishSite } from '../generated/mark-seen.ts'
import { planEdited } from '../generated/plan-network.ts'
import { FEED, startWatching, type Watching } from '../generated/start-watching.ts'
import { describeRun, runSentence } from '../report/describe-run.ts'
import { replaceSection } from '../report/table.ts'
import { untilSettled } from '../setup/pending-work.ts'
import { staticDir } from '../setup/start-service.ts'
import type { Undo } from '../setup/undo.ts'
import {
  type EditGroup,
  type EditTimes,
  freshnessTables,
  freshnessVerdicts,
  type PassName,
  type SiteName,
  timesText,
} from './edit-times.ts'
import { type EditKind, SETTING_EDITS, SITE_EDITS, TEXT_EDITS, TREE_EDITS } from './edits.ts'
import {
  commit,
  type EditTime,
  editFrontPage,
  LIMIT_MS,
  measureEdit,
  newMark,
} from './measure-edit.ts'
import { copyFile, type MeasuredSite, openSite } from './measured-site.ts'

/** Rounds of a poll are short here, so that a pass is. */
const PASSES: Readonly<Record<PassName, Watching>> = {
  feed: FEED,
  poll: { name: 'poll', watchSeconds: 2 },
}

/** The options of the measurement of freshness. */
export type FreshnessOptions = {
  readonly sites: number
  /** Of the large site. */
  readonly pages: number
  readonly passes: readonly PassName[]
  /** The folder of the network, which stays for the next run [a temporary one]. */
  readonly folder: string | undefined
  /** Write the tables into docs/freshness.md. */
  readonly readme: boolean
}

/** Measures how soon static copies show edits that bypass the service, in a network of many sites. */
export async function runFreshness(options: FreshnessOptions, undo: Undo): Promise<void> {
  const { sites, pages, passes, readme } = options
  const report = startReport()
  const folder = options.folder ? resolve(options.folder) : undo.folder('freshness')
  const plan = planEdited({ sites, pages })
  await createNetwork(folder, plan, undo, report)
  const times: EditTimes[] = []
  for (const pass of passes) {
    const own = undo.part()
    report(`edits by ${pass}`)
    const running = await startNetwork(folder, plan, own, { binlog: pass === 'feed' })
    await startPass(running, PASSES[pass], own)
    times.push(...(await measurePass(running, pass, report)))
    await own.run()
  }
  const machine = runSentence(describeRun(), 'the service, the database and the benchmark')
  const text = `${machine}; ${sites} sites, one with ${pages} pages. Times in milliseconds from the commit until the file is replaced.\n\n${freshnessTables(times)}`
  console.log(`\n${text}\n\n${freshnessVerdicts(times).join('\n')}`)
  if (readme) replaceSection('freshness.md', 'freshness', text)
}

/** How long all pages of a site may take, in milliseconds, and the first comparison of all sites. */
const SITE_LIMIT_MS = 180_000

/** Starts the service, and waits until it has compared all sites. */
async function startPass(running: RunningNetwork, watching: Watching, undo: Undo): Promise<void> {
  const { db, folder, plan } = running
  const last = plan.sites.at(-1)
  if (!last) throw new Error('the network has no sites')
  // An edit of a former run may have left a site without copies.
  for (const site of plan.models)
    if (!existsSync(copyFile(staticDir(folder), site))) await publishSite(db, site.blogId)
  await startWatching(running, watching, undo)
  // Sites are compared in their order. A second edit arrives by the feed, if there is one.
  await editFrontPage(running, last, SITE_LIMIT_MS)
  await untilSettled(db)
  await editFrontPage(running, last, LIMIT_MS)
}

const GROUPS: readonly (readonly [EditGroup, readonly EditKind[]])[] = [
  ['text', TEXT_EDITS],
  ['tree', TREE_EDITS],
  ['setting', SETTING_EDITS],
  ['site', SITE_EDITS],
]

/** Measures all edits on both sites. What fails is reported, and the pass continues. */
async function measurePass(
  { db, folder, plan }: RunningNetwork,
  pass: PassName,
  report: Report,
): Promise<EditTimes[]> {
  const found: EditTimes[] = []
  for (const [at, name] of (['small', 'large'] as const).entries()) {
    const sitePlan = plan.sites[at]
    if (!sitePlan) continue
    const site = await openSite(db, sitePlan, staticDir(folder))
    for (const [group, kinds] of GROUPS)
      for (const kind of kinds)
        try {
          const measured = await measureKind(site, kind, group, name, pass)
          const times = kind.titles.map((title, which): EditTimes => {
            const ofTitle = measured.flatMap((edits) => edits[which] ?? [])
            const sorted = (value: keyof EditTime): number[] =>
              ofTitle.map((time) => time[value] ?? Infinity).sort((a, b) => a - b)
            const [first, all] = [sorted('firstMs'), sorted('allMs')]
            return { pass, group, site: name, title, first, all }
          })
          for (const one of times) report(`${name.padEnd(6)} ${one.title}: ${timesText(one)} ms`)
          found.push(...times)
        } catch (error) {
          report(`${name}, ${kind.titles[0]}: ${error instanceof Error ? error.message : error}`)
          process.exitCode = 1
        }
  }
  return found
}

/** How often edits of a text are measured: often enough for a median. */
const TEXT_TIMES = 50
const EDITS_PER_SECOND = 4
const OTHER_TIMES = 3

/**
 * Measures a kind of edits several times. Edits of texts begin at a fixed rate, however long the copies take: as an editorial team works, and so that
 * they fall into all phases of a poll. All others follow one another, with pauses that make them independent of the rounds of a poll.
 */
async function measureKind(
  site: MeasuredSite,
  kind: EditKind,
  group: EditGroup,
  name: SiteName,
  pass: PassName,
): Promise<EditTime[][]> {
  if (group === 'text') {
    const measuring: Promise<EditTime[]>[] = []
    for (let index = 0; index < TEXT_TIMES; index += 1) {
      const edits = runOnce(site, kind, LIMIT_MS)
      // An error is thrown when all have ended.
      edits.catch(() => {})
      measuring.push(edits)
      await sleep(1000 / EDITS_PER_SECOND)
    }
    return Promise.all(measuring)
  }
  const found: EditTime[][] = []
  const times = group === 'site' && name === 'large' ? 1 : OTHER_TIMES
  const pauseMs = pass === 'feed' ? 300 : PASSES.poll.watchSeconds * 1000
  while (found.length < times) {
    const limitMs = group === 'site' ? SITE_LIMIT_MS : LIMIT_MS
    const settle = async (): Promise<void> => {
      await untilSettled(site.db, { blogId: site.blogId })
      await sleep(Math.random() * pauseMs)
    }
    found.push(await runOnce(site, kind, limitMs, settle))
  }
  return found
}

/**
 * Measures the edits of a kind one after the other. After an edit that was too late, the others are committed too, so that the site is as before,
 * but they are not measured.
 * @param between runs after each edit
 */
async function runOnce(
  site: MeasuredSite,
  kind: EditKind,
  limitMs: number,
  between: () => Promise<void> = async () => {},
): Promise<EditTime[]> {
  const found: EditTime[] = []
  for (const make of kind.begin(site)) {
    const edit = await make(newMark())
    if (found.every(({ allMs }) => allMs !== undefined))
      found.push(await measureEdit(site.db, edit, limitMs))
    else await commit(site.db, edit.statements)
    await between()
  }
  return found
}
