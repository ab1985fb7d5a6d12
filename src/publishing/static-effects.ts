import { lstat } from 'node:fs/promises'
import { join } from 'node:path'
import { forEachBounded } from '../concurrency/for-each.ts'
import type { Db } from '../db/database.ts'
import type { StaticEffect, StaticReason } from '../effects.ts'
import { type CopySite, readCopyRecords } from './copies-table.ts'
import { isFileNotFound } from './file-not-found.ts'
import { readOwner } from './static-copy.ts'
import { COPY_FILE, copyFolderForUrl } from './static-path.ts'

/** The copy of a page that exists, or existed before the page was published. */
export type ExistingCopy = { readonly url: string; readonly htmlBytes: number }

/** The effect on a page's copy. Without further properties, there is no copy now. */
export function effectOf(
  existing: ExistingCopy | undefined,
  effect: Partial<StaticEffect> & Pick<StaticEffect, 'message'>,
): StaticEffect {
  return {
    published: false,
    url: null,
    bytes: 0,
    reason: null,
    was_published: existing !== undefined,
    was_url: existing?.url ?? null,
    removed: false,
    changed: false,
    ...effect,
  }
}

/** The effect of a page whose copy stays as it is. */
export function unchangedEffect(
  existing: ExistingCopy | undefined,
  message: string,
  reason: StaticReason | null = null,
): StaticEffect {
  return effectOf(existing, {
    published: existing !== undefined,
    url: existing?.url ?? null,
    bytes: existing?.htmlBytes ?? 0,
    reason,
    message,
  })
}

/** The effect of a page that has no copy and had none. */
export function noCopyEffect(reason: StaticReason, message: string): StaticEffect {
  return effectOf(undefined, { reason, message })
}

/**
 * The effect of a page that could not be published.
 * @param described by `describeCopies`: the old copy may still exist and be served; undefined if unknown
 */
export function failedEffect(described: StaticEffect | undefined, message: string): StaticEffect {
  return described === undefined
    ? noCopyEffect('failed', message)
    : { ...described, reason: 'failed', message }
}

/** The effect of a page that a later build has published with another result. */
export function laterBuildEffect(existing: ExistingCopy | undefined): StaticEffect {
  const message =
    'A build that started later has published this page. The output of this build was not published.'
  return unchangedEffect(existing, message, 'later_build')
}

/** Why a page has no copy; sizes in bytes. */
export function quotaMessage(used: number, limit: number): string {
  return `The static copies of this site use ${used} of ${limit} bytes. The page is not published; it is rendered on request. Use smaller frames, or ask the operator to raise STATIC_MB_PER_SITE.`
}

/** Files read concurrently. */
const FILES_AT_ONCE = 8

/**
 * The effects of pages that are not published now: describes their copies.
 * @param staticDir absolute path
 */
export async function describeCopies(
  db: Db,
  site: CopySite,
  staticDir: string,
  pages: readonly number[],
  message: string,
): Promise<Map<number, StaticEffect>> {
  const records = await readCopyRecords(db, site, pages)
  const effects = new Map<number, StaticEffect>()
  await forEachBounded(pages, FILES_AT_ONCE, async (page) => {
    const url = records.get(page)?.url
    const htmlBytes = url && (await sizeOfOwnCopy(staticDir, site.blogId, page, url))
    const existing =
      url && htmlBytes !== undefined ? { url, htmlBytes: Number(htmlBytes) } : undefined
    effects.set(page, unchangedEffect(existing, message))
  })
  return effects
}

/** Size of the HTML file at a URL; undefined if there is none, or if it is the copy of another page. */
async function sizeOfOwnCopy(
  staticDir: string,
  site: number,
  page: number,
  url: string,
): Promise<number | undefined> {
  const folder = copyFolderForUrl(staticDir, url)
  if (folder === undefined) return undefined
  try {
    const stats = await lstat(join(folder, COPY_FILE))
    const owner = await readOwner(folder)
    const isOwn = owner === undefined || (owner.site === site && owner.page === page)
    return stats.isFile() && isOwn ? stats.size : undefined
  } catch (error) {
    if (isFileNotFound(error)) return undefined
    throw error
  }
}
