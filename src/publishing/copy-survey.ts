import type { Dirent } from 'node:fs'
import { lstat, opendir, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { forEachBounded } from '../concurrency/for-each.ts'
import { withKeyedMutex } from '../concurrency/keyed-mutex.ts'
import { parseGmt } from '../wordpress/dates.ts'
import type { Page } from '../wordpress/pages/posts.ts'
import { isTemporaryName } from './atomic-write.ts'
import { readRecord, recordsFolder } from './copy-records.ts'
import { isFileNotFound } from './file-not-found.ts'
import { withPageLock } from './page-lock.ts'
import { type CopyOwner, readOwner, removeCopy } from './static-copy.ts'
import { COPY_FILE, copyFolderForUrl } from './static-path.ts'

/** A copy that should lie on disk, as its record says. */
export type SurveyedCopy = {
  readonly page: number
  readonly url: string
  /** Milliseconds since 1970. */
  readonly builtAt: number
  /** See `Publication`. */
  readonly madeOf: string | undefined
  /** Its file is there. */
  readonly isThere: boolean
}

export type CopySurvey = {
  readonly copies: readonly SurveyedCopy[]
  /** Paths of files that were to be put in place and of locks, and when they were last touched, in milliseconds since 1970. */
  readonly temporaries: readonly { readonly path: string; readonly changedAt: number }[]
}

/** Files read at a time. */
const FILES_AT_ONCE = 16

/** What the records of a site's pages say of their copies, and what lies where these should be. */
export async function surveyCopies(staticDir: string, site: number): Promise<CopySurvey> {
  const records = recordsFolder(staticDir, site)
  const copies: SurveyedCopy[] = []
  const entries = await listEntries(records)
  const temporaries = await findTemporaryFiles(entries)
  await forEachBounded(entries, FILES_AT_ONCE, async ({ name }) => {
    const page = Number(/^(\d+)\.json$/.exec(name)?.[1])
    const record = page > 0 ? await readRecord({ staticDir, site, page }) : undefined
    if (record?.url == null) return
    const folder = copyFolderForUrl(staticDir, record.url)
    const files = folder === undefined ? [] : await listEntries(folder)
    const { url, built_at: builtAt, made_of: madeOf } = record
    const isThere = files.some((file) => file.name === COPY_FILE && file.isFile())
    copies.push({ page, url, builtAt, madeOf, isThere })
    temporaries.push(...(await findTemporaryFiles(files)))
  })
  return { copies: copies.sort((a, b) => a.page - b.page), temporaries }
}

/** Why a copy does not show what its page shows: it is gone, the page was edited since, or its frame built. */
export type CopyProblem = 'lost' | 'edited' | 'built'

/** @param madeOf what a copy would be made of now, see `Publication`; undefined where that is not known */
export function findCopyProblem(
  copy: SurveyedCopy,
  page: Page,
  madeOf: string | undefined,
): CopyProblem | undefined {
  if (!copy.isThere) return 'lost'
  if (parseGmt(page.modifiedGmt).getTime() > copy.builtAt) return 'edited'
  return madeOf === undefined || madeOf === copy.madeOf ? undefined : 'built'
}

async function findTemporaryFiles(
  entries: readonly Dirent[],
): Promise<{ path: string; changedAt: number }[]> {
  const found: { path: string; changedAt: number }[] = []
  for (const entry of entries.filter(({ name }) => isTemporaryName(name))) {
    const path = join(entry.parentPath, entry.name)
    const changedAt = await changeTime(path)
    if (changedAt !== undefined) found.push({ path, changedAt })
  }
  return found
}

/** Undefined for a file that is in place by now. */
async function changeTime(path: string): Promise<number | undefined> {
  try {
    return (await lstat(path)).ctimeMs
  } catch (error) {
    if (isFileNotFound(error)) return undefined
    throw error
  }
}

async function listEntries(folder: string): Promise<Dirent[]> {
  try {
    return await readdir(folder, { withFileTypes: true })
  } catch (error) {
    if (isFileNotFound(error)) return []
    throw error
  }
}

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
