import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { KeyedMutex } from '../../src/concurrency/keyed-mutex.ts'
import { type CopyKey, readRecord } from '../../src/publishing/copy-records.ts'
import { withLockFile } from '../../src/publishing/lock-file.ts'
import {
  type Publication,
  type PublishContext,
  publishPage,
} from '../../src/publishing/publish-page.ts'
import { readCopy } from '../../src/publishing/static-copy.ts'

const URL = 'http://net.test/shop/about-us/'
const HIDDEN = { reason: 'page_not_public', message: 'Hidden.' } as const
/** Large enough to take long to compress and write. */
const LARGE = 'old '.repeat(200_000)

let staticDir: string
/** Two processes that share only the folder. */
let processes: [PublishContext, PublishContext]
beforeEach(async () => {
  staticDir = await mkdtemp(join(tmpdir(), 'wp-frames-processes-'))
  processes = [{ mutex: new KeyedMutex() }, { mutex: new KeyedMutex() }]
})
afterEach(() => rm(staticDir, { recursive: true }))

/** A process that never releases a lock. */
function startLockOwner(lock: string) {
  const module = resolve(import.meta.dirname, '../../src/publishing/lock-file.ts')
  const program = `
    import { withLockFile } from ${JSON.stringify(module)}
    setInterval(() => {}, 1000)
    await withLockFile(${JSON.stringify(lock)}, () => {
      console.log('locked')
      return new Promise(() => {})
    })`
  const options = ['--import=tsx', '--input-type=module', `--eval=${program}`]
  return spawn(process.execPath, options, { stdio: ['ignore', 'pipe', 'inherit'] })
}

const copyOf = (page: number): CopyKey => ({ staticDir, site: 2, page })
const records = () => join(staticDir, '.pages/2')
const htmlOf = async () =>
  (await readCopy(staticDir, join(staticDir, 'net.test/shop/about-us')))?.html.toString()

/** Both processes publish the page concurrently. */
const publishBoth = (builds: readonly { publication: Publication; builtAt: number }[]) =>
  Promise.all(
    builds.map(({ publication, builtAt }, at) =>
      publishPage(copyOf(7), URL, publication, builtAt, processes[at % 2 ? 1 : 0]),
    ),
  )

describe('two processes that publish one page concurrently', () => {
  it.each([1, 2, 3, 4, 5, 6])('keep the later build, complete: round %i', async (round) => {
    const now = Date.now()
    const builds = [
      { publication: { html: LARGE, sourceFingerprint: 'old' }, builtAt: now - 2000 },
      { publication: { html: 'new', sourceFingerprint: 'new' }, builtAt: now - 1000 },
    ]
    await publishBoth(round % 2 ? builds : builds.reverse())
    expect(await htmlOf()).toBe('new')
    expect(await readRecord(copyOf(7))).toMatchObject({
      url: URL,
      built_at: now - 1000,
      made_of: 'new',
    })
    expect(readdirSync(records())).toEqual(['7.json'])
  })

  it('leave no copy if the page was hidden later', async () => {
    const now = Date.now()
    await publishBoth([
      { publication: { html: LARGE, sourceFingerprint: 'old' }, builtAt: now - 2000 },
      { publication: HIDDEN, builtAt: now - 1000 },
    ])
    expect(await htmlOf()).toBeUndefined()
    expect(await readRecord(copyOf(7))).toEqual({ url: null, built_at: now - 1000 })
  })

  it('do not wait for a killed process', async () => {
    const now = Date.now()
    await mkdir(records(), { recursive: true })
    // The first was killed while it published, the second while it removed the stale lock of the first.
    for (const [name, age] of [
      ['.lock-7', 3600],
      ['.lock-7.left', 60],
    ] as const) {
      await writeFile(join(records(), name), '')
      await utimes(join(records(), name), now / 1000 - age, now / 1000 - age)
    }
    await publishBoth([
      { publication: { html: LARGE, sourceFingerprint: 'old' }, builtAt: now - 2000 },
      { publication: { html: 'new', sourceFingerprint: 'new' }, builtAt: now - 1000 },
    ])
    expect(await htmlOf()).toBe('new')
    expect(readdirSync(records())).toEqual(['7.json'])
  })
})

describe('a lock', () => {
  it.each([
    ['free', undefined],
    ['that is too old', -3600],
    ['from the future, by a wrong clock', 3600],
  ])('that is %s is owned by one caller at a time', async (_what, age) => {
    const lock = join(records(), '.lock-7')
    await mkdir(records(), { recursive: true })
    const time = Date.now() / 1000 + (age ?? 0)
    if (age !== undefined) {
      await writeFile(lock, '')
      await utimes(lock, time, time)
    }
    let running = 0
    const most: number[] = []
    const work = async (): Promise<void> => {
      running += 1
      await new Promise((resolve) => setImmediate(resolve))
      most.push(running)
      running -= 1
    }
    await Promise.all(Array.from({ length: 20 }, () => withLockFile(lock, work)))
    expect(most).toEqual(Array(20).fill(1))
    expect(readdirSync(records())).toEqual([])
  })

  it('is stale at once if its owner on this machine was killed', {
    timeout: 20_000,
  }, async () => {
    const lock = join(records(), '.lock-7')
    const owner = startLockOwner(lock)
    await once(owner.stdout, 'data')
    let isKilled = false
    const waiting = withLockFile(lock, async () => isKilled)
    // Requested later and acquired: the wait for the first lock has started.
    await withLockFile(join(records(), '.lock-8'), async () => {})
    isKilled = true
    owner.kill('SIGKILL')
    expect(await waiting).toBe(true)
    expect(readdirSync(records())).toEqual([])
  })

  it('is stale if its owner had the PID of this process', async () => {
    const lock = join(records(), '.lock-7')
    await withLockFile(lock, async () => {
      const token = JSON.parse(readFileSync(lock, 'utf8'))
      await writeFile(`${lock}1`, JSON.stringify({ ...token, started: token.started - 1 }))
    })
    expect(await withLockFile(`${lock}1`, async () => 'done')).toBe('done')
  })

  it('is released after an error', async () => {
    const lock = join(records(), '.lock-7')
    const fail = () => Promise.reject(new Error('no'))
    await expect(withLockFile(lock, fail)).rejects.toThrow('no')
    expect(await withLockFile(lock, async () => 'done')).toBe('done')
  })
})
