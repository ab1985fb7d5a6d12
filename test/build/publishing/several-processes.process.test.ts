import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { fenceLeftWriters } from '../../../src/build/executor/publish-target.ts'
import type { WantedCopy } from '../../../src/build/publishing/publish-copies.ts'
import type { ChildPublication } from './publish-in-child.ts'
import { hidden, newWriterId, shown, usePublishingFixture } from './publishing-fixture.ts'
import { copyFiles } from './test-target.ts'

const PAGES = 45

/** Another process that publishes. */
class Publisher {
  readonly process: ChildProcess
  readonly #lines: AsyncIterator<string>

  constructor() {
    const module = resolve(import.meta.dirname, 'publish-in-child.ts')
    const { network, setting } = shop
    const options = ['--import=tsx', module, network.url, network.globals.basePrefix, setting]
    this.process = spawn(process.execPath, options, { stdio: ['pipe', 'pipe', 'inherit'] })
    const { stdout } = this.process
    if (!stdout) throw new Error('no output')
    this.#lines = createInterface({ input: stdout })[Symbol.asyncIterator]()
  }

  /** The next line of its output; undefined at the end. */
  async line(): Promise<string | undefined> {
    const { value, done } = await this.#lines.next()
    return done ? undefined : value
  }

  /** Sends a publication. Resolves when the work on it has begun. */
  async begin(publication: ChildPublication): Promise<void> {
    this.process.stdin?.write(`${JSON.stringify(publication)}\n`)
    expect(await this.line()).toBe('begun')
  }

  async stop(): Promise<void> {
    if (this.process.exitCode !== null || this.process.signalCode !== null) return
    const exit = once(this.process, 'exit')
    this.process.kill('SIGCONT')
    this.process.kill('SIGKILL')
    await exit
  }
}

let other: Publisher
const shop = await usePublishingFixture()
beforeEach(async () => {
  other = new Publisher()
  expect(await other.line()).toBe('ready')
})
afterEach(async () => {
  await other.stop()
  await shop.clear()
})

const pages = Array.from({ length: PAGES }, (_, index) => index + 1)
/** Every page has a copy. */
const FIRST = pages.map((page) => shown(page, `first/${page}/`, `first ${page}`))
/** A third of the pages is written, a third moves, a third is hidden; as many are new. */
const SECOND: WantedCopy[] = [
  ...pages.map((page) =>
    page % 3 === 0
      ? hidden(page, `first/${page}/`)
      : shown(page, `${page % 3 === 1 ? 'first' : 'second'}/${page}/`, `second ${page}`),
  ),
  ...pages.map((page) => shown(page + PAGES, `new/${page}/`, `new ${page}`)),
]
const THIRD: WantedCopy[] = [
  ...pages.map((page) => shown(page, `third/${page % 7}/${page}/`, `third ${page}`)),
  ...pages.map((page) => hidden(page + PAGES, `new/${page}/`)),
]

const folderOf = ({ url = '' }: WantedCopy) => url.replace('http://', '').replace(/\/$/, '')

async function expectExactly(wanted: readonly WantedCopy[]): Promise<void> {
  const visible = wanted.filter(({ publication }) => 'html' in publication)
  expect(await shop.files()).toEqual(visible.flatMap((one) => copyFiles(folderOf(one))).sort())
  const records = await shop.records()
  expect([...records.keys()]).toEqual(visible.map(({ page }) => page).sort((a, b) => a - b))
  for (const { page, url, publication } of visible) {
    const html = 'html' in publication ? publication.html : ''
    expect(records.get(page)).toMatchObject({ url, htmlBytes: html.length })
    const copy = await shop.read(shop.locate(folderOf({ url } as WantedCopy)))
    expect(copy).toMatchObject({ html, isWhole: true })
  }
}

/** No copy without a record that has its URL; no record with a digest that describes other files. */
async function expectFindable(): Promise<void> {
  const records = await shop.records()
  for (const { page, url } of await shop.owners()) expect(records.get(page)?.url).toBe(url)
}

/** Time that the other process takes for `SECOND`, in milliseconds. The first time is longer, because code is loaded and threads are started. */
async function measure(): Promise<number> {
  await timeSecond()
  return timeSecond()
}

async function timeSecond(): Promise<number> {
  await shop.publish(1, FIRST)
  const startedAt = performance.now()
  await other.begin({ owner: newWriterId(), version: 2, wanted: SECOND })
  expect(await other.line()).toBe('done')
  const ms = performance.now() - startedAt
  await expectExactly(SECOND)
  await shop.clear()
  return ms
}

describe('a process that is stopped for longer than its lease', { timeout: 180_000 }, () => {
  it('changes nothing once it was fenced, at whichever point it was stopped', async () => {
    const ms = await measure()
    const outcomes: (string | undefined)[] = []
    for (let round = 0; round < 6; round += 1) {
      await shop.clear()
      await shop.publish(1, FIRST)
      const owner = newWriterId()
      await other.begin({ owner, version: 2, wanted: SECOND })
      await sleep((ms * round) / 5)
      other.process.kill('SIGSTOP')
      await shop.copies.fence(owner)
      await expectFindable()
      // The successor builds the same version, or a later one.
      await shop.publish(2 + (round % 2), THIRD)
      await expectExactly(THIRD)
      other.process.kill('SIGCONT')
      outcomes.push(await other.line())
      await expectExactly(THIRD)
    }
    // The folder or the database says so.
    const lost = ['LostLeaseError']
    expect(outcomes.some((outcome) => lost.includes(outcome ?? ''))).toBe(true)
    // The server ends a transaction that is idle for as long as a lease.
    const possible = [...lost, 'lost the connection', 'done']
    for (const outcome of outcomes) expect(possible).toContain(outcome)
  })
})

describe('a process that is killed', { timeout: 180_000 }, () => {
  it('leaves nothing that its successor does not find, at whichever point it was killed', async () => {
    const ms = await measure()
    for (let round = 0; round < 3; round += 1) {
      await shop.clear()
      await shop.publish(1, FIRST)
      const owner = newWriterId()
      await other.begin({ owner, version: 2, wanted: SECOND })
      await sleep((ms * (round + 0.5)) / 3)
      await other.stop()
      await expectFindable()
      await shop.copies.fence(owner)
      await shop.publish(2, round % 2 ? SECOND : THIRD)
      await expectExactly(round % 2 ? SECOND : THIRD)
      expect(await fenceLeftWriters(shop.copies, async () => new Set())).toEqual([])
      other = new Publisher()
      expect(await other.line()).toBe('ready')
    }
  })
})
