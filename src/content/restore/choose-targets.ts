import type { Db } from '../../db/database.ts'
import { AppError } from '../../host/errors.ts'
import {
  type EntryRow,
  type HistoryKind,
  type Thing,
  thingKey,
} from '../../record/history/history-row.ts'
import {
  findEntry,
  listChangedSince,
  listEntries,
  listPreviousEntries,
  type Moment,
} from '../../record/history/read-history.ts'
import type { Site } from '../../wordpress/network/site.ts'

/** What to restore: one thing to an entry, what a request or a token has written to its state before, or all things to a moment. */
export type RestoreScope =
  | { readonly entry: number }
  | { readonly requestId: string | readonly string[] }
  | { readonly tokenId: number; readonly since: string }
  | {
      readonly moment: Moment
      /** Also things without an entry since: what other programs have changed, or a lost table no longer has. */
      readonly everything?: boolean
    }

/** A thing, and the entry with the wanted state; null if the thing must not exist. */
export type RestoreTarget = {
  readonly thing: Thing
  readonly wanted: EntryRow | null
  /** Of what a request or a token has written: the entry up to which nothing else has written the thing in between. */
  readonly left?: EntryRow
}

export type RestoreTargets = {
  readonly targets: readonly RestoreTarget[]
  /** Things whose wanted state the history no longer has. */
  readonly unknown: readonly Thing[]
}

/** Things that one restore may write. */
export const MAX_RESTORED_THINGS = 10_000

const RESTORABLE = new Set(['frame', 'menu', 'location', 'assignment', 'dataset'])

/**
 * Finds the things that a restore concerns, with their wanted states.
 * @throws AppError `entry_not_found`; `restore_too_large`
 */
export async function chooseTargets(
  db: Db,
  site: Site,
  scope: RestoreScope,
): Promise<RestoreTargets> {
  const chosen = await choose(db, site, scope)
  if (chosen.targets.length > MAX_RESTORED_THINGS) throw tooLarge()
  return chosen
}

async function choose(db: Db, site: Site, scope: RestoreScope): Promise<RestoreTargets> {
  if ('entry' in scope) {
    const wanted = await findEntry(db, site, scope.entry)
    if (!wanted) throw entryNotFound(scope.entry)
    if (!RESTORABLE.has(wanted.kind)) throw notRestorable(wanted)
    return { targets: [{ thing: wanted, wanted }], unknown: [] }
  }
  if ('moment' in scope) {
    const { moment, everything = false } = scope
    await assertMoment(db, site, moment)
    const states = await listChangedSince(db, site, moment, { everything })
    return {
      targets: states.flatMap(({ thing, at }) => (at === undefined ? [] : [{ thing, wanted: at }])),
      unknown: states.flatMap(({ thing, at }) => (at === undefined ? [thing] : [])),
    }
  }
  return beforeWrites(db, site, scope)
}

/** The states before the first write of each thing by a request or a token. */
async function beforeWrites(
  db: Db,
  site: Site,
  scope: Exclude<RestoreScope, { readonly entry: number } | { readonly moment: Moment }>,
): Promise<RestoreTargets> {
  const first = new Map<string, EntryRow>()
  const left = new Map<string, EntryRow>()
  for (const entry of await listWritten(db, site, scope)) {
    const key = thingKey(entry)
    const last = left.get(key)
    if (!RESTORABLE.has(entry.kind)) continue
    if (!last) first.set(key, entry)
    if (!last || entry.previous === last.version) left.set(key, entry)
  }
  const previous = await listPreviousEntries(db, site, [...first.values()])
  const before = new Map(previous.map((entry) => [thingKey(entry), entry]))
  const targets: RestoreTarget[] = []
  const unknown: Thing[] = []
  for (const [key, { kind, ref, previous }] of first) {
    const wanted = before.get(key) ?? (previous === null ? null : undefined)
    if (wanted === undefined) unknown.push({ kind, ref })
    else targets.push({ thing: { kind, ref }, wanted, left: left.get(key) })
  }
  return { targets, unknown }
}

/** The entries of requests or of a token, oldest first. */
async function listWritten(
  db: Db,
  { blogId, globals }: Site,
  scope: Parameters<typeof beforeWrites>[2],
): Promise<EntryRow[]> {
  const ids = 'requestId' in scope ? [scope.requestId].flat() : []
  const filters = 'requestId' in scope ? ids.map((requestId) => ({ requestId })) : [scope]
  const limit = MAX_RESTORED_THINGS * 10
  const written: EntryRow[] = []
  for (const filter of filters)
    written.push(...(await listEntries(db, globals, blogId, { ...filter, order: 'oldest', limit })))
  if (written.length >= limit) throw tooLarge()
  return written.sort((a, b) => a.id - b.id)
}

/** @throws AppError `entry_not_found` if the moment is an entry that the site does not have */
export async function assertMoment(db: Db, site: Site, moment: Moment): Promise<void> {
  if ('entry' in moment && !(await findEntry(db, site, moment.entry)))
    throw entryNotFound(moment.entry)
}

export function entryNotFound(id: number): AppError {
  return new AppError(
    'entry_not_found',
    `The history of this site has no entry ${id}. List the history to find it; old entries are deleted.`,
  )
}

const notRestorable = ({ id, kind }: EntryRow): AppError =>
  new AppError(
    'entry_not_found',
    `Entry ${id} is about a ${kind}, which cannot be restored: only frames, menus, locations, pages' frames and data sets can.`,
  )

export function contentPruned(id: number): AppError {
  return new AppError(
    'entry_not_found',
    `The history no longer has the markup or the items of entry ${id}.`,
  )
}

function tooLarge(): AppError {
  return new AppError(
    'restore_too_large',
    `This restore concerns more than ${MAX_RESTORED_THINGS} things. Restore them in parts, for example to several later moments one after the other.`,
  )
}

/** Why a thing was not restored. */
type ObstacleReason =
  | 'history_pruned'
  | 'record_damaged'
  | 'slug_taken'
  | 'name_taken'
  | 'term_shared'
  | 'id_taken'
  | 'menu_missing'
  | 'frame_missing'
  | 'reference_missing'
  | 'page_missing'
  | 'item_target_missing'

/** Something that could not be restored, or not completely. Everything else was. */
export type Obstacle = {
  readonly kind: HistoryKind
  readonly ref: string
  readonly name: string
  readonly reason: ObstacleReason
  readonly message: string
}
