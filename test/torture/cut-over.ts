import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { serveWordPress, type WordPressServer } from '../../compat/setup/serve-wordpress.ts'
import { WordPress } from '../../compat/support/wordpress.ts'
import { binlogArgs } from '../../demo/private-database/start-server.ts'
import { SiteData } from '../../src/build/baking/site-data.ts'
import { copyFolderForUrl } from '../../src/build/publishing/static-path.ts'
import type { CheckCode } from '../../src/network/doctor/check-codes.ts'
import { hashToken, tokensTable } from '../../src/record/auth/tokens.ts'
import { freePort } from '../support/free-port.ts'
import { Caller } from './support/caller.ts'
import { untilCopiesEqual } from './support/compare-copies.ts'
import { preparePhpWordPress } from './support/php-wordpress.ts'
import { Random } from './support/random.ts'
import { type Service, startService } from './support/service.ts'
import { spread, Tally } from './support/tally.ts'
import { tornState } from './support/torn-state.ts'
import {
  createTortureFixture,
  makeAccount,
  makeFeedAccount,
  SHOP,
  type TortureFixture,
} from './support/torture-fixture.ts'
import type { Sent, Writer } from './support/writer.ts'
import { Writers } from './support/writers.ts'
import type { Trial } from './trial.ts'

const LASTS_MS = { short: 40_000, full: 600_000 }
/** Writing before, between and after the restarts of the two instances, in milliseconds. */
const PHASE_MS = 5000
/** Families that both endpoints have. */
const FAMILIES = ['frames', 'menus', 'data', 'pages']
const TREATMENTS = ['old', 'compare', 'new'] as const
/** The old endpoint knows no languages, and neither makes nor deletes what wp-frames derives from markup. */
const WRITTEN_BY_PHP: readonly CheckCode[] = [
  'location_maps_differ',
  'location_dangling',
  'meta_missing',
  'leftover_option',
]
/** Pause of a writer whose instance is being started again, in milliseconds. */
const AWAY_MS = 50
/** Frames that embed the hub of the first writer. */
const PARTS = 5

/** Two instances change over at different times, so that both endpoints write; the last writer calls the old one directly. */
export const cutOver: Trial = {
  name: 'cut-over',
  tries:
    'families move back and forth between an old endpoint in PHP and the service, under load with writes on both sides: no write is lost, every page is true when a passed write is answered, and both sides read the same',
  async run({ short, folder, seed, progress }) {
    const root = await preparePhpWordPress()
    const fixture = await createTortureFixture(folder, {
      durable: false,
      args: binlogArgs(),
    })
    const random = new Random(seed)
    const faults: string[] = []
    const tally = new Tally()
    const checks = { reads: 0, pages: 0, switches: 0 }
    const times: number[] = []
    let wordpress: WordPressServer | undefined
    const instances: Instance[] = []
    try {
      wordpress = await serveWordPress(
        root,
        await makeAccount(fixture, 'wordpress'),
        join(folder, 'php.log'),
      )
      const oldUrl = `${wordpress.url}/wp-json/svc-old/v1`
      const token = await issueOldToken(fixture, wordpress.url)
      const env = { FEED_DATABASE_URL: await makeFeedAccount(fixture), LEGACY_URL: oldUrl }
      const databaseUrl = await makeAccount(fixture, 'service')
      for (let at = 0; at < 2; at += 1)
        instances.push(await Instance.start({ ...fixture, databaseUrl, env }))
      const urls = instances.map(({ url }) => url)
      const shared = { ...fixture, token }
      const writers = await Writers.prepare(shared, urls, {
        seed,
        parts: PARTS,
        writes: 'everything',
      })
      const everywhere = [...urls, oldUrl].map(
        (url) => new Caller(url, { token, blogId: SHOP, url }),
      )
      const direct = writers.all.at(-1)
      if (direct) direct.caller.url = oldUrl

      const end = performance.now() + (short ? LASTS_MS.short : LASTS_MS.full)
      while (performance.now() < end) {
        let isOver = false
        const found: string[] = []
        const writing = writers.writeUntil(async (sent, writer) => {
          found.push(...tally.count(sent.kind, sent.answer))
          if (sent.answer.status === undefined) await sleep(AWAY_MS)
          if (isAcknowledged(sent)) {
            found.push(...(await wrongReads(writer, everywhere, checks)))
            if (writer !== direct) found.push(...(await stalePage(fixture, writer, checks)))
          }
          return !isOver
        })
        const settings: string[] = []
        for (const instance of instances) {
          await sleep(PHASE_MS)
          settings.push(await instance.switchTo(chooseFamilies(random)))
          checks.switches += 1
        }
        await sleep(PHASE_MS)
        isOver = true
        await writing
        const stopped = performance.now()
        const recovery = await untilCopiesEqual(fixture, stopped)
        times.push(recovery.ms)
        found.push(...recovery.faults, ...lost(await writers.settle()))
        faults.push(...new Set(found.map((fault) => `${settings.join(' and ')}: ${fault}`)))
        progress(`${checks.switches} switches, ${faults.length} faults`)
      }
      faults.push(...(await tornState(fixture, WRITTEN_BY_PHP)))
      for (const { errorLines } of instances)
        faults.push(...errorLines.map((line) => `it logged ${line}`))
      return {
        figures: {
          ...tally.figures(),
          switches: checks.switches,
          'reads that were equal on both sides': checks.reads,
          'pages compared when the answer had arrived': checks.pages,
          'time from the last write until all pages were true': spread(times),
        },
        faults,
      }
    } finally {
      for (const instance of instances) await instance.kill()
      await wordpress?.stop()
      await fixture.close()
    }
  },
}

