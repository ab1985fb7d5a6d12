import type { Dirent } from 'node:fs'
import { opendir } from 'node:fs/promises'
import { join } from 'node:path'
import type { OwnedCopy } from './copy-target.ts'
import { isFileNotFound } from './file-not-found.ts'
import { readOwner } from './static-copy.ts'
import { COPY_FILE } from './static-path.ts'

/**
 * All copies that have an owner file.
 * @param staticDir absolute path
 */
export async function* listOwnedCopies(staticDir: string): AsyncGenerator<OwnedCopy> {
  const open = [staticDir]
  for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
    let hasCopy = false
    for await (const entry of streamEntries(folder)) {
      // Names that start with a dot are internal; symbolic links may lead out of the folder.
      if (entry.isDirectory() && !entry.name.startsWith('.')) open.push(join(folder, entry.name))
      hasCopy ||= entry.isFile() && entry.name === COPY_FILE
    }
    const owner = hasCopy ? await readOwner(folder) : undefined
    if (owner) yield { location: folder, owner }
  }
}

async function* streamEntries(folder: string): AsyncGenerator<Dirent> {
  try {
    yield* await opendir(folder)
  } catch (error) {
    if (!isFileNotFound(error)) throw error
  }
}
