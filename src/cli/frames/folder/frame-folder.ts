import { isUtf8 } from 'node:buffer'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sha256Hex } from '../../../hash.ts'
import { isFileNotFound } from '../../../publishing/file-not-found.ts'
import type { Site } from '../../../wordpress/network/site.ts'
import { CommandError } from '../../cli-context.ts'
import { foldCase, isFrameFileName } from './frame-file-name.ts'
import { type ManifestEntry, readManifest } from './manifest.ts'

/** A `.html` file of a folder. */
export type FrameFile = {
  readonly name: string
  readonly sha256: string
  readonly bytes: Buffer
}

/** A folder of frames as it was read, or as it is becoming. */
export type FrameFolder = {
  readonly path: string
  /** By frame id. */
  readonly entries: Map<string, ManifestEntry>
  /** By name. */
  readonly files: Map<string, FrameFile>
  readonly hasManifest: boolean
}

/**
 * The folder with its manifest; one that isn't there is empty.
 * @throws CommandError for a manifest that can't be read or is another site's, for a `.html` entry that is no plain
 * file, and for a path that is no folder
 */
export async function readFrameFolder(path: string, site: Site): Promise<FrameFolder> {
  const entries = await readManifest(path, site)
  const files = new Map<string, FrameFile>()
  for (const name of await listFrameFiles(path)) {
    files.set(name, createFrameFile(name, await readFile(join(path, name))))
  }
  return { path, entries: entries ?? new Map(), files, hasManifest: entries !== undefined }
}

/** A file of this name with these bytes. */
export function createFrameFile(name: string, bytes: Buffer): FrameFile {
  return { name, sha256: sha256Hex(bytes), bytes }
}

/** The markup in a file, a byte order mark and all; undefined where its bytes are no UTF-8. */
export function decodeMarkup({ bytes }: FrameFile): string | undefined {
  return isUtf8(bytes) ? bytes.toString() : undefined
}

async function listFrameFiles(path: string): Promise<string[]> {
  const found = await readdir(path, { withFileTypes: true }).catch((error) => {
    if (error.code === 'ENOTDIR') throw new CommandError(`${path} is not a folder.`)
    if (isFileNotFound(error)) return []
    throw error
  })
  const entries = found.filter(({ name }) => isFrameFileName(name))
  const odd = entries.find((entry) => !entry.isFile())
  if (odd) throw new CommandError(`${join(path, odd.name)} is not a plain file. Move it away.`)
  return entries.map(({ name }) => name).sort()
}

/** Which file is which frame's. */
export type FileMatches = {
  /** By frame id: files under the names that the manifest has for them. */
  readonly inPlace: ReadonlyMap<string, FrameFile>
  /** By frame id: files that have another name now, and the bytes that the manifest knows. */
  readonly moved: ReadonlyMap<string, FrameFile>
  /** Frames without a file. */
  readonly missing: readonly ManifestEntry[]
  /** Files that the manifest doesn't know. */
  readonly unknown: readonly FrameFile[]
}

/** A file is taken for moved where its bytes are those of one missing frame and of no other new file: anything else is a guess. */
export function matchFiles({ entries, files }: FrameFolder): FileMatches {
  const byFoldedName = new Map([...files.values()].map((file) => [foldCase(file.name), file]))
  const held = new Map<string, FrameFile>()
  for (const { id, file: name } of entries.values()) {
    const file = files.get(name) ?? byFoldedName.get(foldCase(name))
    if (file) held.set(id, file)
  }
  const known = new Set(held.values())
  const strangers = [...files.values()].filter((file) => !known.has(file))
  const lost = [...entries.values()].filter(({ id }) => !held.has(id))
  const moved = new Map<string, FrameFile>()
  for (const { id, sha256 } of lost) {
    const [file, ...others] = strangers.filter((stranger) => stranger.sha256 === sha256)
    const alike = lost.filter((entry) => entry.sha256 === sha256)
    if (file && others.length === 0 && alike.length === 1) moved.set(id, file)
  }
  const found = new Set(moved.values())
  return {
    inPlace: held,
    moved,
    missing: lost.filter(({ id }) => !moved.has(id)),
    unknown: strangers.filter((file) => !found.has(file)),
  }
}
