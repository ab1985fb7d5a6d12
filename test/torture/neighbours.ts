import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { TokenScope } from '../../src/record/auth/token-scopes.ts'
import { issueToken } from '../../src/record/auth/tokens.ts'
import { globalTables } from '../../src/wordpress/network/site.ts'
import { LoopWatch } from './hostile/loop-watch.ts'
import type { Attack } from './neighbours/attack.ts'
import { ATTACKS } from './neighbours/attacks.ts'
import { Tenant } from './neighbours/tenant.ts'
import { type Service, startService } from './support/service.ts'
import { quantile, spread } from './support/tally.ts'
import { createTortureFixture, SHOP, type TortureFixture } from './support/torture-fixture.ts'
import { requestPage } from './support/visitor.ts'
import type { Trial } from './trial.ts'

/** Duration of each attack, in seconds. */
const SECONDS = { short: 3, full: 30 }
/** Target of the neighbour's 99th percentile, and the value that is a fault even on a busy machine, in milliseconds. */
const P99 = { goal: 500, gross: 3000 }
/** Memory limit of the process, in megabytes, as in a container of 1 GB. */
const MAX_MEGABYTES = 900
const NODE_OPTIONS = '--max-old-space-size=512'
/** Number of pages of the attacker's site, for repeats over pages. */
const PAGES = 30
/** Pause between two requests of a neighbour, in milliseconds. */
const PAUSE_MS = 50

/** The log line of a request that was refused because the service was busy. */
const REFUSED = /"res":\{"status":503\}/

const ATTACKER = { userId: 3, blogId: 3 }
const NEIGHBOUR = { userId: 2, blogId: SHOP }
/** A token may send 120 requests a minute; the neighbour sends more and needs several. */
const NEIGHBOUR_TOKENS = 12
const PAGE_ID = 7
const PAGE_URL = 'http://net.test/shop/about-us/'

/** One tenant attacks with one token and the default limits; another tenant and visitors are measured. */
export const neighbours: Trial = {
  name: 'neighbours',
  runsAlone: true,
  tries:
    'one hostile tenant with one token and the default limits: the reads, writes and visitors of another site stay fast, and memory is bounded',
  async run({ folder, short, progress }) {
    const fixture = await createTortureFixture(folder, { durable: false })
    const watch = new LoopWatch(join(folder, 'stalls'))
    const service = await startService({
      databaseUrl: `${fixture.server.adminUrl}wordpress`,
      // Without static copies, because pages that are rendered on request show the effect of the attacks.
      staticDir: '',
      env: {
        NODE_OPTIONS: `${NODE_OPTIONS} ${watch.nodeOption}`,
        RATE_LIMIT_PER_MINUTE: '120',
      },
    })
    const faults: string[] = []
    const figures: Record<string, string> = {}
    try {
      await addPages(fixture)
      const neighbour = await Neighbour.prepare(fixture, service)
      const seconds = short ? SECONDS.short : SECONDS.full
      for (const [at, attack] of ATTACKS.entries()) {
        const { result, ms } = await watch.stallDuring(() =>
          attempt(fixture, service, neighbour, attack, { name: `attack-${at}`, seconds }),
        )
        const { measured, statuses } = result
        faults.push(...result.faults.map((fault) => `${attack.name}: ${fault}`))
        const figure = `${describe(measured)}; attacker ${statuses}; longest stall ${ms} ms, ${result.megabytes} MB`
        figures[attack.name] = figure
        progress(`${attack.name}: ${figure}`)
      }
      const errorLines = service.errorLines.filter((line) => !REFUSED.test(line))
      faults.push(...errorLines.map((line) => `it logged ${line.slice(0, 500)}`))
      return { figures, faults }
    } finally {
      await service.kill()
      await fixture.close()
    }
  },
}

type Measured = Readonly<Record<'reads' | 'writes' | 'pages', readonly number[]>>

const describe = (measured: Measured): string =>
  Object.entries(measured)
    .map(([kind, durations]) => `${kind} ${spread(durations)}`)
    .join('; ')

