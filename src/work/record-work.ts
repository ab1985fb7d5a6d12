import type { Change, Touched } from '../change.ts'
import type { Database } from '../db/database.ts'
import { DUE_NOW } from '../db/lease.ts'
import type { Tx } from '../db/transaction.ts'
import type { Site } from '../wordpress/network/site.ts'
import { sitesTable, type Work, workTable } from './work-tables.ts'

/** A change whose work is recorded in the transaction of its write. `version`: that of the site; 0 if nothing is recorded. */
export type RecordedChange = Change & { readonly version: number }

/** Number of things that one write records. A write that touches more records `all`. */
export const MAX_WORK_PER_WRITE = 1000
/** Number of rows of a site, besides those of pages, from which on they are replaced by `all`. */
export const MAX_WORK_PER_SITE = 2000
/** The rows of a site are counted once in so many of its versions. */
const COUNT_EVERY = 64

/** Before the name of a dataset in the name of a row of the kind `outdated`. */
export const DATASET_MARK = 'dataset:'
/** Length of the names of datasets, in characters: that of the column, less the mark. No dataset has a longer name, but markup may name one. */
const MAX_NAME = 255 - DATASET_MARK.length

export type ChangeWriteOptions = { readonly site: Site; readonly dryRun?: boolean | undefined }

/**
 * Runs a write that returns a `Change` in one transaction, and records its work as the last step. A dry run records it too, and rolls
 * everything back.
 */
export function writeChange<T extends { readonly change: Change }>(
  db: Database,
  { site, dryRun }: ChangeWriteOptions,
  write: (tx: Tx) => Promise<T>,
): Promise<T & { readonly change: RecordedChange }> {
  return db.write({ site, dryRun }, async (tx) => {
    const written = await write(tx)
    return { ...written, change: await recordChange(tx, site, written.change) }
  })
}

/**
 * Records the work of a change. Locks the site's version until the transaction ends, so call it last. The order of a site's versions is the
 * order in which its writes are committed.
 */
export async function recordChange(tx: Tx, site: Site, change: Change): Promise<RecordedChange> {
  const collected = tx.local.get(COLLECTED)
  if (Array.isArray(collected)) {
    collected.push(change)
    return { ...change, version: 0 }
  }
  const work = workOf(change)
  if (work.length === 0) return { ...change, version: 0 }
  const version = await nextVersion(tx, site)
  await storeWork(tx, site, version, work.length > MAX_WORK_PER_WRITE ? [ALL] : work)
  if (version % COUNT_EVERY === 0) await collapseWork(tx, site, version)
  return { ...change, version }
}

const COLLECTED = 'collected changes'

/**
 * Runs writes within a transaction without recording their changes. The caller merges and records them.
 * @returns the result of `work`, and the changes in the order of the writes
 */
export async function collectChanges<T>(
  tx: Tx,
  work: () => Promise<T>,
): Promise<{ readonly result: T; readonly changes: readonly Change[] }> {
  const changes: Change[] = []
  tx.local.set(COLLECTED, changes)
  try {
    return { result: await work(), changes }
  } finally {
    tx.local.delete(COLLECTED)
  }
}

const ALL: Work = { kind: 'all', name: '' }

/** The things that a change touches. */
function workOf(change: Change): Work[] {
  const {
    bake,
    frame,
    frames = [],
    touched,
    pages,
    all,
    copies,
    unbound,
    chosen,
    isUsed = true,
  } = change
  const pageWork = pages.map((page): Work => ({ kind: 'page', name: String(page) }))
  if (!bake) return unbound ? pageWork : []
  if (!isUsed) return []
  if (chosen) {
    const chosenFrames = chosen.map((name): Work => ({ kind: 'frame', name }))
    return [
      ...chosenFrames,
      ...(touchesUrls(change) ? [{ kind: 'copies', name: '' } as const] : []),
    ]
  }
  return [
    ...[...(frame === undefined ? [] : [frame]), ...frames].map(
      (name): Work => ({ kind: 'frame', name }),
    ),
    ...touched.flatMap(change.outdatedOnly ? outdatedBy : workOfTouched),
    ...(copies ? [{ kind: 'copies', name: '' } as const] : []),
    ...(all ? [ALL] : []),
    ...pageWork,
  ]
}

function workOfTouched(touched: Touched): Work[] {
  if (touched.kind === 'dataset') return [touched.name.length > MAX_NAME ? ALL : touched]
  if (touched.kind !== 'frame') return [{ kind: touched.kind, name: '' }]
  return [touched.id, ...touched.slugs].map((name) => ({ kind: 'embeds', name }))
}

function outdatedBy(touched: Touched): Work[] {
  const work = workOfTouched(touched)
  // Frames that embed a written frame are built as after any write of it.
  if (touched.kind === 'frame') return work
  return work.map(({ kind, name }) => {
    if (kind === 'all') return ALL
    return { kind: 'outdated', name: kind === 'dataset' ? `${DATASET_MARK}${name}` : kind }
  })
}

/** True if the change can affect the URLs of pages or who may see them. */
export function touchesUrls({ all, touched }: Pick<Change, 'all' | 'touched'>): boolean {
  const kinds = new Set(['pages', 'languages', 'settings'])
  return all === true || touched.some(({ kind }) => kinds.has(kind))
}

async function nextVersion(tx: Tx, { blogId, globals }: Site): Promise<number> {
  const [{ insertId }] = await tx.sql.raw(
    `INSERT INTO ?? (blog_id, version) VALUES (?, LAST_INSERT_ID(1))
      ON DUPLICATE KEY UPDATE version = LAST_INSERT_ID(version + 1)`,
    [sitesTable(globals), blogId],
  )
  return insertId
}

/** Stores rows, or gives existing rows the new version. A row that waits for its next try becomes due; a claimed row stays claimed. */
async function storeWork(
  tx: Tx,
  { blogId, globals }: Site,
  version: number,
  work: readonly Work[],
): Promise<void> {
  const rows = work.map(() => '(?, ?, ?, ?, NOW(6), ?)').join()
  const values = work.flatMap(({ kind, name }) => [blogId, kind, name, version, DUE_NOW])
  await tx.sql.raw(
    `INSERT INTO ?? (blog_id, kind, name, version, since, due_at) VALUES ${rows}
      ON DUPLICATE KEY UPDATE version = VALUES(version), is_bulk = 0,
        due_at = IF(owner IS NULL, VALUES(due_at), due_at)`,
    [workTable(globals), ...values],
  )
}

/** Replaces a site's rows, except those of pages, by `all` if there are too many: nothing has been built for long. */
async function collapseWork(tx: Tx, site: Site, version: number): Promise<void> {
  const { blogId, globals } = site
  const rows = () => tx.sql(workTable(globals)).where({ blog_id: blogId }).whereNot('kind', 'page')
  const [{ count = 0 } = {}] = await rows().count<{ count: number }[]>({ count: '*' })
  if (count <= MAX_WORK_PER_SITE) return
  await rows().delete()
  await storeWork(tx, site, version, [ALL])
}
