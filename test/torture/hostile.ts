import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { Agent } from 'node:http'
import { join } from 'node:path'
import fc from 'fast-check'
import type { CheckCode } from '../../src/network/doctor/check-codes.ts'
import { issueToken } from '../../src/record/auth/tokens.ts'
import { globalTables } from '../../src/wordpress/network/site.ts'
import { apiRequests, type Supply } from './hostile/api-requests.ts'
import { billion, bombs } from './hostile/bombs.ts'
import { standDamagedRows } from './hostile/damaged-rows.ts'
import { exchange, type Received, type Sent, spelled } from './hostile/exchange.ts'
import { frontRequests } from './hostile/front-requests.ts'
import { faultsOfApi, faultsOfFront } from './hostile/judge.ts'
import { importing, LoopWatch } from './hostile/loop-watch.ts'
import { RAW, Slow, sendRaw } from './hostile/raw.ts'
import { breakRules } from './hostile/readers.ts'
import { Caller } from './support/caller.ts'
import { type Service, startService } from './support/service.ts'
import { tornState } from './support/torn-state.ts'
import { createTortureFixture, SHOP, type TortureFixture } from './support/torture-fixture.ts'
import { requestPage } from './support/visitor.ts'
import type { Conditions, Trial } from './trial.ts'

/** Requests of a round. The targets of the requests are created again before each round. */
const ROUND = 100
const ROUNDS = { short: 2, full: 60 }
/** Runs of each property of the readers. */
const RUNS = { short: 1000, full: 50_000 }
/** Allowed stall of the event loop, and the stall that is a fault even on a busy machine, in milliseconds. */
const STALL = { goal: 100, gross: 1000 }
/** Sizes of the bombs, relative to the limits. */
const SCALE = { short: 1 / 8, full: 1 }
/** Duration of the slow connections, in seconds. In the full form all of them must have been closed by then. */
const SLOW = { connections: 200, seconds: { short: 3, full: 66 } }
const DAMAGED = { short: 10, full: 150 }
const ALICE = 2

/** Logs when a property has been added to a prototype that all objects inherit. */
const PROTOTYPE_WATCH = `const count = () => [Object, Array, String, Function].flatMap(({ prototype }) => Reflect.ownKeys(prototype)).length
const known = count()
setInterval(() => { if (count() !== known) process.stderr.write('a prototype was polluted\\n') }, 50).unref()`

/** Findings that the markup of the trial may cause: a frame that embeds itself or a missing frame. */
const WRITTEN: readonly CheckCode[] = ['frame_cycle', 'reference_missing']

/** All requests come from the administrator of the shop, who must not be able to harm other sites. */
export const hostile: Trial = {
  name: 'hostile',
  tries:
    'hostile bodies, parameters, markup, paths and hosts, bombs of JSON, markup and gzip, floods of headers, slow bodies, damaged rows',
  async run(conditions) {
    const { folder, short, progress } = conditions
    const fixture = await createTortureFixture(folder, { durable: false })
    const watch = new LoopWatch(join(folder, 'stalls'))
    const service = await startService({
      databaseUrl: `${fixture.server.adminUrl}wordpress`,
      staticDir: fixture.staticDir,
      env: { NODE_OPTIONS: `${importing(PROTOTYPE_WATCH)} ${watch.nodeOption}` },
    })
    try {
      const before = await digestOfOthers(fixture)
      const attack = await Attack.prepare(fixture, service, conditions)
      const faults = await breakRules(conditions.seed, short ? RUNS.short : RUNS.full)
      for (let round = 0; round < (short ? ROUNDS.short : ROUNDS.full); round += 1) {
        faults.push(...(await attack.fuzzApi(round)), ...(await attack.fuzzFront(round)))
        if (round % 10 === 9)
          progress(`${(round + 1) * ROUND * 2} requests, ${faults.length} faults`)
      }
      const stalls = await attack.throwBombs(watch, {
        scale: short ? SCALE.short : SCALE.full,
        faults,
      })
      faults.push(...(await attack.sendRaw()))
      const slow = await attack.goSlow(short ? SLOW.seconds.short : SLOW.seconds.full)
      faults.push(
        ...slow.faults,
        ...service.errorLines.map((line) => `it logged ${line.slice(0, 2000)}`),
      )
      if ((await digestOfOthers(fixture)) !== before)
        faults.push("other sites' tables were changed")
      faults.push(...(await tornState(fixture, WRITTEN)))
      const damaged = await attack.damageRows(fixture, short ? DAMAGED.short : DAMAGED.full)
      faults.push(...damaged.faults, ...(await unexpectedFiles(fixture)))
      const figures = { ...attack.figures(), ...stalls, ...slow.figures, ...damaged.figures }
      return { figures, faults }
    } finally {
      await service.kill()
      await fixture.close()
    }
  },
}

