import { inBatches } from '../../db/sql.ts'
import type { Tx } from '../../db/transaction.ts'
import {
  type HistoryAction,
  type HistorySite,
  type Thing,
  thingKey,
} from '../../record/history/history-row.ts'
import { readContents } from '../../record/history/read-history.ts'
import {
  readHistoryAhead,
  recordedWrites,
  type ThingWrite,
} from '../../record/history/record-history.ts'
import { MAX_DIFFS } from '../diff/diff-limits.ts'
import type { StateText } from '../diff/entry-diff.ts'

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
 * @param isCompared false leaves out all contents [true]. More than one answer compares have none either
 */
export async function* readWrittenStates(
  tx: Tx,
  site: HistorySite,
  isCompared = true,
): AsyncGenerator<WrittenState> {
  const writes = recordedWrites(tx, site)
  const compared = isCompared ? writes.slice(0, MAX_DIFFS) : []
  for (const batch of inBatches(compared, MAX_READ_CHARACTERS, sizeOf)) {
    const contents = await readUnread(tx, site, batch)
    for (const write of batch) {
      const { before, after } = stateOf(write)
      const was = write.before?.content?.text() ?? contents.get(thingKey(write))
      const is = write.after?.content?.text()
      yield {
        ...stateOf(write),
        before: before && { ...before, content: was },
        after: after && { ...after, content: is },
      }
    }
  }
  yield* writes.slice(compared.length).map(stateOf)
}

const sizeOf = ({ after }: ThingWrite): number =>
  Math.max(after?.content?.text().length ?? 0, MAX_READ_CHARACTERS / MAX_READ_THINGS)

const stateOf = ({ kind, ref, action, before, after }: ThingWrite): WrittenState => ({
  kind,
  ref,
  name: (after ?? before)?.name ?? '',
  action,
  before: before && { fields: before.fields },
  after: after && { fields: after.fields },
})

/** The contents that writes have not read: those of frames that were stored as their last entries have them. By `thingKey`. */
async function readUnread(
  tx: Tx,
  site: HistorySite,
  writes: readonly ThingWrite[],
): Promise<ReadonlyMap<string, string>> {
  const unread = writes.filter(({ kind, before }) => kind === 'frame' && before && !before.content)
  const { entries } = await readHistoryAhead(tx, site, unread)
  const hashes = unread.map((write) => entries.get(thingKey(write))?.content ?? '')
  const contents = await readContents(tx, site, hashes)
  return new Map(unread.map((one, at) => [thingKey(one), contents.get(hashes[at] ?? '') ?? '']))
}
