import type { StaticEffect, StaticReason } from '../change.ts'
import { readCopy, removeCopy, writeCopy } from './static-copy.ts'
import { staticFolder } from './static-path.ts'

/** What a page's copy should be: the bytes, or why there is none. */
export type Publication =
  | { readonly html: string }
  | { readonly reason: StaticReason; readonly message: string }

/**
 * Brings the static copy of a page in line with what it should be: written, left as it is, or removed.
 * @param staticDir undefined where static copies are turned off
 */
export async function publishPage(
  staticDir: string | undefined,
  url: string,
  publication: Publication,
): Promise<StaticEffect> {
  if (staticDir === undefined) {
    return withoutCopy('disabled', 'Static copies are turned off (STATIC_DIR is empty).')
  }
  const folder = staticFolder(staticDir, url)
  if (folder === undefined) {
    return withoutCopy(
      'plain_permalinks',
      'The address of this page has a query, so no file can stand for it.',
    )
  }
  const held = await readCopy(folder)
  const was = { was_published: held !== undefined, was_url: held === undefined ? null : url }
  if (!('html' in publication)) {
    if (held !== undefined) await removeCopy(folder)
    const { reason, message } = publication
    const removed = held !== undefined
    return {
      published: false,
      url: null,
      bytes: 0,
      reason,
      message,
      ...was,
      removed,
      changed: removed,
    }
  }
  const html = Buffer.from(publication.html)
  const changed = held === undefined || !held.equals(html)
  if (changed) await writeCopy(folder, publication.html)
  const message = changed ? 'The copy was written.' : 'The copy was up to date.'
  return {
    published: true,
    url,
    bytes: html.length,
    reason: null,
    message,
    ...was,
    removed: false,
    changed,
  }
}

const withoutCopy = (reason: StaticReason, message: string): StaticEffect => ({
  published: false,
  url: null,
  bytes: 0,
  reason,
  message,
  was_published: false,
  was_url: null,
  removed: false,
  changed: false,
})
