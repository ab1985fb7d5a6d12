import type { StaticEffect, StaticReason } from '../change.ts'
import type { KeyedMutex } from '../concurrency/keyed-mutex.ts'
import {
  type CopyKey,
  type CopyRecord,
  readRecord,
  recordPath,
  writeRecord,
} from './copy-records.ts'
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

export type PublishContext = {
  /** Serializes the writes of this process to one page and to one folder. */
  readonly mutex: KeyedMutex
  /** The quota of the site. A page beyond it loses its old copy too, since that would show outdated content. */
  readonly usage?: StaticUsage | undefined
}

/** The desired state of a page's static copy: its content, or why there is none. */
export type Publication =
  | {
      readonly html: string
      /** Identifies the inputs of the copy other than the page itself. The copy is stale once they have another fingerprint. */
      readonly sourceFingerprint: string
    }
  | { readonly reason: StaticReason; readonly message: string }

/**
 * Writes, leaves or removes the static copy of a page so that it matches `publication`. A copy at a former URL of the page is removed. The
 * later build wins, whatever the order of the calls and whichever process they come from.
 * @param url the page's URL; undefined if it has none
 * @param builtAt when this build started to read, in milliseconds since 1970
 * @throws StaticPathError, and errors of the file system
 */
export function publishPage(
  copy: CopyKey,
  url: string | undefined,
  publication: Publication,
  builtAt: number,
  context: PublishContext,
): Promise<StaticEffect> {
  const { mutex, usage } = context
  const publish = async () => {
    const record = await readRecord(copy)
    const existing = await findPublishedCopy(copy, record?.url ?? url)
    if (isSuperseded(record, builtAt)) return supersededEffect(existing, url, publication)
    const folder = url === undefined ? undefined : copyFolderForUrl(copy.staticDir, url)
    const mayWrite = 'html' in publication && url !== undefined && folder !== undefined
    if (mayWrite) {
      const written = await replaceCopy(
        copy,
        existing,
        { url, folder, builtAt, ...publication },
        context,
      )
      if (written) return written
    }
    if (existing) await removeOwnCopy(copy, existing.folder, mutex)
    usage?.replace(copy.site, publishedBytes(existing), 0)
    await writeRecord(copy, { url: null, built_at: builtAt })
    const over = mayWrite && usage ? quotaExceeded(usage, copy.site) : NO_FOLDER
    const { reason, message } = 'reason' in publication ? publication : over
    const removed = existing !== undefined
    return effectOf(existing, { reason, message, removed, changed: removed })
  }
  return mutex.run(recordPath(copy), () => withPageLock(copy, publish))
}

/** The effect of a page that was not published now: describes the existing copy. */
export async function describeCopy(
  copy: CopyKey,
  url: string | undefined,
  message: string,
): Promise<StaticEffect> {
  const existing = await findPublishedCopy(copy, (await readRecord(copy))?.url ?? url)
  return effectOf(existing, { ...publishedState(existing), message })
}

/** The effect of a page that could not be published: describes the old copy, which may still exist and be served. */
export async function describeFailure(
  copy: CopyKey,
  url: string | undefined,
  message: string,
): Promise<StaticEffect> {
  // Reading may fail for the same reason as the publication.
  const record = await readRecord(copy).catch(() => undefined)
  const existing = await findPublishedCopy(copy, record?.url ?? url).catch(() => undefined)
  return effectOf(existing, { ...publishedState(existing), reason: 'failed', message })
}

/** The effect of a page that has no copy and had none. */
export function noCopyEffect(reason: StaticReason, message: string): StaticEffect {
  return effectOf(undefined, { reason, message })
}

const NO_FOLDER = {
  reason: 'page_not_public',
  message: "The page's URL cannot be mapped to a file.",
} as const

function quotaExceeded(usage: StaticUsage, site: number) {
  const message = `The static copies of this site use ${usage.bytesOf(site)} of ${usage.limit} bytes. The page is not published; it is rendered on request. Use smaller frames, or ask the operator to raise STATIC_MB_PER_SITE.`
  return { reason: 'quota', message } as const
}

