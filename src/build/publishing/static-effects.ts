import type { Db } from '../../db/database.ts'
import type { StaticEffect, StaticReason } from '../../host/effects.ts'
import { type CopyRecord, type CopySite, readCopyRecords } from './copies-table.ts'

/** The copy of a page that exists, or existed before the page was published. */
type ExistingCopy = Pick<CopyRecord, 'url' | 'htmlBytes'>

/** The effect on a page's copy. Without further properties, there is no copy now. */
function effectOf(
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
 * @param described by `describeRecords`: the old copy may still exist and be served; undefined if unknown
 */
export function failedEffect(described: StaticEffect | undefined, message: string): StaticEffect {
  return described === undefined
    ? noCopyEffect('failed', message)
    : { ...described, reason: 'failed', message }
}

export const DELETED = { reason: 'page_not_public', message: 'The page was deleted.' } as const
export const NO_FOLDER = {
  reason: 'page_not_public',
  message: "The page's URL cannot be mapped to a file.",
} as const

/** The complete copy that a record describes. */
export const recordedCopy = (record: CopyRecord | undefined): ExistingCopy | undefined =>
  record?.digest === undefined ? undefined : record

/** The effects of pages that are not published now, by the records of their copies: reading these would take longer, and this process may not reach them. */
export async function describeRecords(
  db: Db,
  site: CopySite,
  pages: readonly number[],
  message: string,
): Promise<Map<number, StaticEffect>> {
  const records = await readCopyRecords(db, site, pages)
  return new Map(
    pages.map((page) => [page, unchangedEffect(recordedCopy(records.get(page)), message)]),
  )
}
