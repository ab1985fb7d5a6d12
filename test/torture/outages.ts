import { execFileSync } from 'node:child_process'
import { mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fill, mountDisk } from './disruptions/full-disk.ts'
import { untilCopiesEqual } from './support/compare-copies.ts'
import { Deployment } from './support/deployment.ts'
import { observe } from './support/facts.ts'
import { PublishedSite } from './support/published-site.ts'
import { Tally } from './support/tally.ts'
import { createTortureFixture } from './support/torture-fixture.ts'
import type { Trial } from './trial.ts'

const LASTS_MS = { short: 3_000, full: 60_000 }
const PAGES = 54
/** Pause between two attempts to change the mount, which is refused while a file is being written. */
const RETRY_MS = 5

/** One way in which the folder of static copies cannot be written. */
type Outage = {
  readonly name: string
  /** Starts it. @param disk the folder that is mounted as the folder of static copies */
  begin(disk: string, staticDir: string): Promise<void> | void
  /** Ends it; returns a sentence for each fault. */
  end(disk: string, staticDir: string): string[]
}

const filler = (disk: string): string => join(disk, 'filler')

const OUTAGES: readonly Outage[] = [
  {
    name: 'STATIC_DIR is full',
    begin: (disk) => fill(filler(disk)),
    end: (disk) => {
      rmSync(filler(disk))
      return []
    },
  },
  {
    name: 'STATIC_DIR is read-only',
    begin: (_, staticDir) => remountReadOnly(staticDir),
    end: (_, staticDir) => {
      mount('-o', 'remount,bind,rw', staticDir)
      return []
    },
  },
  {
    name: 'STATIC_DIR is not mounted',
    begin: (_, staticDir) => void execFileSync('umount', ['--lazy', staticDir]),
    end: (disk, staticDir) => {
      const written = readdirSync(staticDir)
      mount('--bind', copiesOn(disk), staticDir)
      return written.map((name) => `${name} was written into the mount point`)
    },
  },
]

/** The folder of static copies is a part of a small disk, so that the disk can be filled from outside of it. */
export const outages: Trial = {
  name: 'outages',
  tries:
    'the folder of static copies is full, read-only or not mounted under writes: every static copy is true within 5 s after its end, without a request',
  async run({ folder, short, seed, progress }) {
    const disk = join(folder, 'disk')
    const staticDir = join(folder, 'static')
    for (const path of [disk, staticDir]) mkdirSync(path)
    const { unmount } = mountDisk(disk)
    mkdirSync(copiesOn(disk))
    mount('--bind', copiesOn(disk), staticDir)
    const fixture = await createTortureFixture(folder, { durable: false })
    const tally = new Tally()
    const faults: string[] = []
    const figures: Record<string, string> = {}
    const deployment = await Deployment.start(fixture, 'one process')
    try {
      const { apiUrl } = deployment
      const { writers } = await PublishedSite.prepare(fixture, apiUrl, { seed, pages: PAGES })
      for (const { name, begin, end } of OUTAGES) {
        progress(name)
        let isOver = false
        const writing = writers.writeUntil(async ({ kind, answer }, writer) => {
          faults.push(...tally.count(kind, answer).map((fault) => `${name}: ${fault}`))
          if (answer.status === undefined)
            faults.push(`${name}: ${kind} had no answer: ${answer.reason}`)
          // A refused write may be stored or not.
          if ((answer.status ?? 503) >= 500) writer.settle(await observe(fixture.db, fixture.site))
          return !isOver
        })
        await sleep(LASTS_MS.short)
        await begin(disk, staticDir)
        await sleep(short ? LASTS_MS.short : LASTS_MS.full)
        isOver = true
        await writing
        const found = end(disk, staticDir)
        const recovery = await untilCopiesEqual(fixture, performance.now())
        found.push(...recovery.faults, ...(await writers.settle()))
        faults.push(...found.map((fault) => `${name}: ${fault}`))
        figures[`${name}, time until all pages were true`] = `${recovery.ms} ms`
      }
      return { figures: { ...figures, ...tally.figures() }, faults }
    } finally {
      await deployment.close()
      await fixture.close()
      execFileSync('umount', ['--lazy', staticDir])
      unmount()
    }
  },
}

const copiesOn = (disk: string): string => join(disk, 'static')

function mount(...args: string[]): void {
  execFileSync('mount', args, { stdio: 'pipe' })
}

/** Repeats the attempt while files of the mount are open for writing. */
async function remountReadOnly(staticDir: string): Promise<void> {
  for (;;) {
    try {
      return mount('-o', 'remount,bind,ro', staticDir)
    } catch (error) {
      if (!/busy/.test(String(error))) throw error
      await sleep(RETRY_MS)
    }
  }
}
