import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { forEachBounded } from '../../src/concurrency/for-each.ts'
import type { CopyTarget } from '../../src/publishing/copy-target.ts'
import { createNumbersFolder } from '../../src/publishing/folder-numbers.ts'
import {
  type CopyTargetOptions,
  type CopyTargetSettings,
  openCopyTarget,
} from '../../src/publishing/open-copy-target.ts'
import { type CopyOwner, readCopy } from '../../src/publishing/static-copy.ts'
import { objectOf } from '../../src/publishing/store/copy-object.ts'
import { StoreClient } from '../../src/publishing/store/store-client.ts'
import { StoreCredentials } from '../../src/publishing/store/store-credentials.ts'
import { StoreObjects } from '../../src/publishing/store/store-objects.ts'
import { startObjectStore } from '../support/object-store.ts'
import { STORE_CREDENTIALS } from '../support/store-keys.ts'
import { FAST } from '../support/timings.ts'

/** What the suite of the static copies looks at and changes in a target, behind the back of the service. */
export type TestTarget = {
  /** The folder; with a store, a folder that does not exist. */
  readonly staticDir: string
  /** For `publish-in-child.ts`: the folder, or the setting of the store. */
  readonly setting: string
  readonly settings: CopyTargetSettings
  open(options: Omit<CopyTargetOptions, 'staticDir' | 'staticStore'>): CopyTarget
  /** What a process does that finds the target empty. */
  prepare(): Promise<void>
  /** The location of the copy at a host and path. */
  locate(path: string): string
  /** The names of all files or objects of copies, relative to the target, sorted. */
  files(): Promise<string[]>
  /** The owners of all copies, also of parts that a crash has left. */
  owners(): Promise<CopyOwner[]>
  /** The copy at a location. */
  read(location: string): Promise<ReadCopy | undefined>
  /** Stores HTML as another program would. */
  storeByHand(location: string, html: string): Promise<void>
  /** Copies a copy with its owner. */
  duplicate(location: string, to: string): Promise<void>
  /** Removes a copy. */
  lose(location: string): Promise<void>
  clear(): Promise<void>
  stop(): Promise<void>
}

type ReadCopy = {
  readonly html: string
  readonly owner: CopyOwner | undefined
  /** Whether the compressed forms belong to the HTML. */
  readonly isWhole: boolean
  /** As records store it. */
  readonly fileTime: number
  /** Another one for each write. */
  readonly tag: string
}

/** Whether the copies are in a store. */
export const IS_STORE = process.env.TEST_STATIC_TARGET === 's3'

/** The names of the files or objects of a copy, given its host and path. */
export const copyFiles = (path: string): string[] =>
  IS_STORE ? [join(path, 'index.html')] : filesOfCopy(path)

/** The files of a copy in a folder. */
export const filesOfCopy = (path: string): string[] => FOLDER_FILES.map((name) => join(path, name))

const FOLDER_FILES = ['.page.json', 'index.html', 'index.html.br', 'index.html.gz']

/** The folder or store of the run, or a folder in any case. */
export const startTestTarget = (isFolder: boolean): Promise<TestTarget> =>
  startTargetOf(IS_STORE && !isFolder ? 'store' : 'folder')

/** For tests that run on both. */
export const startTargetOf = (kind: 'folder' | 'store'): Promise<TestTarget> =>
  kind === 'store' ? startStore() : startFolder()

