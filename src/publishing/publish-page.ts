import type { StaticEffect, StaticReason } from '../change.ts'
import { withKeyedMutex } from '../concurrency/keyed-mutex.ts'
import { type CopyKey, type CopyRecord, readRecord, writeRecord } from './copy-records.ts'
import { withPageLock } from './page-lock.ts'
import {
  bytesOfCopy,
  type CopyOwner,
  encodeCopy,
  readCopy,
  removeCopy,
  type StaticCopy,
  writeCopy,
} from './static-copy.ts'
import { copyFolderForUrl } from './static-path.ts'
import type { StaticUsage } from './static-usage.ts'

/** What a page's copy should be: the bytes, or why there is none. */
export type Publication =
  | {
      readonly html: string
      /** A word for what went in beside the page itself: another word, and the copy is no longer true. */
      readonly madeOf: string
    }
  | { readonly reason: StaticReason; readonly message: string }

/**
 * Brings the static copy of a page in line with what it should be: written, left as it is, or removed; a copy at an address that the page
 * had before is removed. What was built later wins, in whatever order builds come here, and from whichever process.
 * @param url the page's address; undefined for a page that has none
 * @param builtAt when reading for this build began, in milliseconds since 1970
 * @param usage limits what the copies of the site take together; a copy beyond that is removed, for the old one would be shown
 * @throws StaticPathError, and errors of the file system
 */
export function publishPage(
  copy: CopyKey,
  url: string | undefined,
  publication: Publication,
  builtAt: number,
  usage?: StaticUsage,
): Promise<StaticEffect> {
  return withPageLock(copy, async () => {
    const record = await readRecord(copy)
    const held = await findPublishedCopy(copy, record?.url ?? url)
    if (isSuperseded(record, builtAt)) return supersededEffect(held, url, publication)
    const folder = url === undefined ? undefined : copyFolderForUrl(copy.staticDir, url)
    const mayWrite = 'html' in publication && url !== undefined && folder !== undefined
    if (mayWrite) {
      const written = await replaceCopy(copy, held, { url, folder, builtAt, ...publication }, usage)
      if (written) return written
    }
    if (held) await removeOwnCopy(copy, held.folder)
    usage?.replace(copy.site, publishedBytes(held), 0)
    await writeRecord(copy, { url: null, built_at: builtAt })
    const over = mayWrite && usage ? quotaExceeded(usage, copy.site) : NO_FOLDER
    const { reason, message } = 'reason' in publication ? publication : over
    const removed = held !== undefined
    return effectOf(held, { reason, message, removed, changed: removed })
  })
}

/** The fate of a copy with which nothing was done: it is as it was. */
export async function describeCopy(
  copy: CopyKey,
  url: string | undefined,
  message: string,
): Promise<StaticEffect> {
  const held = await findPublishedCopy(copy, (await readRecord(copy))?.url ?? url)
  return effectOf(held, { ...publishedState(held), message })
}

/** The fate of a copy that could not be brought up to date: the old one may still be there, and be shown. */
export async function describeFailure(
  copy: CopyKey,
  url: string | undefined,
  message: string,
): Promise<StaticEffect> {
  // Reading may fail for the same reason as writing.
  const record = await readRecord(copy).catch(() => undefined)
  const held = await findPublishedCopy(copy, record?.url ?? url).catch(() => undefined)
  return effectOf(held, { ...publishedState(held), reason: 'failed', message })
}

/** The fate of a page that has no copy and had none. */
export function noCopyEffect(reason: StaticReason, message: string): StaticEffect {
  return effectOf(undefined, { reason, message })
}

const NO_FOLDER = {
  reason: 'page_not_public',
  message: 'No file can stand for the address of this page.',
} as const

function quotaExceeded(usage: StaticUsage, site: number) {
  const message = `The static copies of this site take ${usage.bytesOf(site)} bytes and may take ${usage.limit}. The page is not published; it is rendered on request. Put smaller frames on pages, or ask the operator to raise STATIC_MB_PER_SITE.`
  return { reason: 'quota', message } as const
}

/** A copy of the page that is there now. */
type PublishedCopy = { readonly url: string; readonly folder: string; readonly copy: StaticCopy }

async function findPublishedCopy(
  owner: CopyKey,
  url: string | undefined,
): Promise<PublishedCopy | undefined> {
  const folder = url === undefined ? undefined : copyFolderForUrl(owner.staticDir, url)
  if (url === undefined || folder === undefined) return undefined
  const copy = await readCopy(owner.staticDir, folder)
  return copy && belongsTo(owner, copy) ? { url, folder, copy } : undefined
}

