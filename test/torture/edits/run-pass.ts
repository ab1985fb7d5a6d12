import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { serveWordPress } from '../../../compat/setup/serve-wordpress.ts'
import { listCopyUrls } from '../../../src/build/publishing/copies-table.ts'
import { isFeedHealthy } from '../../../src/changes/feed/feed-state.ts'
import { fixSite } from '../../../src/network/doctor/fix.ts'
import { untilCopiesEqual } from '../support/compare-copies.ts'
import { Deployment, type Layout } from '../support/deployment.ts'
import { Random } from '../support/random.ts'
import { spread, Tally } from '../support/tally.ts'
import {
  createTortureFixture,
  makeAccount,
  makeFeedAccount,
  type TortureFixture,
} from '../support/torture-fixture.ts'
import type { Conditions, Findings } from '../trial.ts'
import { type EditDisruption, editDisruptions } from './disruptions.ts'
import { Editor } from './editor.ts'
import { prepareSharedSite, type SharedSite } from './prepare-site.ts'
import { Round } from './round.ts'

/** A kind of database server, and how the service learns of edits there. */
export type Pass = {
  readonly name: string
  /** Arguments of the server. */
  readonly args: readonly string[]
  /** Whether a process follows the binlog, or its format is refused. While none follows it, all poll. */
  readonly feed: 'followed' | 'refused' | 'none'
  /** Interval of the poll. */
  readonly watchSeconds: number
  /** Time after the end of a disruption within which all pages must be true, in milliseconds. */
  readonly limitMs: number
}

/** Rounds of each layout. */
const ROUNDS = { short: 5, full: 20 }
const LAYOUTS: Readonly<Record<'short' | 'full', readonly Layout[]>> = {
  short: ['one process'],
  full: ['one process', 'apart'],
}
/** A pass ends after so many rounds with faults. */
const MAX_FAULTY_ROUNDS = 5

/** @param wordpress the folder of a PHP WordPress */
export async function runPass(
  pass: Pass,
  wordpress: string,
  { short, folder, seed, progress, target }: Conditions,
): Promise<Findings> {
  mkdirSync(folder)
  const fixture = await createTortureFixture(folder, { durable: true, args: pass.args, target })
  const log = join(folder, 'php.log')
  const php = await serveWordPress(wordpress, await makeAccount(fixture, 'wordpress'), log)
  const random = new Random(seed)
  const figures = new PassFigures()
  const faults: string[] = []
  const extent = short ? 'short' : 'full'
  let shared: SharedSite | undefined
  let editor: Editor | undefined
  try {
    for (const layout of LAYOUTS[extent]) {
      const deployment = await Deployment.start(fixture, layout, await envOf(pass, fixture))
      try {
        const { apiUrl } = deployment
        shared ??= await prepareSharedSite(fixture, apiUrl, seed)
        editor ??= new Editor(shared.editable, php.url, random)
        const disruptions = editDisruptions(fixture, deployment, pass.feed === 'followed')
        for (let index = 0; index < ROUNDS[extent] && !figures.isOver; index += 1) {
          const disruption = disruptions[index % disruptions.length] as EditDisruption
          const round = new Round({ ...shared, editor, random, disruption, byPhp: index % 2 === 1 })
          shared.writers.callAt([deployment.apiUrl])
          const found = await round.run(figures.tally)
          shared.writers.callAt([deployment.apiUrl])
          const recovery = await untilCopiesEqual(fixture, round.end, pass.limitMs)
          found.push(...recovery.faults, ...(await settle(shared)))
          await figures.add(fixture, disruption.name, recovery.ms)
          const at = `${pass.name}, ${layout}, round ${index + 1} (${disruption.name})`
          faults.push(...found.map((fault) => `${at}: ${fault}, edits: ${round.description}`))
          if (found.length === 0) continue
          progress(`${at}: ${found[0]}`)
          figures.faultyRounds += 1
          // So that the next rounds do not report the same faults.
          await fixSite(fixture.doctor, fixture.site)
        }
      } finally {
        await deployment.close()
      }
    }
    const isFollowed = pass.feed === 'followed'
    if (figures.usedFeed !== isFollowed)
      faults.push(`${pass.name}: the feed was ${isFollowed ? 'never ' : ''}followed`)
    return { figures: { ...figures.all(), edits: editor?.figures ?? '' }, faults }
  } finally {
    await php.stop()
    await fixture.close()
  }
}

async function envOf(
  { feed, watchSeconds }: Pass,
  fixture: TortureFixture,
): Promise<Record<string, string>> {
  const watch = { WATCH_SECONDS: String(watchSeconds) }
  if (feed === 'none') return watch
  return { ...watch, FEED_DATABASE_URL: await makeFeedAccount(fixture) }
}

/** Acknowledged writes that are not stored. PHP may have overwritten the assignments of menus to locations, as it does. */
async function settle({ writers }: SharedSite): Promise<string[]> {
  const faults = await writers.settle()
  return faults.filter((fault) => !fault.startsWith('location '))
}

/** The measurements of a pass. */
class PassFigures {
  readonly tally = new Tally()
  faultyRounds = 0
  readonly #times = new Map<string, number[]>()
  readonly #copies: number[] = []
  #rounds = 0
  #withFeed = 0

  get isOver(): boolean {
    return this.faultyRounds >= MAX_FAULTY_ROUNDS
  }

  async add({ db, site }: TortureFixture, disruption: string, ms: number): Promise<void> {
    this.#times.set(disruption, [...(this.#times.get(disruption) ?? []), ms])
    const copies = await listCopyUrls(db, site)
    this.#copies.push(copies.size)
    this.#rounds += 1
    if (await isFeedHealthy(db, site.globals)) this.#withFeed += 1
  }

  /** The poll replaces the feed after a disruption, but not always. */
  get usedFeed(): boolean {
    return this.#withFeed > 0
  }

  all(): Record<string, string | number> {
    const copies = [...this.#copies].sort((a, b) => a - b)
    return {
      ...Object.fromEntries(
        [...this.#times].map(([name, times]) => [
          `${name}, time until all pages were true`,
          `${times.length}, ${spread(times)}`,
        ]),
      ),
      'static copies at the end of a round': `${copies[0]} to ${copies.at(-1)}`,
      'rounds at whose end the feed was followed': `${this.#withFeed} of ${this.#rounds}`,
      ...this.tally.figures(),
    }
  }
}
