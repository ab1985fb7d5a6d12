import type { Dirent } from 'node:fs'
import { opendir } from 'node:fs/promises'
import { join } from 'node:path'
import { isFileNotFound } from './file-not-found.ts'
import { readRecord } from './copy-records.ts'
import { withPageLock } from './page-lock.ts'
import { withKeyedMutex } from '../concurrency/keyed-mutex.ts'
import { type CopyOwner, readOwner, removeCopy } from './static-copy.ts'
import { COPY_FILE, copyFolderForUrl } from './static-path.ts'

/** A copy that its page's record doesn't lead to: no write would ever find it again. */
export type OrphanedCopy = { readonly folder: string; readonly owner: CopyOwner }

/** All of them, folder by folder. Copies without an owner beside them were put there by somebody else and are none. */
export async function* findOrphanedCopies(staticDir: string): AsyncGenerator<OrphanedCopy> {
  const open = [staticDir]
  for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
    let hasCopy = false
    for await (const entry of streamEntries(folder)) {
      // What begins with a dot is ours, and links lead out.
      if (entry.isDirectory() && !entry.name.startsWith('.')) open.push(join(folder, entry.name))
      hasCopy ||= entry.isFile() && entry.name === COPY_FILE
    }
    const owner = hasCopy ? await readOwner(folder) : undefined
    if (owner && (await isOrphaned(staticDir, folder, owner))) yield { folder, owner }
  }
}

/** Removes a copy, unless its record leads to it by now. */
export async function removeOrphanedCopy(
  staticDir: string,
  { folder, owner }: OrphanedCopy,
): Promise<void> {
  const remove = async (): Promise<void> => {
    const held = await readOwner(folder)
    const isSame = held?.site === owner.site && held.page === owner.page
    if (isSame && (await isOrphaned(staticDir, folder, owner))) await removeCopy(staticDir, folder)
  }
  await withPageLock({ staticDir, ...owner }, () => withKeyedMutex(folder, remove))
}

async function isOrphaned(
  staticDir: string,
  folder: string,
  { site, page }: CopyOwner,
): Promise<boolean> {
  const record = await readRecord({ staticDir, site, page })
  return record?.url == null || copyFolderForUrl(staticDir, record.url) !== folder
}

async function* streamEntries(folder: string): AsyncGenerator<Dirent> {
  try {
    yield* await opendir(folder)
  } catch (error) {
    if (!isFileNotFound(error)) throw error
  }
}
