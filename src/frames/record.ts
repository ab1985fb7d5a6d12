import { AppError } from '../errors.ts'
import { sha256Hex } from '../hash.ts'
import type { MarkupReport } from '../markup/markup-report.ts'
import { ZERO_DATE } from '../wordpress/dates.ts'
import { decodePhp } from '../wordpress/serialized/decode-php.ts'
import { encodePhp } from '../wordpress/serialized/encode-php.ts'
import { SerializedError } from '../wordpress/serialized/php-value.ts'
import { optionText } from '../wordpress/serialized/stored-value.ts'

/** What the option `svc_frame_<id>` holds (decisions, section 5); times are GMT, `YYYY-MM-DD HH:MM:SS`. */
export type FrameRecord = {
  readonly slug: string
  /** The markup, byte for byte as it was sent. */
  readonly html: string
  readonly created_at_gmt: string
  readonly updated_at_gmt: string
  /** Id of the user who last wrote; 0 where an older endpoint didn't note it. */
  readonly updated_by: number
}

/** The option's text of a record: a PHP array. */
export function encodeRecord(record: FrameRecord): string {
  return encodePhp(record)
}

/**
 * The record in an option's text, in any of the forms that an older endpoint may have left: a PHP array with `html`,
 * `markup` or `content`, the same as JSON, or the bare markup.
 * @param slug the frame's slug in the registry, which says what its name is
 * @throws AppError `frame_unreadable` where a PHP array is damaged or holds no markup
 */
export function decodeRecord(text: string, id: string, slug: string): FrameRecord {
  return inspectRecord(text, id, slug).record
}

/** A record and how it was stored. */
export type InspectedRecord = {
  readonly record: FrameRecord
  /** In the form in which a record is written today. */
  readonly isCurrentFormat: boolean
  /** The slug that the record itself says, whatever it is; undefined for none. */
  readonly storedSlug: unknown
}

const RECORD_FIELDS = ['slug', 'html', 'created_at_gmt', 'updated_at_gmt', 'updated_by']

/** As `decodeRecord`, with what it says of the record's form. */
export function inspectRecord(text: string, id: string, slug: string): InspectedRecord {
  const array = decodeArray(text, id)
  const fields = array ?? decodeJson(text) ?? new Map([['html', bareMarkup(text)]])
  const html = markupOf(fields)
  // It may lie under a name that we don't know: taken for an empty frame, it would be written over.
  if (html === undefined) throw frameUnreadable(id, 'holds no markup')
  return {
    record: {
      slug,
      html,
      created_at_gmt: dateOf(fields, 'created_at_gmt'),
      updated_at_gmt: dateOf(fields, 'updated_at_gmt'),
      updated_by: Number(fields.get('updated_by')) || 0,
    },
    isCurrentFormat: array !== undefined && RECORD_FIELDS.every((field) => array.has(field)),
    storedSlug: fields.get('slug'),
  }
}

/** What a record itself says of its name, as it stands there, and when it was written. */
export type RecordNames = { readonly slug: unknown; readonly updatedAt: string }

/** The start and the end of a record's text, and the length of all of it in bytes. */
export type RecordEnds = { readonly bytes: number; readonly start: string; readonly end: string }

const RECORD_START = /^a:5:\{s:4:"slug";s:\d+:"([a-z0-9_-]*)";s:4:"html";s:(\d+):"/
const RECORD_END =
  /";s:14:"created_at_gmt";s:19:"[\d: -]{19}";s:14:"updated_at_gmt";s:19:"([\d: -]{19})";s:10:"updated_by";i:\d+;\}$/

/** As `readRecordNames`, of a record in today's form, without its markup. Undefined where the whole text has to be read. */
export function readRecordNamesFromEnds({
  bytes,
  start,
  end,
}: RecordEnds): RecordNames | undefined {
  const [head, slug, length] = RECORD_START.exec(start) ?? []
  const [tail, updatedAt] = RECORD_END.exec(end) ?? []
  if (head === undefined || tail === undefined || updatedAt === undefined) return undefined
  // Both are ASCII. Only where the markup fills what is between, they are the record's own.
  return head.length + Number(length) + tail.length === bytes ? { slug, updatedAt } : undefined
}

/** What a record says of its names: all that is known where a site has lost its registry. */
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

/** The record in an option's text, or an empty one where it can't be read: one bad record must not hide the other frames. */
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

/** WordPress serialized once more what looked serialized; a text that only looks so is the markup itself. */
const bareMarkup = (text: string): string => optionText(text) || text

function decodeArray(text: string, id: string): Fields | undefined {
  if (!/^a:\d+:\{/.test(text)) return undefined
  try {
    const value = decodePhp(text)
    return value instanceof Map ? value : undefined
  } catch (error) {
    if (!(error instanceof SerializedError)) throw error
    throw frameUnreadable(id, `is damaged: ${error.message}`, { offset: error.offset })
  }
}

function frameUnreadable(id: string, fault: string, where: { offset?: number } = {}): AppError {
  return new AppError(
    'frame_unreadable',
    `The stored record of frame ${id} ${fault}. Send its markup again with PUT to replace the record.`,
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
 * What lists and the dependency graph need of a frame, kept beside its record so that no markup is read for it
 * (decisions, section 5). JSON: our own, and read two thousand at a time.
 */
export type FrameMeta = {
  readonly bytes: number
  readonly sha256: string
  readonly inserts: Readonly<Record<string, number>>
  readonly sources: readonly string[]
  /** What the markup embeds, as it names it: slugs and ids. */
  readonly references: readonly string[]
  readonly binds: number
  /** Why the markup itself needs the page, a string each. */
  readonly live_reasons: readonly string[]
  readonly created_at_gmt: string
  readonly updated_at_gmt: string
  readonly updated_by: number
}

/** What the meta has of the report of a frame's markup. */
export type MarkupSummary = Pick<
  MarkupReport,
  'inserts' | 'sources' | 'references' | 'binds' | 'live_reasons'
>

/** The meta of a record whose markup has this report. */
export function metaOf(record: FrameRecord, report: MarkupSummary): FrameMeta {
  return {
    bytes: Buffer.byteLength(record.html),
    sha256: sha256Hex(record.html),
    inserts: report.inserts,
    sources: report.sources,
    references: report.references,
    binds: report.binds,
    live_reasons: report.live_reasons,
    created_at_gmt: record.created_at_gmt,
    updated_at_gmt: record.updated_at_gmt,
    updated_by: record.updated_by,
  }
}

/** Does the meta tell of this record as it is? An older endpoint writes the record alone. */
export function isMetaOf(meta: FrameMeta, record: FrameRecord): boolean {
  return (
    meta.bytes === Buffer.byteLength(record.html) &&
    meta.created_at_gmt === record.created_at_gmt &&
    meta.updated_at_gmt === record.updated_at_gmt &&
    meta.updated_by === record.updated_by &&
    meta.sha256 === sha256Hex(record.html)
  )
}

/** The meta in an option's text; undefined for one that was left by something else and has to be made anew. */
export function decodeMeta(text: string): FrameMeta | undefined {
  try {
    const meta: FrameMeta = JSON.parse(text)
    return Array.isArray(meta.references) && Array.isArray(meta.live_reasons) ? meta : undefined
  } catch {
    return undefined
  }
}

/** The digest that identifies markup. */
