import type { Tx } from '../../db/transaction.ts'
import { AppError } from '../../host/errors.ts'
import { sha256Hex } from '../../host/hash.ts'
import { type Thing, thingKey } from '../../record/history/history-row.ts'
import {
  readHistoryAhead,
  recordHistory,
  type ThingState,
  type ThingWrite,
} from '../../record/history/record-history.ts'
import type { Site } from '../../wordpress/network/site.ts'
import { recordOption } from './option-names.ts'
import { decodeRecord, type FrameRecord } from './record.ts'
import { type FrameName, readRecordTexts, readRegistry } from './registry.ts'

/** The frame that a page is assigned to, as the history records it. */
export type AssignmentFields = { readonly frame: string }

/** The fields of a frame in the history; the markup is the content. */
export type FrameFields = Omit<FrameRecord, 'html'> & {
  /** The record was damaged. The content is the record as it was stored. */
  readonly damaged?: true
}

/** A frame before and after a write: what is stored of it, and what will be. */
export type StagedFrame = {
  readonly id: string
  /** The slug before the write; undefined for a frame that the registry does not list. */
  readonly slug: string | undefined
  /** Undefined if the write deletes the frame. */
  readonly after:
    | { readonly record: FrameRecord; readonly text: string; readonly sha256: string }
    | undefined
  /** No frame has had the id. */
  readonly isNew: boolean
}

/**
 * Records writes of frames in the history. Call it before the records are overwritten. Only a record that is not as the history has it is
 * read itself.
 * @param digests those of the staged frames that are not new
 */
export async function recordFrames(
  tx: Tx,
  site: Site,
  staged: readonly StagedFrame[],
  digests: RecordDigests,
): Promise<void> {
  const changed = staged.flatMap(({ id }) => (digests.get(id)?.isKnown === false ? id : []))
  const records = await readRecordTexts(tx, site, changed)
  for (const frame of staged) {
    const digest = frame.isNew ? undefined : digests.get(frame.id)?.digest
    const text = records.get(frame.id)
    const before = digest === undefined ? undefined : stateBefore(frame, digest, text)
    recordHistory(tx, site, { ...writeOf(frame, before), isNew: frame.isNew })
  }
}

/**
 * Records frames that another program has edited since their last entry, when the edits are found. Frames that have no entry yet are left
 * out. The caller has locked the registry.
 */
export async function recordEditedFrames(
  tx: Tx,
  site: Site,
  ids: readonly string[],
): Promise<void> {
  const registry = await readRegistry(tx, site)
  const listed = new Map(ids.flatMap((id) => registry.find(id) ?? []).map((one) => [one.id, one]))
  if (listed.size === 0) return
  const digests = await readRecordDigests(tx, site, [...listed.keys()])
  const edited = [...digests].flatMap(([id, one]) => (one.hasEntry && !one.isKnown ? id : []))
  for (const [id, text] of await readRecordTexts(tx, site, edited)) {
    const state = stateOfRecord(id, listed.get(id)?.slug ?? id, text)
    recordHistory(tx, site, {
      kind: 'frame',
      ref: id,
      action: 'edited',
      before: state,
      after: state,
    })
  }
}

type StoredDigest = {
  readonly digest: string
  /** Whether it is the one of the last entry. */
  readonly isKnown: boolean
  readonly hasEntry: boolean
}

/** By id, of the frames that have a record. */
export type RecordDigests = ReadonlyMap<string, StoredDigest>

/** Reads the digests of the stored records of frames, and the last entries of the frames, in one statement. */
export async function readRecordDigests(
  tx: Tx,
  site: Site,
  ids: readonly string[],
): Promise<RecordDigests> {
  const digests = new Map<string, StoredDigest>()
  if (ids.length === 0) return digests
  const thingOf = (id: string): Thing => ({ kind: 'frame', ref: id })
  const { entries, stored } = await readHistoryAhead(tx, site, ids.map(thingOf), {
    table: site.tables.options,
    nameColumn: 'option_name',
    textColumn: 'option_value',
    names: ids.map(recordOption),
  })
  for (const id of ids) {
    const digest = stored.get(recordOption(id))
    if (digest === undefined) continue
    const last = entries.get(thingKey(thingOf(id)))
    const hasEntry = last !== undefined && last !== null
    digests.set(id, { digest, isKnown: last?.version === digest, hasEntry })
  }
  return digests
}

/** @param text the record; undefined if it is the one of the last entry, whose content is known */
function stateBefore(
  { id, slug }: StagedFrame,
  version: string,
  text: string | undefined,
): ThingState {
  if (text === undefined) return { name: slug ?? id, fields: { slug: slug ?? id }, version }
  return stateOfRecord(id, slug ?? id, text)
}

function stateOfRecord(id: string, slug: string, text: string): ThingState {
  const version = sha256Hex(text)
  try {
    return stateOfFrame(decodeRecord(text, id, slug), version)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    const fields = { slug, damaged: true }
    return { name: slug, fields, content: { hash: sha256Hex(text), text: () => text }, version }
  }
}

function stateOfFrame(
  { html, ...fields }: FrameRecord,
  version: string,
  sha256 = sha256Hex(html),
): ThingState {
  return { name: fields.slug, fields, content: { hash: sha256, text: () => html }, version }
}

function writeOf(
  { id, slug, after }: StagedFrame,
  before: ThingState | undefined,
): Omit<ThingWrite, 'isNew'> {
  const thing = { kind: 'frame', ref: id, before } as const
  if (!after) return { ...thing, action: 'deleted', after: undefined }
  const { record, text, sha256 } = after
  const state = stateOfFrame(record, sha256Hex(text), sha256)
  if (!before) return { ...thing, action: 'created', after: state }
  return { ...thing, action: slug === record.slug ? 'replaced' : 'renamed', after: state }
}

/** A page that is assigned to a frame, or taken off it. */
export type PageFrame = {
  readonly pageId: number
  /** The id of the frame before; one that exists is given with its slug. */
  readonly before: FrameName | string | undefined
  readonly frame: FrameName | undefined
}

export function recordAssignments(tx: Tx, site: Site, pages: readonly PageFrame[]): void {
  for (const { pageId, before, frame } of pages) {
    recordHistory(tx, site, {
      kind: 'assignment',
      ref: String(pageId),
      action: frame ? 'assigned' : 'cleared',
      before:
        before === undefined
          ? undefined
          : stateOfAssignment(typeof before === 'string' ? { id: before, slug: before } : before),
      after: frame && stateOfAssignment(frame),
    })
  }
}

const stateOfAssignment = ({ id, slug }: FrameName): ThingState => {
  const fields: AssignmentFields = { frame: id }
  return { name: slug, fields }
}
