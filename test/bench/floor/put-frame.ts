import { randomBytes } from 'node:crypto'
import type { PoolConnection, ResultSetHeader, RowDataPacket } from 'mysql2/promise'
import {
  createBakedCopy,
  encodeBakedCopy,
  fingerprint,
} from '../../../src/build/baking/baked-copy.ts'
import { encodeRecord, type FrameRecord, metaOf } from '../../../src/content/frames/record.ts'
import { encodePieces } from '../../../src/content/markup/evaluation/pieces.ts'
import { sha256Hex } from '../../../src/host/hash.ts'
import { compressContent } from '../../../src/record/history/content.ts'
import { type Frame, keepWritten, readFrames, versionIn } from './frames.ts'
import type { Scope } from './scope.ts'

/**
 * `PUT /frames/{ref}` with markup that has no inserts and no binds, of a frame without dependents and pages: the rows of the service in one
 * transaction, with two round trips besides the one that authorizes. Nothing is parsed.
 * @param scope the connections of its pool accept several statements in a packet
 * @throws Error if the write is another one
 */
export async function putFrame(scope: Scope, ref: string, html: string): Promise<object> {
  const frames = await readFrames(scope)
  const frame = frames.byRef.get(ref)
  if (!frame) throw new Error(`no frame ${ref}`)
  const connection = await scope.pool.getConnection()
  try {
    const locked = await lock(connection, scope, frame)
    if (locked.version !== frames.version) throw new Error('another program has written a frame')
    const { isOnPage, stored, recorded } = locked
    if (
      isOnPage ||
      (frames.embedders.get(frame.id)?.length ?? 0) > 0 ||
      /svc\/|data-op-/.test(html)
    )
      throw new Error(
        'the floor only replaces plain markup of a frame without dependents and pages',
      )
    if (stored !== recorded) throw new Error('the floor does not record edits of other programs')
    const nonce = randomBytes(12).toString('hex')
    const record: FrameRecord = {
      slug: frame.slug,
      html,
      created_at_gmt: frame.meta.created_at_gmt,
      updated_at_gmt: now().slice(0, 19),
      updated_by: scope.author.userId,
    }
    const meta = metaOf(record, NOTHING)
    await write(connection, scope, { frame, record, meta: JSON.stringify(meta), nonce, stored })
    frame.meta = meta
    keepWritten(scope, frames, nonce)
    return {
      success: true,
      applied: true,
      updated: true,
      site_id: scope.blogId,
      frame: { id: frame.id, slug: frame.slug, ...meta },
      bake: { status: 'ok' },
      rebaked: { status: 'ok', total: 0 },
      republish: { status: 'ok' },
    }
  } catch (error) {
    await connection.query('ROLLBACK')
    throw error
  } finally {
    connection.release()
  }
}

/** The report of plain markup. */
const NOTHING = { inserts: {}, sources: [], references: [], binds: 0, live_reasons: [] }

type Locked = {
  /** Of the site's frames. */
  readonly version: string
  /** Digests of the record: as stored, and of its last entry in the history. */
  readonly stored: string | undefined
  readonly recorded: string | null
  readonly isOnPage: boolean
}

type OptionRow = RowDataPacket & { option_name: string; value: string }
type EntryRow = RowDataPacket & { version: string | null; on_page: 0 | 1 }

/** Locks the site's frames, and reads what the write depends on. */
async function lock(
  connection: PoolConnection,
  { prefix, blogId }: Scope,
  { id }: Frame,
): Promise<Locked> {
  const [[, options, [entry]]] = await connection.query<
    [ResultSetHeader, OptionRow[], EntryRow[]] & RowDataPacket[][]
  >(
    `BEGIN;
     SELECT option_name, IF(option_name = 'svc_frames_version', option_value, SHA2(option_value, 256)) AS value
     FROM ${prefix}options WHERE option_name IN (?) ORDER BY option_name FOR UPDATE;
     SELECT LOWER(HEX(h.version)) AS version,
       EXISTS (SELECT 1 FROM ${prefix}postmeta WHERE meta_key = '_svc_frame' AND meta_value = ?) AS on_page
     FROM (SELECT MAX(id) AS id FROM wp_svc_history WHERE blog_id = ? AND kind = 'frame' AND ref = ?) last
     LEFT JOIN wp_svc_history h ON h.id = last.id`,
    [['svc_frames', 'svc_frames_version', `svc_frame_${id}`], id, blogId, id],
  )
  const values = new Map(options.map((row) => [row.option_name, row.value]))
  return {
    version: versionIn(prefix, values),
    stored: values.get(`svc_frame_${id}`),
    recorded: entry?.version ?? null,
    isOnPage: entry?.on_page === 1,
  }
}