/** The existing copy of a page. */
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

/** False for the copy of another page, which may have a former URL of this page. */
function belongsTo({ site, page }: CopyKey, { owner }: StaticCopy): boolean {
  return owner === undefined || (owner.site === site && owner.page === page)
}

/** True if a later build has published this page. A time in the future was written by a wrong clock and is ignored. */
function isSuperseded(record: CopyRecord | undefined, builtAt: number): boolean {
  return record !== undefined && record.built_at > builtAt && record.built_at <= Date.now()
}

/** The effect of a page that a later build has published. Compares the existing copy with the output of this build. */
function supersededEffect(
  existing: PublishedCopy | undefined,
  url: string | undefined,
  publication: Publication,
): StaticEffect {
  const isHidden = !('html' in publication)
  const isSame = isHidden
    ? existing === undefined
    : existing?.url === url && existing?.copy.html.equals(Buffer.from(publication.html)) === true
  if (isSame && isHidden) return effectOf(existing, publication)
  if (isSame)
    return effectOf(existing, { ...publishedState(existing), message: 'The copy was up to date.' })
  return effectOf(existing, {
    ...publishedState(existing),
    reason: 'later_build',
    message:
      'A build that started later has published this page. The output of this build was not published.',
  })
}

type Replacement = {
  readonly url: string
  readonly folder: string
  readonly html: string
  readonly sourceFingerprint: string
  readonly builtAt: number
}

const publishedBytes = (existing: PublishedCopy | undefined): number =>
  existing ? bytesOfCopy(existing.copy) : 0

/**
 * Writes the record first: a crash may leave a record without a copy, never a copy without a record. The record gets the source fingerprint
 * only after the copy is written: until then the old copy may exist, which must not count as the new one.
 * @returns undefined, with nothing written, if the copy would exceed the quota of the site
 */
async function replaceCopy(
  copy: CopyKey,
  existing: PublishedCopy | undefined,
  { url, folder, builtAt, sourceFingerprint, ...wanted }: Replacement,
  { mutex, usage }: PublishContext,
): Promise<StaticEffect | undefined> {
  const html = Buffer.from(wanted.html)
  const moved = existing !== undefined && existing.folder !== folder
  if (moved) await removeOwnCopy(copy, existing.folder, mutex)
  const record = { url, built_at: builtAt }
  const owner = { site: copy.site, page: copy.page, url }
  const result = await mutex.run(folder, async () => {
    const current = moved ? await readCopy(copy.staticDir, folder) : existing?.copy
    if (current && isFresh(current, html, owner)) {
      return { changed: false, bytes: bytesOfCopy(current) }
    }
    const encoded = await encodeCopy(html)
    const bytes = bytesOfCopy(encoded)
    if (usage && !usage.replace(copy.site, publishedBytes(existing), bytes)) return undefined
    await writeRecord(copy, record)
    await writeCopy(copy.staticDir, folder, encoded, owner)
    return { changed: true, bytes }
  })
  if (result === undefined) return undefined
  const { changed, bytes } = result
  await writeRecord(copy, { ...record, made_of: sourceFingerprint, bytes })
  const written = changed ? 'The copy was written.' : 'The copy was up to date.'
  const message = moved ? `${written} The one at ${existing.url} was removed.` : written
  return effectOf(existing, {
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

async function removeOwnCopy(copy: CopyKey, folder: string, mutex: KeyedMutex): Promise<void> {
  await mutex.run(folder, async () => {
    const current = await readCopy(copy.staticDir, folder)
    if (current && belongsTo(copy, current)) await removeCopy(copy.staticDir, folder)
  })
}

const publishedState = (existing: PublishedCopy | undefined) => ({
  published: existing !== undefined,
  url: existing?.url ?? null,
  bytes: existing?.copy.html.length ?? 0,
})

function effectOf(
  existing: PublishedCopy | undefined,
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