/** Sends hostile requests and reports the faults that they cause. */
class Attack {
  readonly #service: Service
  readonly #seed: number
  readonly #token: string
  readonly #caller: Caller
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 4 })
  readonly #statuses = new Map<number, number>()

  static async prepare(
    fixture: TortureFixture,
    service: Service,
    { seed }: Conditions,
  ): Promise<Attack> {
    const { token } = await fixture.db.write({}, (tx) =>
      issueToken(tx, globalTables('wp_'), { userId: ALICE, now: new Date() }),
    )
    return new Attack(service, seed, token)
  }

  private constructor(service: Service, seed: number, token: string) {
    this.#service = service
    this.#seed = seed
    this.#token = token
    this.#caller = new Caller('supplying', { token, blogId: SHOP, url: service.apiUrl })
  }

  /** Creates the things that the requests refer to, if they do not exist any more. */
  async #supply(): Promise<Supply> {
    for (const slug of ['fuzz-a', 'fuzz-b'])
      await this.#caller.call('POST', '/frames', { slug, html: '<p>x</p>', bake: false })
    await this.#caller.call('POST', '/frames/fuzz-a/assign', { page: 7 })
    await this.#caller.call('POST', '/menus', { name: 'fuzz menu', location: 'header' })
    const items = []
    for (const title of ['one', 'two']) {
      const answer = await this.#caller.call('POST', '/menus/fuzz-menu/items', { url: '/', title })
      if (answer.status === 200) items.push(answer.body.item?.id ?? 0)
    }
    return { frames: ['fuzz-a', 'fuzz-b'], menus: ['fuzz-menu', 'fuzz menu'], items: [1, ...items] }
  }

  async fuzzApi(round: number): Promise<string[]> {
    const requests = apiRequests(await this.#supply(), this.#token)
    return this.#fuzz('API', requests, this.#service.apiUrl, faultsOfApi, round)
  }

  fuzzFront(round: number): Promise<string[]> {
    return this.#fuzz(
      'front',
      frontRequests,
      this.#service.frontUrl,
      (_, got) => faultsOfFront(got),
      round,
    )
  }

  /** A sentence with the seed and the smallest request with a wrong answer, if there is one. */
  async #fuzz(
    part: string,
    requests: fc.Arbitrary<Sent>,
    url: string,
    judge: (sent: Sent, received: Received) => string[],
    round: number,
  ): Promise<string[]> {
    const seed = this.#seed + round
    const property = fc.asyncProperty(requests, async (sent) => {
      const received = await exchange(url, sent, this.#agent)
      const { status = 0 } = received
      this.#statuses.set(status, (this.#statuses.get(status) ?? 0) + 1)
      const faults = judge(sent, received)
      if (faults.length > 0) throw new Error(faults.join(' '))
    })
    const checked = await fc.check(property, { seed, numRuns: ROUND })
    if (!checked.failed) return []
    const [smallest] = checked.counterexample ?? []
    const { errorInstance: error, counterexamplePath } = checked
    const why = error instanceof Error ? error.message : String(error)
    const what = smallest ? spelled(smallest) : 'nothing'
    return [`${part}, seed ${seed}, path ${counterexamplePath}: ${what} -> ${why.slice(0, 1500)}`]
  }

  /** Sends the bombs one after the other and measures for how long the worst of them blocked the event loop. */
  async throwBombs(
    watch: LoopWatch,
    { scale, faults }: { scale: number; faults: string[] },
  ): Promise<Record<string, string>> {
    const stalls: { name: string; ms: number }[] = []
    const send = (sent: Omit<Sent, 'headers'>, coding = 'identity') =>
      exchange(this.#service.apiUrl, {
        ...sent,
        headers: {
          Authorization: `Bearer ${this.#token}`,
          'Content-Type': 'application/json',
          'Content-Encoding': coding,
        },
      })
    const judge = async (name: string, sent: Omit<Sent, 'headers'>, coding?: string) => {
      const { result, ms } = await watch.stallDuring(() => send(sent, coding))
      stalls.push({ name: `${name} (${result.status})`, ms })
      faults.push(
        ...faultsOfApi({ ...sent, headers: {} }, result).map((fault) => `${name}: ${fault}`),
      )
      if (ms > STALL.gross) faults.push(`${name}: the event loop was blocked for ${ms} ms`)
    }
    await this.#supply()
    await this.#caller.call('POST', '/frames', { slug: 'fuzz-bomb', html: 'x' })
    for (const { name, sent, coding } of bombs(scale)) await judge(name, sent, coding)
    for (const [at, sent] of billion().entries()) await judge(`a billion pieces, ${at + 1}`, sent)
    const worst = stalls.toSorted((one, other) => other.ms - one.ms)
    const over = worst.filter(({ ms }) => ms > STALL.goal)
    return {
      bombs: String(stalls.length),
      [`longest stalls of the event loop (over ${STALL.goal} ms: ${over.length})`]: worst
        .slice(0, Math.max(3, over.length))
        .map(({ name, ms }) => `${ms} ms ${name}`)
        .join('; '),
    }
  }

  /** Sends invalid requests: they are refused, and the next request is answered. */
  async sendRaw(): Promise<string[]> {
    const faults: string[] = []
    for (const url of [this.#service.apiUrl, this.#service.frontUrl]) {
      for (const [name, bytes] of Object.entries(RAW)) {
        const answer = await sendRaw(url, bytes)
        if (/^HTTP\/1\.1 5/m.test(answer)) faults.push(`${name}: ${answer.slice(0, 200)}`)
      }
    }
    return [...faults, ...(await this.#stillServes('after invalid requests'))]
  }

  /** Opens hundreds of slow connections and sends other requests meanwhile, which must be answered. */
  async goSlow(seconds: number) {
    const slow = [this.#service.apiUrl, this.#service.frontUrl].map(
      (url) => new Slow(url, SLOW.connections),
    )
    await Promise.all(slow.map((one) => one.drip(seconds)))
    const faults = await this.#stillServes('during slow connections')
    const cut = slow.reduce((sum, one) => sum + one.cut, 0)
    if (seconds >= SLOW.seconds.full && cut < SLOW.connections * 2)
      faults.push(
        `after ${seconds} s ${SLOW.connections * 2 - cut} slow connections are still open`,
      )
    for (const one of slow) one.end()
    return {
      faults,
      figures: { [`slow connections, cut after ${seconds} s`]: `${SLOW.connections * 2}, ${cut}` },
    }
  }

  async damageRows(fixture: TortureFixture, times: number) {
    await this.#supply()
    const found = await standDamagedRows(fixture, this.#service, {
      token: this.#token,
      seed: this.#seed,
      times,
    })
    // As the operator's doctor does: some static copies were built from damaged rows.
    await this.#caller.call('POST', '/frames/rebake', { all: true })
    found.faults.push(...(await this.#stillServes('after its rows were damaged')))
    return found
  }

  async #stillServes(when: string): Promise<string[]> {
    const { status } = await this.#caller.call('GET', '/menus')
    const page = await requestPage(this.#service.frontUrl, 'http://net.test/shop/about-us/')
    return [
      ...(status === 200 ? [] : [`${when} the API answered ${status}`]),
      ...(page.status === 200 || page.status === 404 ? [] : [`${when} the front: ${page.status}`]),
    ]
  }

  figures(): Record<string, string> {
    const sorted = [...this.#statuses].toSorted(([one], [other]) => one - other)
    return {
      'answers by status': sorted.map(([status, count]) => `${status}: ${count}`).join(', '),
    }
  }
}

/** Checksum of every table except those of the shop and of the service. */
async function digestOfOthers({ db, site }: TortureFixture): Promise<string> {
  const [rows] = await db.sql.raw('SHOW TABLES')
  const tables = rows.map((row: object) => String(Object.values(row)[0]))
  const others = tables.filter(
    (name: string) => !name.startsWith(site.prefix) && !name.startsWith('wp_svc_'),
  )
  const [digests] = await db.sql.raw(`CHECKSUM TABLE ${others.map(() => '??').join(', ')}`, others)
  return JSON.stringify([tables, digests])
}

/** Files outside the folders of the network's hosts. */
async function unexpectedFiles({ staticDir }: TortureFixture): Promise<string[]> {
  const above = await readdir(join(staticDir, '..'))
  const hosts = existsSync(staticDir) ? await readdir(staticDir) : []
  return [
    ...above
      .filter((name) => !/^(?:db(?:\.\w+)?|static|stalls)$/.test(name))
      .map((name) => `unexpected file in the static folder: ${name}`),
    ...hosts
      .filter((name) => !/^(?:net|brand)\.test$|^\./.test(name))
      .map((name) => `a host's folder ${name}`),
  ]
}
