import { isUtf8 } from 'node:buffer'
import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { isFileNotFound } from '../../../build/publishing/file-not-found.ts'
import { sha256Hex } from '../../../host/hash.ts'
import { CommandError } from '../../cli-context.ts'
import type { AddressedSite } from '../../sites/site-options.ts'
import { foldCase, isFrameFileName } from './frame-file-name.ts'
import { type ManifestEntry, readManifest } from './manifest.ts'

/** A `.html` file in a folder. */
export type FrameFile = {
  readonly name: string
  readonly sha256: string
  readonly bytes: Buffer
}

/** A folder of frames; a pull updates the maps while it proceeds. */
export type FrameFolder = {
  readonly path: string
  /** By frame id. */
  readonly entries: Map<string, ManifestEntry>
  /** By name. */
  readonly files: Map<string, FrameFile>
  readonly hasManifest: boolean
}

/**
 * Reads a folder with its manifest; a missing folder counts as empty.
 * @throws CommandError if the manifest is unreadable or belongs to another site, if a `.html` entry is not a regular file, or if the path
 * is not a folder
 */
export async function readFrameFolder(path: string, site: AddressedSite): Promise<FrameFolder> {
  const entries = await readManifest(path, site)
  const files = await readFrameFiles(path)
  return { path, entries: entries ?? new Map(), files, hasManifest: entries !== undefined }
}

/** The `.html` files of a folder by name. */
export async function readFrameFiles(path: string): Promise<Map<string, FrameFile>> {
  const files = new Map<string, FrameFile>()
  for (const name of await listFrameFiles(path))
    files.set(name, createFrameFile(name, await readFile(join(path, name))))
  return files
}

export function createFrameFile(name: string, bytes: Buffer): FrameFile {
  return { name, sha256: sha256Hex(bytes), bytes }
}

/** The markup in a file, including a byte order mark; undefined if the file is not valid UTF-8. */
export function decodeMarkup({ bytes }: FrameFile): string | undefined {
  return isUtf8(bytes) ? bytes.toString() : undefined
}

export async function isFolder(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory()
  } catch (error) {
    if (isFileNotFound(error)) return false
    throw error
  }
}

/** @throws CommandError if there is no such folder */
export async function assertFolder(path: string): Promise<void> {
  if (await isFolder(path)) return
  throw new CommandError(`There is no folder ${path}. Create it with "wp-frames frames pull".`)
}

async function listFrameFiles(path: string): Promise<string[]> {
  const found = await readdir(path, { withFileTypes: true }).catch((error) => {
    if (error.code === 'ENOTDIR') throw new CommandError(`${path} is not a folder.`)
    if (isFileNotFound(error)) return []
    throw error
  })
  const entries = found.filter(({ name }) => isFrameFileName(name))
  const special = entries.find((entry) => !entry.isFile())
  if (special)
    throw new CommandError(
      `${join(path, special.name)} is not a regular file. Move it to another folder.`,
    )
  return entries.map(({ name }) => name).sort()
}

/** The files of a folder by frame. */
export type FileMatches = {
  /** By frame id: files with the name in the manifest. */
  readonly named: ReadonlyMap<string, FrameFile>
  /** By frame id: files with a new name and the contents in the manifest. */
  readonly moved: ReadonlyMap<string, FrameFile>
  /** Entries of the manifest without a file. */
  readonly missing: readonly ManifestEntry[]
  /** Files that are not in the manifest. */
  readonly unknown: readonly FrameFile[]
}

/** A file counts as moved only if its contents are those of exactly one missing file and of no other new file. */
export function matchFiles({ entries, files }: FrameFolder): FileMatches {
  const byFoldedName = new Map([...files.values()].map((file) => [foldCase(file.name), file]))
  const named = new Map<string, FrameFile>()
  for (const { id, file: name } of entries.values()) {
    const file = files.get(name) ?? byFoldedName.get(foldCase(name))
    if (file) named.set(id, file)
  }
  const matched = new Set(named.values())
  const unmatched = [...files.values()].filter((file) => !matched.has(file))
  const withoutFile = [...entries.values()].filter(({ id }) => !named.has(id))
  const moved = new Map<string, FrameFile>()
  for (const { id, sha256 } of withoutFile) {
    const [file, ...others] = unmatched.filter((one) => one.sha256 === sha256)
    const sameContents = withoutFile.filter((entry) => entry.sha256 === sha256)
    if (file && others.length === 0 && sameContents.length === 1) moved.set(id, file)
  }
  const found = new Set(moved.values())
  return {
    named,
    moved,
    missing: withoutFile.filter(({ id }) => !moved.has(id)),
    unknown: unmatched.filter((file) => !found.has(file)),
  }
}