type Written = {
  readonly frame: Frame
  readonly record: FrameRecord
  readonly meta: string
  readonly nonce: string
  /** Digest of the replaced record. */
  readonly stored: string | undefined
}

/** Writes all rows and commits. */
async function write(
  connection: PoolConnection,
  { prefix, blogId, author }: Scope,
  { frame: { id }, record, meta, nonce, stored = '' }: Written,
): Promise<void> {
  const { html, ...fields } = record
  const [text, hash, state] = [encodeRecord(record), sha256Hex(html), JSON.stringify(fields)]
  const data = await compressContent(html)
  const bytes = (hex: string) => Buffer.from(hex, 'hex')
  const option = (name: string, value: string) => ['off', name, value]
  const row = { ...NO_ENTRY, blog_id: blogId, created_at: now() }
  const content = {
    ...row,
    kind: 'content',
    hash: bytes(hash),
    bytes: data.length + CONTENT_BYTES,
    data,
  }
  const entry = {
    ...row,
    kind: 'frame',
    ref: id,
    name: record.slug,
    action: 'replaced',
    state,
    content: bytes(hash),
    version: bytes(sha256Hex(text)),
    previous: bytes(stored),
    user_id: author.userId,
    token_id: author.tokenId,
    label: author.label,
    request_id: crypto.randomUUID(),
    bytes: state.length + ENTRY_BYTES,
  }
  await connection.query(
    `INSERT INTO ${prefix}options (autoload, option_name, option_value) VALUES ?
     ON DUPLICATE KEY UPDATE option_value = VALUES(option_value), autoload = VALUES(autoload);
     INSERT INTO wp_svc_seen_options (blog_id, name, digest, value)
     SELECT k.blog_id, o.option_name, CRC32(o.option_value), NULL
     FROM wp_svc_seen_sites k JOIN ${prefix}options o ON o.option_name IN (?) WHERE k.blog_id = ?
     ON DUPLICATE KEY UPDATE digest = VALUES(digest), value = VALUES(value);
     INSERT INTO wp_svc_history (${Object.keys(NO_ENTRY).join()}) VALUES ?
     ON DUPLICATE KEY UPDATE id = id;
     COMMIT`,
    [
      [
        option(`svc_frame_${id}`, text),
        option(`svc_frame_${id}_baked`, bakedCopy(id, record.slug, html, hash)),
        option(`svc_frame_${id}_meta`, meta),
        option('svc_frames_version', nonce),
      ],
      [`svc_frame_${id}`, `svc_frame_${id}_meta`, 'svc_frames_version'],
      blogId,
      [Object.values(content), Object.values(entry)],
    ],
  )
}

/** All columns of the history without values. */
const NO_ENTRY = {
  blog_id: 0,
  hash: null as Buffer | null,
  kind: '',
  ref: '',
  name: '',
  action: '',
  state: null as string | null,
  content: null as Buffer | null,
  version: null as Buffer | null,
  previous: null as Buffer | null,
  user_id: null as number | null,
  token_id: null as number | null,
  label: null as string | null,
  request_id: null as string | null,
  created_at: '',
  bytes: 0,
  data: null as Buffer | null,
}

/** Approximate sizes of the rows, as the history records them. */
const [CONTENT_BYTES, ENTRY_BYTES] = [150, 650]

/** GMT with milliseconds. */
const now = (): string => new Date().toISOString().slice(0, 23).replace('T', ' ')

/** The baked copy of a frame whose markup is printed as it is. */
function bakedCopy(id: string, slug: string, html: string, sha256: string): string {
  const closure = { frames: [{ id, slug, sha256 }], missing: [] }
  const body = encodePieces([[html]])
  const language = {
    lang: null,
    blocks: 1,
    bytes: Buffer.byteLength(html),
    live: false,
    listIds: [],
    unresolved: [],
    warnings: [],
    fingerprint: fingerprint(closure, NO_VALUES),
  }
  const header = { closure, needs: NO_NEEDS, facts: NO_FACTS, digest: sha256Hex(body) }
  return encodeBakedCopy(createBakedCopy({ ...header, languages: [language] }, body))
}

const NO_NEEDS = {
  site: [],
  settings: [],
  page: [],
  menus: [],
  datasets: [],
  pages: false,
  languages: false,
}
const NO_FACTS = { unknown_inserts: [], bind_tags: 0, repeats: [], broken_inserts: [] }
/** Digest of the values that such markup reads. */
const NO_VALUES = sha256Hex(
  JSON.stringify({
    lang: null,
    site: {},
    settings: {},
    pages: [],
    languages: [],
    menus: {},
    datasets: {},
  }),
)
