import type { Tx } from '../../db/transaction.ts'
import { type EntryRow, type Thing, thingKey } from '../../record/history/history-row.ts'
import { findEntryAt } from '../../record/history/read-history.ts'
import { recordedWrites, versionOfState } from '../../record/history/record-history.ts'
import type { Site } from '../../wordpress/network/site.ts'
import type { StateDiff } from '../diff/entry-diff.ts'
import { StateDiffs } from '../diff/state-diffs.ts'
import type { RestoreTarget } from './choose-targets.ts'
import { readState } from './thing-at.ts'

/** Changed things that are described; all are counted. */
const MAX_DESCRIBED = 50

/** A thing that was changed after the writes that a restore takes back. */
export type ChangedThing = Thing & {
  readonly name: string
  /** The last change; undefined if another program has made it. */
  readonly entry: EntryRow | undefined
  /** From what the writes left to what is there now. */
  readonly diff: StateDiff
}

/** Thrown inside the transaction of a restore that would overwrite later changes, so that it is rolled back. */
export class ChangedSince extends Error {
  readonly total: number
  readonly things: readonly ChangedThing[]

  constructor(total: number, things: readonly ChangedThing[]) {
    super(`${total} things were changed since`)
    this.total = total
    this.things = things
  }
}

/**
 * Compares each thing that the open transaction has written with what the writes to take back left. Frames that embed a renamed frame only follow it.
 * @throws ChangedSince
 */
export async function assertUnchanged(
  tx: Tx,
  site: Site,
  targets: readonly RestoreTarget[],
): Promise<void> {
  const known = new Map(targets.map(({ thing, left }) => [thingKey(thing), left]))
  const diffs = new StateDiffs(site)
  const things: ChangedThing[] = []
  for (const write of recordedWrites(tx, site)) {
    const { kind, ref, before, after } = write
    const left = known.get(thingKey(write))
    const version = before ? versionOfState(before) : null
    if (left ? left.version === version : kind === 'frame') continue
    const newest = await findEntryAt(tx, site, write, { entry: Number.MAX_SAFE_INTEGER })
    const entry = newest?.version === version ? newest : undefined
    const was = left && (await readState(tx, site, left))
    const is = entry
      ? await readState(tx, site, entry)
      : before && { fields: before.fields, content: before.content?.text() }
    const diff = await diffs.diff(kind, was, is)
    // What was written again as it was, for example by another restore, has only other dates.
    if (diff.text === '') continue
    things.push({ kind, ref, name: (before ?? after)?.name ?? ref, entry, diff })
  }
  if (things.length > 0) throw new ChangedSince(things.length, things.slice(0, MAX_DESCRIBED))
}
