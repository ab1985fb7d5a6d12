import type { Dirent } from 'node:fs'
import { lstat, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from '../wordpress/pages/posts.ts'
import { isFileNotFound } from './file-not-found.ts'
import { forEachBounded } from '../concurrency/for-each.ts'
import { readRecord, recordsFolder } from './copy-records.ts'
import { COPY_FILE, copyFolderForUrl } from './static-path.ts'
import { isTemporaryName } from './atomic-write.ts'

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
  if (Date.parse(`${page.modifiedGmt.replace(' ', 'T')}Z`) > copy.builtAt) return 'edited'
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
