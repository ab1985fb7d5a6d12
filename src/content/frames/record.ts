import { encodePhp, phpTrim, SerializedError } from '#php-serialized'
import { AppError } from '../../host/errors.ts'
import { sha256Hex } from '../../host/hash.ts'
import { ZERO_DATE } from '../../wordpress/dates.ts'
import { idIn, optionText, unserialize } from '../../wordpress/stored-value.ts'
import type { MarkupReport } from '../markup/markup-report.ts'

/** The record of a frame, stored in the option `svc_frame_<id>`. Times are GMT, `YYYY-MM-DD HH:MM:SS`. */
export type FrameRecord = {
  readonly slug: string
  /** The markup, byte for byte as received. */
  readonly html: string
  readonly created_at_gmt: string
  readonly updated_at_gmt: string
  /** Id of the user who wrote last; 0 if unknown: the legacy endpoint does not store it. */
  readonly updated_by: number
}

/** Encodes a record as the option value: a serialized PHP array. */
export function encodeRecord(record: FrameRecord): string {
  return encodePhp(record)
}

/**
 * Decodes a stored record. The legacy endpoint stored other formats, which are accepted too: a PHP array or JSON with `html`, `markup` or
 * `content`, or bare markup.
 * @param slug the slug in the registry, which overrides the one in the record
 * @throws AppError `frame_unreadable` if a PHP array is damaged or contains no markup
 */
export function decodeRecord(text: string, id: string, slug: string): FrameRecord {
  return inspectRecord(text, id, slug).record
}

/** A record, and properties of its stored form. */
export type InspectedRecord = {
  readonly record: FrameRecord
  /** Whether it is stored in the format that `encodeRecord` writes. */
  readonly isCurrentFormat: boolean
  /** The slug in the record itself, unvalidated; undefined if there is none. */
  readonly storedSlug: unknown
}

const RECORD_FIELDS = ['slug', 'html', 'created_at_gmt', 'updated_at_gmt', 'updated_by']

/** Decodes a record like `decodeRecord`, and reports its stored form. */
export function inspectRecord(text: string, id: string, slug: string): InspectedRecord {
  const array = decodeArray(text, id)
  const fields = array ?? decodeJson(text) ?? new Map([['html', bareMarkup(text)]])
  const html = markupOf(fields)
  // The markup may have an unknown key. If the frame were read as empty, a write would overwrite the markup.
  if (html === undefined) throw frameUnreadable(id, 'contains no markup')
  return {
    record: {
      slug,
      html,
      created_at_gmt: dateOf(fields, 'created_at_gmt'),
      updated_at_gmt: dateOf(fields, 'updated_at_gmt'),
      updated_by: idIn(fields.get('updated_by')),
    },
    isCurrentFormat: array !== undefined && RECORD_FIELDS.every((field) => array.has(field)),
    storedSlug: fields.get('slug'),
  }
}

/** The slug in a record, unvalidated, and the time of its last write. */
export type RecordNames = { readonly slug: unknown; readonly updatedAt: string }

/** The start and the end of a stored record, and its total length in bytes. */
export type RecordEnds = { readonly bytes: number; readonly start: string; readonly end: string }