/** Another page may stand at an address that this one had before. */
function belongsTo({ site, page }: CopyKey, { owner }: StaticCopy): boolean {
  return owner === undefined || (owner.site === site && owner.page === page)
}

/** A time yet to come was written by a clock that went wrong. */
function isSuperseded(record: CopyRecord | undefined, builtAt: number): boolean {
  return record !== undefined && record.built_at > builtAt && record.built_at <= Date.now()
}

/** The fate of a copy that a later build has decided about. Whether it shows what this build made is compared, not assumed. */
function supersededEffect(
  held: PublishedCopy | undefined,
  url: string | undefined,
  publication: Publication,
): StaticEffect {
  const isHidden = !('html' in publication)
  const isSame = isHidden
    ? held === undefined
    : held?.url === url && held?.copy.html.equals(Buffer.from(publication.html)) === true
  if (isSame && isHidden) return effectOf(held, publication)
  if (isSame)
    return effectOf(held, { ...publishedState(held), message: 'The copy was up to date.' })
  return effectOf(held, {
    ...publishedState(held),
    reason: 'later_build',
    message:
      'A build that began later decided about this page. What this build made was not published.',
  })
}

type Replacement = {
  readonly url: string
  readonly folder: string
  readonly html: string
  readonly madeOf: string
  readonly builtAt: number
}

const publishedBytes = (held: PublishedCopy | undefined): number =>
  held ? bytesOfCopy(held.copy) : 0

/**
 * The record comes first: a crash may leave one without a copy, never a copy that nothing remembers. What the copy is made of it says only
 * once that lies there: until then the old one may, and nobody is to take that for the new.
 * @returns undefined, with nothing written, where the copy would take more than the site may have
 */
async function replaceCopy(
  copy: CopyKey,
  held: PublishedCopy | undefined,
  { url, folder, builtAt, madeOf, ...wanted }: Replacement,
  usage: StaticUsage | undefined,
): Promise<StaticEffect | undefined> {
  const html = Buffer.from(wanted.html)
  const moved = held !== undefined && held.folder !== folder
  if (moved) await removeOwnCopy(copy, held.folder)
  const record = { url, built_at: builtAt }
  const owner = { site: copy.site, page: copy.page, url }
  const result = await withKeyedMutex(folder, async () => {
    const current = moved ? await readCopy(copy.staticDir, folder) : held?.copy
    if (current && isFresh(current, html, owner)) {
      return { changed: false, bytes: bytesOfCopy(current) }
    }
    const encoded = await encodeCopy(html)
    const bytes = bytesOfCopy(encoded)
    if (usage && !usage.replace(copy.site, publishedBytes(held), bytes)) return undefined
    await writeRecord(copy, record)
    await writeCopy(copy.staticDir, folder, encoded, owner)
    return { changed: true, bytes }
  })
  if (result === undefined) return undefined
  const { changed, bytes } = result
  await writeRecord(copy, { ...record, made_of: madeOf, bytes })
  const written = changed ? 'The copy was written.' : 'The copy was up to date.'
  const message = moved ? `${written} The one at ${held.url} was removed.` : written
  return effectOf(held, {
    published: true,
    url,
    bytes: html.length,
    message,
    removed: moved,
    changed: changed || moved,
  })
}

function isFresh(
  { html, gzip, brotli, owner }: StaticCopy,
  wanted: Buffer,
  by: CopyOwner,
): boolean {
  return (
    gzip !== undefined &&
    brotli !== undefined &&
    owner?.site === by.site &&
    owner.page === by.page &&
    owner.url === by.url &&
    html.equals(wanted)
  )
}

async function removeOwnCopy(copy: CopyKey, folder: string): Promise<void> {
  await withKeyedMutex(folder, async () => {
    const current = await readCopy(copy.staticDir, folder)
    if (current && belongsTo(copy, current)) await removeCopy(copy.staticDir, folder)
  })
}

const publishedState = (held: PublishedCopy | undefined) => ({
  published: held !== undefined,
  url: held?.url ?? null,
  bytes: held?.copy.html.length ?? 0,
})

function effectOf(
  held: PublishedCopy | undefined,
  effect: Partial<StaticEffect> & Pick<StaticEffect, 'message'>,
): StaticEffect {
  return {
    published: false,
    url: null,
    bytes: 0,
    reason: null,
    was_published: held !== undefined,
    was_url: held?.url ?? null,
    removed: false,
    changed: false,
    ...effect,
  }
}
