import type { Tx } from '../../db/transaction.ts'
import { mapYielding } from '../../host/concurrency/for-each.ts'
import { inTimeSlice } from '../../host/concurrency/time-slices.ts'
import { sha256Hex } from '../../host/hash.ts'
import type {
  HistoryAction,
  HistoryKind,
  HistorySite,
  Thing,
} from '../../record/history/history-row.ts'
import {
  recordedWrites,
  type ThingState,
  type ThingWrite,
  versionOfState,
} from '../../record/history/record-history.ts'
import { IGNORED_FIELDS, presentDiff, type StateDiff } from '../diff/entry-diff.ts'
import { StateDiffs } from '../diff/state-diffs.ts'
import { readWrittenStates, type WrittenState } from '../restore/written-states.ts'

/** What a transaction has written to one thing. */
type WrittenThing = Thing & {
  readonly name: string
  readonly action: HistoryAction
  readonly diff: string
  readonly items?: StateDiff['items']
  /** Whether the difference was shortened. */
  readonly shortened?: true
}

export type WrittenThings = {
  /** Equal digests: the same things were written from the same states to the same states. Dates, and ids of new things, are left out. */
  readonly digest: string
  readonly things: readonly WrittenThing[]
}

/** What the open transaction has written to things of a site, or with the blog id 0 to tokens. */
export async function readWrittenThings(tx: Tx, site: HistorySite): Promise<WrittenThings> {
  const things = await compareStates(site, readWrittenStates(tx, site))
  return { digest: await digestOf(recordedWrites(tx, site)), things }
}

/** The differences of written states. */
export async function compareStates(
  site: Pick<HistorySite, 'blogId'>,
  states: AsyncIterable<WrittenState> | Iterable<WrittenState>,
): Promise<WrittenThing[]> {
  const things: WrittenThing[] = []
  const diffs = new StateDiffs(site)
  for await (const { before, after, ...thing } of states)
    things.push({ ...thing, ...presentDiff(await diffs.diff(thing.kind, before, after)) })
  return things
}

/** The kinds of things whose ids are given when they are created. The refs of all others say what they concern: the page, the location. */
const WITH_GIVEN_IDS: ReadonlySet<HistoryKind> = new Set(['frame', 'menu', 'token', 'webhook'])

const hasNewId = ({ kind, before }: ThingWrite): boolean => !before && WITH_GIVEN_IDS.has(kind)

async function digestOf(writes: readonly ThingWrite[]): Promise<string> {
  const created = createdIds(writes)
  const rowOf = async (write: ThingWrite): Promise<string> => {
    const { kind, ref, action, before, after } = write
    const wanted = after ? await comparable(write, after, created) : null
    const row = [
      kind,
      hasNewId(write) ? 'new' : ref,
      (after ?? before)?.name,
      action,
      before ? versionOfState(before) : null,
      wanted,
    ]
    return inTimeSlice(() => JSON.stringify(row))
  }
  const rows: string[] = []
  for (const write of writes) rows.push(await rowOf(write))
  return inTimeSlice(() => sha256Hex(rows.sort().join('\n')))
}

/** Names for the ids of things that a write creates: another run of the write gives them other ids. */
type CreatedIds = ReadonlyMap<HistoryKind, ReadonlyMap<string, string>>

function createdIds(writes: readonly ThingWrite[]): CreatedIds {
  const created = new Map<HistoryKind, Map<string, string>>()
  for (const write of writes) {
    const { kind, ref, after } = write
    if (!after || !hasNewId(write)) continue
    const ids = created.get(kind) ?? new Map<string, string>()
    created.set(kind, ids.set(ref, `new ${kind} ${after.name}`))
  }
  return created
}

/** The kinds of things whose ids the fields of these contain. */
const REFERENCED: { readonly [Kind in HistoryKind]?: HistoryKind } = {
  location: 'menu',
  assignment: 'frame',
}

async function comparable(
  { kind, before }: ThingWrite,
  { fields, content }: ThingState,
  created: CreatedIds,
): Promise<unknown> {
  const ids = created.get(REFERENCED[kind] ?? kind) ?? new Map()
  const kept = Object.entries(fields).filter(([name]) => !isVolatile(name))
  return [
    renamed(Object.fromEntries(kept), ids),
    kind === 'menu' && content ? await comparableItems(content, before?.content) : content?.hash,
  ]
}

const isVolatile = (field: string): boolean => IGNORED_FIELDS.has(field) || field === 'revoked_at'

async function comparableItems(
  after: { text(): string },
  before: { text(): string } | undefined,
): Promise<unknown> {
  const known = new Set((await itemsIn(before?.text() ?? '[]')).map(({ id }) => id))
  const items = await itemsIn(after.text())
  const ids = items.map(({ id }, index) => [String(id), `new item ${index}`] as const)
  const created = new Map(ids.filter((_, index) => !known.has(items[index]?.id ?? 0)))
  return mapYielding(items, (item) => renamed(item, created))
}

const itemsIn = (text: string): Promise<{ readonly id: number }[]> =>
  inTimeSlice(() => JSON.parse(text))

/** The value with these ids replaced, as numbers and as texts. */
function renamed(value: unknown, ids: ReadonlyMap<string, string>): unknown {
  if (Array.isArray(value)) return value.map((one) => renamed(one, ids))
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, renamed(one, ids)]))
  return (typeof value === 'number' || typeof value === 'string') && ids.get(String(value))
    ? ids.get(String(value))
    : value
}
