import { foldCase } from './frame-file-name.ts'
import type { FrameFile, FrameFolder } from './frame-folder.ts'
import type { ManifestEntry } from './manifest.ts'

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