type InstanceOptions = {
  readonly databaseUrl: string
  readonly staticDir: string
  readonly env: Readonly<Record<string, string>>
}

/** One instance of the service, which keeps its port when it is started again with another setting. */
class Instance {
  readonly #options: InstanceOptions
  readonly #errorLines: string[] = []
  #service: Service

  /** Starts one that leaves all families to the old endpoint. */
  static async start(options: InstanceOptions): Promise<Instance> {
    const env = { ...options.env, PORT: String(await freePort()), EFFECTS_BUDGET_MS: BUDGET_MS }
    const withPort = { ...options, env }
    return new Instance(withPort, await startWith(withPort, FAMILIES.join()))
  }

  private constructor(options: InstanceOptions, service: Service) {
    this.#options = options
    this.#service = service
  }

  get url(): string {
    return this.#service.apiUrl
  }

  get errorLines(): readonly string[] {
    return [...this.#errorLines, ...this.#service.errorLines]
  }

  /** Restarts it, as an operator does: it answers what it has begun. @returns the setting */
  async switchTo(families: string): Promise<string> {
    await this.#service.stop()
    this.#errorLines.push(...this.#service.errorLines)
    this.#service = await startWith(this.#options, families)
    return families
  }

  kill(): Promise<void> {
    return this.#service.kill()
  }
}

/** So long that an answer never leaves before its pages are built. */
const BUDGET_MS = '30000'

const startWith = ({ env, ...options }: InstanceOptions, families: string): Promise<Service> =>
  startService({ ...options, env: { ...env, LEGACY_FAMILIES: families } })

/** A setting of LEGACY_FAMILIES, in which each family has a random treatment. */
function chooseFamilies(random: Random): string {
  return FAMILIES.map((family) => [family, random.pick(TREATMENTS)])
    .filter(([, treatment]) => treatment !== 'new')
    .map((pair) => pair.join('='))
    .join()
}

/** Issues a token of the old endpoint, and makes it one of the service, as `token import` does. */
async function issueOldToken({ db, site }: TortureFixture, url: string): Promise<string> {
  const login = await db.sql(site.globals.users).where({ ID: ADMIN }).first('user_login')
  const token: string = await new WordPress(url).ask('issue_old_token', {
    login: login.user_login,
    more: { requests_per_minute: 1_000_000 },
  })
  await db.sql(tokensTable(site.globals)).insert({
    user_id: ADMIN,
    hash: hashToken(token),
    label: 'of the old endpoint',
    created_at: '2026-01-01 00:00:00',
  })
  return token
}

const ADMIN = 1

const isAcknowledged = ({ answer }: Sent): boolean =>
  answer.status !== undefined && answer.status < 400

/** Reads the frame of the writer's page at all addresses. An instance that is being restarted has no answer. */
async function wrongReads(
  { frame }: Writer,
  everywhere: readonly Caller[],
  checks: { reads: number },
): Promise<string[]> {
  if (!frame) return []
  const found: string[] = []
  for (const caller of everywhere) {
    const answer = await caller.call('GET', `/frames/${frame.slug}`)
    if (answer.status === undefined || answer.status === 503) continue
    const read: unknown = Reflect.get(Object(Reflect.get(answer.body, 'frame')), 'html')
    checks.reads += 1
    if (answer.status !== 200 || read !== frame.html)
      found.push(
        `${frame.slug} is read as ${answer.status} ${String(read).slice(0, 80)} at ${caller.name}`,
      )
  }
  return found
}

/** Compares the static copy of the writer's page with its frame, which prints nothing else. */
async function stalePage(
  { db, site, staticDir }: TortureFixture,
  { page: pageId, frame }: Writer,
  checks: { pages: number },
): Promise<string[]> {
  const data = new SiteData(db, site)
  const [page] = await data.pagesById([pageId])
  const folder = page && copyFolderForUrl(staticDir, await data.urlOf(page))
  if (folder === undefined) return [`page ${pageId} has no address`]
  const copy = await readFile(join(folder, 'index.html'), 'utf8').catch(() => undefined)
  checks.pages += 1
  return copy === frame?.html
    ? []
    : [`page ${pageId} shows ${String(copy).slice(0, 80)}, not ${String(frame?.html).slice(0, 80)}`]
}

/** Acknowledged writes that are not stored. The old endpoint knows no languages, so it assigns menus in the theme only. */
const lost = (faults: readonly string[]): string[] =>
  faults.filter((fault) => !fault.startsWith('location '))