async function startFolder(): Promise<TestTarget> {
  const staticDir = await mkdtemp(join(tmpdir(), 'wp-frames-publish-'))
  return {
    staticDir,
    setting: staticDir,
    settings: { staticDir },
    open: (options) => opened({ ...options, staticDir }),
    prepare: () => createNumbersFolder(staticDir),
    locate: (path) => join(staticDir, path),
    files: async () => {
      const entries = await readdir(staticDir, { recursive: true, withFileTypes: true })
      return entries
        .filter((entry) => !entry.isDirectory())
        .map((entry) => relative(staticDir, join(entry.parentPath, entry.name)))
        .filter(isCopy)
        .sort()
    },
    owners: async () => {
      const names = await readdir(staticDir, { recursive: true })
      const owned = names.filter((name) => name.endsWith('/.page.json'))
      return Promise.all(
        owned.map(async (name) => JSON.parse(await readFile(join(staticDir, name), 'utf8'))),
      )
    },
    read: async (location) => {
      const copy = await readCopy(staticDir, location)
      if (!copy) return undefined
      const { html, owner, stats, gzip, brotli } = copy
      const fileTime = Math.round(stats.mtimeMs * 1000)
      const isWhole = gzip !== undefined && brotli !== undefined
      const tag = `${stats.ino} ${stats.mtimeMs}`
      return { html: html.toString(), owner, isWhole, fileTime, tag }
    },
    storeByHand: async (location, html) => {
      await mkdir(location, { recursive: true })
      await writeFile(join(location, 'index.html'), html)
    },
    duplicate: (location, to) => cp(location, to, { recursive: true }),
    lose: async (location) => {
      for (const file of FOLDER_FILES) await rm(join(location, file))
    },
    clear: async () => {
      for (const name of await readdir(staticDir))
        await rm(join(staticDir, name), { recursive: true })
    },
    stop: () => rm(staticDir, { recursive: true, force: true }),
  }
}

async function startStore(): Promise<TestTarget> {
  const server = await startObjectStore()
  await server.createBucket('copies')
  const address = server.address('copies')
  const client = new StoreClient(
    address,
    new StoreCredentials(STORE_CREDENTIALS, FAST.store),
    FAST.store,
  )
  const objects = new StoreObjects(client)
  const settings = {
    staticDir: undefined,
    staticStore: { address, credentials: STORE_CREDENTIALS },
  }
  const keys = async () => {
    const found: string[] = []
    for await (const page of objects.list(0, '')) found.push(...page)
    return found
  }
  const get = async (location: string) => {
    const object = await objects.get(0, location)
    return typeof object === 'object' ? object : undefined
  }
  return {
    staticDir: join(tmpdir(), 'wp-frames-no-folder'),
    setting: server.setting('copies'),
    settings,
    open: (options) => opened({ ...options, ...settings }),
    prepare: async () => {},
    locate: (path) => join(path, 'index.html'),
    files: async () => {
      const copies: string[] = []
      await forEachBounded((await keys()).filter(isCopy), 8, async (key) => {
        const headers = await objects.head(0, key)
        if (headers && !objectOf(headers).isPlaceholder) copies.push(key)
      })
      return copies.sort()
    },
    owners: async () => {
      const owners: CopyOwner[] = []
      for (const key of (await keys()).filter(isCopy)) {
        const headers = await objects.head(0, key)
        const facts = headers && objectOf(headers).facts
        if (facts) owners.push(facts)
      }
      return owners
    },
    read: async (location) => {
      const object = await get(location)
      if (!object) return undefined
      const { facts, etag } = objectOf(object.headers)
      const owner = facts && { site: facts.site, page: facts.page, url: facts.url }
      const html = gunzipSync(object.body).toString()
      return { html, owner, isWhole: true, fileTime: facts?.written ?? 0, tag: etag }
    },
    storeByHand: async (location, html) => {
      const headers = { 'Content-Encoding': 'gzip' }
      await objects.put(0, location, gzipSync(html), { headers })
    },
    duplicate: async (location, to) => {
      const object = await get(location)
      if (!object) throw new Error('no copy')
      const kept = Object.entries(object.headers).filter(
        ([name]) => name.startsWith('x-amz-meta-') || name === 'content-encoding',
      )
      const headers = Object.fromEntries(kept.map(([name, value]) => [name, String(value)]))
      await objects.put(0, to, object.body, { headers })
    },
    lose: async (location) => {
      await objects.delete(0, location)
    },
    clear: async () => {
      // As a folder that is emptied, except for what makes it the network's.
      await objects.deleteAll(
        0,
        (await keys()).filter((key) => key !== '.wp-frames'),
      )
    },
    stop: async () => {
      client.close()
      await server.stop()
    },
  }
}

const isCopy = (name: string) => !name.startsWith('.published/') && name !== '.wp-frames'

function opened(options: CopyTargetOptions): CopyTarget {
  const target = openCopyTarget(options)
  if (!target) throw new Error('no target')
  return target
}
