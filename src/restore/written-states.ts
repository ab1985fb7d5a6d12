import { inBatches } from '../db/sql.ts'
import type { Tx } from '../db/transaction.ts'
import { MAX_DIFFS } from '../diff/diff-limits.ts'
import type { StateText } from '../diff/state-text.ts'
import {
  type HistoryAction,
  type HistorySite,
  type Thing,
  thingKey,
} from '../history/history-row.ts'
import { readContents } from '../history/read-history.ts'
import {
  readHistoryAhead,
  recordedWrites,
  type ThingState,
  type ThingWrite,
} from '../history/record-history.ts'

/** A thing that was written, for differences. */
export type WrittenState = Thing & {
  readonly name: string
  readonly action: HistoryAction
  /** Undefined if the thing did not exist. */
  readonly before: StateText | undefined
  readonly after: StateText | undefined
}

/** Things whose contents are read at a time, and characters of what was written to them. */
const MAX_READ_THINGS = 250
const MAX_READ_CHARACTERS = 4 * 1024 * 1024

/**
 * What the open transaction has written to things of a site, or with the blog id 0 to tokens.
 * @param characters of contents that are given; further things have none [no limit]
 */
export async function* readWrittenStates(
  tx: Tx,
  site: HistorySite,
  characters = Number.POSITIVE_INFINITY,
): AsyncGenerator<WrittenState> {
  const writes = recordedWrites(tx, site)
  // What is not compared is not read.
  const compared = characters > 0 ? writes.slice(0, MAX_DIFFS) : []
  let given = 0
  for (const batch of inBatches(compared, MAX_READ_CHARACTERS, sizeOf)) {
    const contents = given < characters ? await readUnread(tx, site, batch) : undefined
    for (const write of batch) {
      const state =
        contents && given < characters ? statesOf(write, contents) : withoutContents(write)
      given += (state.before?.content?.length ?? 0) + (state.after?.content?.length ?? 0)
      yield state
    }
  }
  yield* writes.slice(compared.length).map(withoutContents)
}

const sizeOf = ({ after }: ThingWrite): number =>
  Math.max(after?.content?.text().length ?? 0, MAX_READ_CHARACTERS / MAX_READ_THINGS)

/** The contents that writes have not read: those of frames that were stored as their last entries have them. By `thingKey`. */
async function readUnread(
  tx: Tx,
  site: HistorySite,
  writes: readonly ThingWrite[],
): Promise<ReadonlyMap<string, string>> {
  const unread = writes.filter(({ kind, before }) => kind === 'frame' && before && !before.content)
  if (unread.length === 0) return new Map()
  const { entries } = await readHistoryAhead(tx, site, unread)
  const hashes = new Map(
    unread.flatMap((write) => {
      const key = thingKey(write)
      const hash = entries.get(key)?.content
      return hash ? [[key, hash] as const] : []
    }),
  )
  const contents = await readContents(tx, site, hashes.values())
  return new Map([...hashes].map(([key, hash]) => [key, contents.get(hash) ?? '']))
}

const withoutContents = ({ kind, ref, action, before, after }: ThingWrite): WrittenState => ({
  kind,
  ref,
  name: (after ?? before)?.name ?? '',
  action,
  before: before && { fields: before.fields },
  after: after && { fields: after.fields },
})

function statesOf(write: ThingWrite, unread: ReadonlyMap<string, string>): WrittenState {
  const contentOf = (state: ThingState) => ({
    fields: state.fields,
    content: state.content?.text(),
  })
  const { before, after } = write
  const was = before && contentOf(before)
  return {
    ...withoutContents(write),
    before: was && { ...was, content: was.content ?? unread.get(thingKey(write)) },
    after: after && contentOf(after),
  }
}