async function attempt(
  fixture: TortureFixture,
  service: Service,
  neighbour: Neighbour,
  attack: Attack,
  { name, seconds }: { name: string; seconds: number },
) {
  const tenant = async (scope?: TokenScope) =>
    new Tenant(name, await credentials(fixture, service, { ...ATTACKER, scope }))
  await attack.prepare?.(await tenant())
  const attacker = await tenant(attack.scope)
  const end = performance.now() + seconds * 1000
  const over = () => performance.now() > end
  const attacking = attack.run(attacker, over)
  let megabytes = 0
  const measuring = neighbour.measure(over, () => {
    megabytes = Math.max(megabytes, residentMegabytes(service))
  })
  const { measured, faults } = await measuring
  await attacking
  for (const [kind, durations] of Object.entries(measured)) {
    const p99 = quantile(durations, 0.99)
    if (p99 > P99.gross) faults.push(`the p99 of the neighbour's ${kind} was ${Math.round(p99)} ms`)
  }
  if (megabytes > MAX_MEGABYTES) faults.push(`the process used ${megabytes} MB`)
  const statuses = [...attacker.statuses]
    .map(([status, count]) => `${count} x ${status}`)
    .join(', ')
  return { measured, statuses, faults, megabytes }
}

/** A tenant with normal requests, and the visitors of its site. */
class Neighbour {
  readonly #tenants: readonly Tenant[]
  readonly #frontUrl: string
  #next = 0

  static async prepare(fixture: TortureFixture, service: Service): Promise<Neighbour> {
    const tenants: Tenant[] = []
    for (let at = 0; at < NEIGHBOUR_TOKENS; at += 1)
      tenants.push(new Tenant('neighbour', await credentials(fixture, service, NEIGHBOUR)))
    const [tenant] = tenants
    const html =
      '<h1 data-op-bind="page.title"></h1><!-- svc/menu {"location":"header","current":true} /-->'
    await tenant?.send('POST', '/frames', { slug: 'neighbour', html })
    await tenant?.send('POST', '/frames/neighbour/assign', { page: PAGE_ID })
    const tree = [{ page: PAGE_ID }, { url: '/x/', title: 'x' }]
    await tenant?.send('POST', '/menus', { name: 'neighbour', location: 'header', items: tree })
    return new Neighbour(tenants, service.frontUrl)
  }

  private constructor(tenants: readonly Tenant[], frontUrl: string) {
    this.#tenants = tenants
    this.#frontUrl = frontUrl
  }

  /** Sends requests and loads the page until the attack is over; returns the duration of each, in milliseconds. */
  async measure(over: () => boolean, meanwhile: () => void) {
    const measured = { reads: [] as number[], writes: [] as number[], pages: [] as number[] }
    const faults: string[] = []
    const repeat = async (kind: keyof Measured, work: () => Promise<number | undefined>) => {
      while (!over()) {
        meanwhile()
        const begun = performance.now()
        const status = await work()
        measured[kind].push(performance.now() - begun)
        if (status !== 200) faults.push(`one of the neighbour's ${kind} was answered ${status}`)
        await sleep(kind === 'writes' ? PAUSE_MS * 5 : PAUSE_MS)
      }
    }
    const paths = ['/menus', '/frames/neighbour', '/data/menu.header', '/frames']
    let count = 0
    await Promise.all([
      repeat('reads', async () => {
        count += 1
        return (await this.#send('GET', paths[count % paths.length] ?? '')).status
      }),
      repeat('writes', async () => {
        const html = `<h1 data-op-bind="page.title"></h1><!-- ${count} -->`
        return (await this.#send('PUT', '/frames/neighbour', { html })).status
      }),
      repeat('pages', async () => (await requestPage(this.#frontUrl, PAGE_URL)).status),
    ])
    return { measured, faults: [...new Set(faults)] }
  }

  #send(method: string, path: string, body?: object) {
    this.#next += 1
    const tenant = this.#tenants[this.#next % this.#tenants.length]
    if (tenant === undefined) throw new Error('the neighbour has no token')
    return tenant.send(method, path, body)
  }
}

async function credentials(
  { db }: TortureFixture,
  { apiUrl }: Service,
  {
    userId,
    blogId,
    scope = 'all',
  }: { userId: number; blogId: number; scope?: TokenScope | undefined },
) {
  const limits = { scope, sites: null }
  const { token } = await db.write({}, (tx) =>
    issueToken(tx, globalTables('wp_'), { userId, limits, now: new Date() }),
  )
  return { url: apiUrl, token, blogId }
}

/** Copies of a page of the attacker's site, each with its own slug. */
async function addPages({ db }: TortureFixture): Promise<void> {
  const posts = `wp_${ATTACKER.blogId}_posts`
  const page = await db.sql(posts).where({ post_name: 'guide' }).first()
  const { ID: _id, ...row } = page
  const pages = Array.from({ length: PAGES }, (_, at) => ({ ...row, post_name: `guide-${at}` }))
  await db.sql(posts).insert(pages)
}

function residentMegabytes({ pid }: Service): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Math.round(Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1]) / 1024)
}
