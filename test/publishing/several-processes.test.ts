import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type CopyKey, readRecord } from '../../src/publishing/copy-records.ts'
import { withLockFile } from '../../src/publishing/lock-file.ts'
import type { Publication, publishPage } from '../../src/publishing/publish-page.ts'
import { readCopy } from '../../src/publishing/static-copy.ts'

const URL = 'http://net.test/shop/about-us/'
const HIDDEN = { reason: 'page_not_public', message: 'Hidden.' } as const
/** Takes long to compress and to write. */
const LARGE = 'old '.repeat(200_000)

let staticDir: string
/** Two that have nothing in common but the folder. */
let processes: (typeof publishPage)[]
beforeEach(async () => {
  staticDir = await mkdtemp(join(tmpdir(), 'wp-frames-processes-'))
  processes = [await startProcess(), await startProcess()]
})
afterEach(() => rm(staticDir, { recursive: true }))

async function startProcess(): Promise<typeof publishPage> {
  vi.resetModules()
  return (await import('../../src/publishing/publish-page.ts')).publishPage
}

/** A process that holds a lock for good. */
function startHolder(lock: string) {
  const module = resolve(import.meta.dirname, '../../src/publishing/lock-file.ts')
  const program = `
    import { withLockFile } from ${JSON.stringify(module)}
    setInterval(() => {}, 1000)
    await withLockFile(${JSON.stringify(lock)}, () => {
      console.log('held')
      return new Promise(() => {})
    })`
  const options = ['--import=tsx', '--input-type=module', `--eval=${program}`]
  return spawn(process.execPath, options, { stdio: ['ignore', 'pipe', 'inherit'] })
}

const copyOf = (page: number): CopyKey => ({ staticDir, site: 2, page })
const records = () => join(staticDir, '.pages/2')
const htmlOf = async () =>
  (await readCopy(staticDir, join(staticDir, 'net.test/shop/about-us')))?.html.toString()

/** Each process publishes the page, both at once. */
const publishBoth = (builds: readonly { publication: Publication; builtAt: number }[]) =>
  Promise.all(
    builds.map(({ publication, builtAt }, at) =>
      processes[at % 2]?.(copyOf(7), URL, publication, builtAt),
    ),
  )

describe('two processes that publish one page at once', () => {
  it.each([1, 2, 3, 4, 5, 6])('leave what was built later, whole: round %i', async (round) => {
    const now = Date.now()
    const builds = [
      { publication: { html: LARGE, madeOf: 'old' }, builtAt: now - 2000 },
      { publication: { html: 'new', madeOf: 'new' }, builtAt: now - 1000 },
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

  it('leave none where the page was hidden later', async () => {
    const now = Date.now()
    await publishBoth([
      { publication: { html: LARGE, madeOf: 'old' }, builtAt: now - 2000 },
      { publication: HIDDEN, builtAt: now - 1000 },
    ])
    expect(await htmlOf()).toBeUndefined()
    expect(await readRecord(copyOf(7))).toEqual({ url: null, built_at: now - 1000 })
  })

  it('wait for no process that was killed', async () => {
    const now = Date.now()
    await mkdir(records(), { recursive: true })
    // The first was killed while it published, the second while it did away with what the first had left.
    for (const [name, age] of [
      ['.lock-7', 3600],
      ['.lock-7.left', 60],
    ] as const) {
      await writeFile(join(records(), name), '')
      await utimes(join(records(), name), now / 1000 - age, now / 1000 - age)
    }
    await publishBoth([
      { publication: { html: LARGE, madeOf: 'old' }, builtAt: now - 2000 },
      { publication: { html: 'new', madeOf: 'new' }, builtAt: now - 1000 },
    ])
    expect(await htmlOf()).toBe('new')
    expect(readdirSync(records())).toEqual(['7.json'])
  })
})

describe('a lock', () => {
  it.each([
    ['free', undefined],
    ['left behind long ago', -3600],
    ['left behind by a clock that went wrong', 3600],
  ])('that is %s is held by one at a time', async (_what, age) => {
    const lock = join(records(), '.lock-7')
    await mkdir(records(), { recursive: true })
    const time = Date.now() / 1000 + (age ?? 0)
    if (age !== undefined) {
      await writeFile(lock, '')
      await utimes(lock, time, time)
    }
    let held = 0
    const most: number[] = []
    const work = async (): Promise<void> => {
      held += 1
      await new Promise((resolve) => setImmediate(resolve))
      most.push(held)
      held -= 1
    }
    await Promise.all(Array.from({ length: 20 }, () => withLockFile(lock, work)))
    expect(most).toEqual(Array(20).fill(1))
    expect(readdirSync(records())).toEqual([])
  })

  it('is free at once where its holder on this machine was killed', {
    timeout: 20_000,
  }, async () => {
    const lock = join(records(), '.lock-7')
    const holder = startHolder(lock)
    await once(holder.stdout, 'data')
    let isFree = false
    const waiting = withLockFile(lock, async () => {
      isFree = true
    })
    // Asked for later and granted: the wait for the first lock has begun.
    await withLockFile(join(records(), '.lock-8'), async () => {})
    expect(isFree).toBe(false)
    holder.kill('SIGKILL')
    await waiting
    expect(readdirSync(records())).toEqual([])
  })

  it('is free where the holder had the id that this process has now', async () => {
    const lock = join(records(), '.lock-7')
    await withLockFile(lock, async () => {
      const holder = JSON.parse(readFileSync(lock, 'utf8'))
      await writeFile(`${lock}1`, JSON.stringify({ ...holder, started: holder.started - 1 }))
    })
    expect(await withLockFile(`${lock}1`, async () => 'done')).toBe('done')
  })

  it('is free after work that failed', async () => {
    const lock = join(records(), '.lock-7')
    const fail = () => Promise.reject(new Error('no'))
    await expect(withLockFile(lock, fail)).rejects.toThrow('no')
    expect(await withLockFile(lock, async () => 'done')).toBe('done')
  })
})
