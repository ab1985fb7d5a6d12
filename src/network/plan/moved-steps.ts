import type { Db } from '../../db/database.ts'
import type { EntryRow, HistoryAction } from '../../record/history/history-row.ts'
import { listPreviousEntries, readEntries } from '../../record/history/read-history.ts'
import type { Site } from '../../wordpress/network/site.ts'
import { describeWriter, type MovedStep, type Step } from './site-plan.ts'

/** Who wrote a thing last, since a moment. Undefined if the service has not written it: another program has. */
export type LastWriter = Pick<
  EntryRow,
  'user_id' | 'token_id' | 'label' | 'request_id' | 'created_at' | 'action' | 'id'
>

/** Steps whose writers are searched. */
const MAX_STEPS = 500

/**
 * Finds who wrote the things of these steps since a time, besides a run itself.
 * @param since GMT, with milliseconds
 * @returns the last entry by another author, in the order of the steps
 */
export async function findLastWriters(
  db: Db,
  { blogId, globals }: Site,
  steps: readonly Step[],
  { since, runId }: { readonly since: string; readonly runId: string },
): Promise<(LastWriter | undefined)[]> {
  const searched = steps.slice(0, MAX_STEPS)
  if (searched.length === 0) return []
  // A deleted frame is found by its slug, and a deleted menu by the slug in its former states.
  const entries = await readEntries(
    db,
    globals,
    `blog_id = :blogId AND created_at >= :since AND (request_id IS NULL OR request_id <> :runId)
      AND kind IN (:kinds)`,
    { blogId, since, runId, kinds: [...new Set(searched.map(({ kind }) => kind))] },
    `ORDER BY id DESC LIMIT ${MAX_ENTRIES}`,
  )
  const menus = searched.some(({ kind, ref }) => kind === 'menu' && ref === undefined)
    ? await readMenuSlugs(db, { blogId, globals }, entries)
    : new Map<string, string>()
  return searched.map(({ kind, ref, name }) =>
    entries.find(
      (entry) =>
        entry.kind === kind &&
        !WITHOUT_AUTHOR.has(entry.action) &&
        (ref === undefined
          ? (kind === 'menu' ? menus.get(entry.ref) : entry.name) === name
          : entry.ref === ref),
    ),
  )
}

/** Entries of what another program has written. */
const WITHOUT_AUTHOR = new Set<HistoryAction>(['found', 'edited'])

/** Entries since the moment that are searched. */
const MAX_ENTRIES = 5000

/** The slugs of deleted menus, by id, from the states before their deletion. */
async function readMenuSlugs(
  db: Db,
  { blogId, globals }: Pick<Site, 'blogId' | 'globals'>,
  entries: readonly EntryRow[],
): Promise<Map<string, string>> {
  const deleted = entries.filter(({ kind, state }) => kind === 'menu' && state === null)
  const before = await listPreviousEntries(db, { blogId, globals }, deleted)
  return new Map(before.map(({ ref, state }) => [ref, String(JSON.parse(state ?? '{}').slug)]))
}

/** One line for each moved step. */
export function describeMoved(
  moved: readonly MovedStep[],
  writers: readonly (LastWriter | undefined)[],
): string {
  const lines = moved.slice(0, MAX_LINES).map(({ expected, found }, index) => {
    const { kind, name } = expected ?? found ?? { kind: '', name: '' }
    const was = expected ? expected.action : 'nothing to do'
    const is = found ? found.action : 'nothing to do'
    const change = was === is ? 'its content differs' : `planned: ${was}, now: ${is}`
    return `${kind} ${name}: ${change} (${describeWriter(writers[index])})`
  })
  const more = moved.length - lines.length
  return [...lines, ...(more > 0 ? [`and ${more} more`] : [])].join('\n')
}

const MAX_LINES = 20
