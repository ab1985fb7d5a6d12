import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import type { CopyStore, CopyStoreContext } from '../../../src/build/publishing/copy-store.ts'
import { createNumbersFolder } from '../../../src/build/publishing/folder-numbers.ts'
import {
  type CopyStoreOptions,
  type CopyStoreSettings,
  openCopyStore,
} from '../../../src/build/publishing/open-copy-store.ts'
import { type CopyOwner, readCopy } from '../../../src/build/publishing/static-copy.ts'

/** What the suite of the static copies looks at and changes in a target, behind the back of the service. */
export type TestTarget = {
  /** The folder; with a store, a folder that does not exist. */
  readonly staticDir: string
  /** For `publish-in-child.ts`: the folder, or the setting of the store. */
  readonly setting: string
  readonly settings: CopyStoreSettings
  open(options: CopyStoreContext): CopyStore
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
export async function startTargetOf(kind: 'folder' | 'store'): Promise<TestTarget> {
  if (kind === 'folder') return startFolder()
  // It starts a server: tests of folders do not load it.
  const { startStore } = await import('../../../packages/store-s3/test/store-target.ts')
  return startStore()
}

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

/** Whether a file or object belongs to a copy. */
export const isCopy = (name: string) => !name.startsWith('.published/') && name !== '.wp-frames'

/** @throws if the options name no target */
export function opened(options: CopyStoreOptions): CopyStore {
  const target = openCopyStore(options)
  if (!target) throw new Error('no target')
  return target
}