const RECORD_START = /^a:5:\{s:4:"slug";s:\d+:"([a-z0-9_-]*)";s:4:"html";s:(\d+):"/
const RECORD_END =
  /";s:14:"created_at_gmt";s:19:"[\d: -]{19}";s:14:"updated_at_gmt";s:19:"([\d: -]{19})";s:10:"updated_by";i:\d+;\}$/

/** Reads the names of a record in the current format without its markup; undefined if the whole record must be read. */
export function readRecordNamesFromEnds({
  bytes,
  start,
  end,
}: RecordEnds): RecordNames | undefined {
  const [head, slug, length] = RECORD_START.exec(start) ?? []
  const [tail, updatedAt] = RECORD_END.exec(end) ?? []
  if (head === undefined || tail === undefined || updatedAt === undefined) return undefined
  // Head and tail are ASCII. They belong to the record itself, and not to its markup, only if the markup fills the rest.
  return head.length + Number(length) + tail.length === bytes ? { slug, updatedAt } : undefined
}

/** Reads the names of a record in any format, to rebuild a missing registry. */
export function readRecordNames(text: string): RecordNames {
  let fields: Fields | undefined
  try {
    fields = decodeArray(text, '') ?? decodeJson(text)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
  }
  return fields
    ? { slug: fields.get('slug'), updatedAt: dateOf(fields, 'updated_at_gmt') }
    : { slug: undefined, updatedAt: ZERO_DATE }
}

/** Decodes a record; an unreadable one becomes an empty record, so that it does not hide the other frames. */
export function decodeRecordOrEmpty(text: string, id: string, slug: string): FrameRecord {
  try {
    return decodeRecord(text, id, slug)
  } catch (error) {
    if (error instanceof AppError) return decodeRecord('', id, slug)
    throw error
  }
}

type Fields = ReadonlyMap<unknown, unknown>

const markupOf = (fields: Fields): string | undefined =>
  ['html', 'markup', 'content']
    .map((key) => fields.get(key))
    .find((value) => typeof value === 'string')

const dateOf = (fields: Fields, key: string): string =>
  /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.exec(String(fields.get(key)))?.[0] ?? ZERO_DATE

/** Undoes WordPress's double serialization of texts that look serialized; a text that only looks so is the markup itself. */
const bareMarkup = (text: string): string => optionText(text) || text

function decodeArray(text: string, id: string): Fields | undefined {
  if (!/^a:\d+:\{/.test(phpTrim(text))) return undefined
  try {
    const value = unserialize(text)
    return value instanceof Map ? value : undefined
  } catch (error) {
    if (!(error instanceof SerializedError)) throw error
    throw frameUnreadable(id, `is damaged: ${error.message}`, { offset: error.offset })
  }
}

function frameUnreadable(id: string, problem: string, where: { offset?: number } = {}): AppError {
  return new AppError(
    'frame_unreadable',
    `The stored record of frame ${id} ${problem}. Replace the frame's markup to repair it.`,
    { id, ...where },
  )
}

function decodeJson(text: string): Fields | undefined {
  if (!text.startsWith('{')) return undefined
  try {
    const fields: Fields = new Map(Object.entries(JSON.parse(text)))
    return markupOf(fields) === undefined ? undefined : fields
  } catch {
    return undefined
  }
}

/**
 * Data of a frame for lists and the dependency graph, stored beside the record in `svc_frame_<id>_meta` so that they need no markup.
 * JSON, because only the service reads it, up to 2,000 at a time.
 */
export type FrameMeta = { readonly bytes: number; readonly sha256: string } & MarkupSummary &
  Omit<FrameRecord, 'slug' | 'html'>

/** The part of a markup report that the meta contains. Its reasons are those of the markup itself, without its embedded frames. */
export type MarkupSummary = Pick<
  MarkupReport,
  'inserts' | 'sources' | 'references' | 'binds' | 'live_reasons'
>

/** A frame with its markup and its meta. */
export type Frame = { readonly id: string; readonly record: FrameRecord; readonly meta: FrameMeta }

/** The meta of a record whose markup has this report. */
export function metaOf(record: FrameRecord, report: MarkupSummary): FrameMeta {
  const { html, created_at_gmt, updated_at_gmt, updated_by } = record
  const written = { created_at_gmt, updated_at_gmt, updated_by }
  return {
    bytes: Buffer.byteLength(html),
    sha256: sha256Hex(html),
    ...summaryOf(report),
    ...written,
  }
}

export const summaryOf = (report: MarkupSummary): MarkupSummary => {
  const { inserts, sources, references, binds, live_reasons } = report
  return { inserts, sources, references, binds, live_reasons }
}

/** Whether the meta belongs to this version of the record. The legacy endpoint writes records without updating their meta. */
export function isMetaOf(meta: FrameMeta, record: FrameRecord): boolean {
  return (
    meta.bytes === Buffer.byteLength(record.html) &&
    meta.created_at_gmt === record.created_at_gmt &&
    meta.updated_at_gmt === record.updated_at_gmt &&
    meta.updated_by === record.updated_by &&
    meta.sha256 === sha256Hex(record.html)
  )
}

/** Decodes a stored meta; undefined if it is missing or invalid and must be created again. */
export function decodeMeta(text: string): FrameMeta | undefined {
  try {
    const meta: FrameMeta = JSON.parse(text)
    return Array.isArray(meta.references) && Array.isArray(meta.live_reasons) ? meta : undefined
  } catch {
    return undefined
  }
}

/** The digest that identifies markup. */
