import type { RowDataPacket } from 'mysql2/promise'
import { decodePhp } from '#php-serialized'
import type { FrameMeta } from '../../../src/content/frames/record.ts'
import { SLUG_PATTERN, slugParts } from '../../../src/content/frames/slug.ts'
import type { Scope } from './scope.ts'

type OptionRow = RowDataPacket & { option_name: string; option_value: string }
type PageRow = RowDataPacket & { post_id: number; meta_value: string }

export type Frame = { readonly id: string; readonly slug: string; meta: FrameMeta }

/** The frames of one version of the site, valid while the database has that version. */
type Frames = {
  readonly version: string
  /** By slug. */
  readonly all: readonly Frame[]
  /** By id and by slug. */
  readonly byRef: ReadonlyMap<string, Frame>
  /** Slugs of the frames that embed a frame, by its id. */
  readonly embedders: ReadonlyMap<string, readonly string[]>
}

let cached: Frames | undefined

/** `GET /frames`. */
export async function listFrames(scope: Scope): Promise<object> {
  const { pool, prefix, blogId, home } = scope
  const [frames, [pageRows]] = await Promise.all([
    readFrames(scope),
    pool.execute<PageRow[]>(
      `SELECT post_id, meta_value FROM ${prefix}postmeta WHERE meta_key = '_svc_frame' ORDER BY post_id`,
    ),
  ])
  const pages = new Map<string, number[]>()
  for (const { post_id: id, meta_value: frame } of pageRows)
    pages.set(frame, [...(pages.get(frame) ?? []), id])
  return {
    success: true,
    site_id: blogId,
    home_url: `${home}/`,
    total: frames.all.length,
    registry_option: 'svc_frames',
    page_meta: '_svc_frame',
    slug_pattern: SLUG_PATTERN,
    frames: frames.all.map((frame) => {
      const stoodOn = pages.get(frame.id)
      return presentFrame(frames, frame, stoodOn ? { pages: stoodOn } : {})
    }),
  }
}

/** `GET /frames/{ref}`: the record and the pages on the frame in one statement. */
export async function getFrame(scope: Scope, ref: string): Promise<object> {
  const { pool, prefix } = scope
  const frames = await readFrames(scope)
  const frame = frames.byRef.get(ref)
  if (!frame) throw new Error(`no frame ${ref}`)
  const { id } = frame
  const [rows] = await pool.execute<(RowDataPacket & { value: string | Buffer })[]>(
    `SELECT option_value AS value FROM ${prefix}options WHERE option_name = ?
     UNION ALL SELECT post_id FROM ${prefix}postmeta WHERE meta_key = '_svc_frame' AND meta_value = ?`,
    [`svc_frame_${id}`, id],
  )
  const [record, ...pages] = rows.map(({ value }) => String(value))
  return {
    success: true,
    frame: {
      ...presentFrame(frames, frame, { pages: pages.map(Number) }),
      html: markupIn(record ?? ''),
      referenced_by: frames.embedders.get(id) ?? [],
    },
  }
}

function presentFrame({ byRef }: Frames, { id, slug, meta }: Frame, more: object): object {
  return {
    id,
    slug,
    ...slugParts(slug),
    bytes: meta.bytes,
    sha256: meta.sha256,
    inserts: meta.inserts,
    sources: meta.sources,
    frame_refs: meta.references.map((ref) => byRef.get(ref)?.slug ?? ref),
    binds: meta.binds,
    created_at_gmt: meta.created_at_gmt,
    updated_at_gmt: meta.updated_at_gmt,
    updated_by: meta.updated_by,
    option: `svc_frame_${id}`,
    ...more,
    renders_on_request: isLive(byRef, meta),
  }
}

function isLive(byRef: Frames['byRef'], { live_reasons: own, references }: FrameMeta): boolean {
  return own.length > 0 || references.some((ref) => isLive(byRef, byRef.get(ref)?.meta ?? NOTHING))
}

const NOTHING = { live_reasons: [], references: [] as readonly string[] } as unknown as FrameMeta

/** `s:4:"html";s:<bytes>:"<markup>";` of a record. */
function markupIn(record: string): string {
  const [mark = '', length] = /s:4:"html";s:(\d+):"/.exec(record) ?? []
  const start = record.indexOf(mark) + mark.length
  return Buffer.from(record.slice(start)).subarray(0, Number(length)).toString()
}

/** The version of a site's frames: the nonce that every write replaces, and the digest of the registry. */
export const versionIn = (prefix: string, options: ReadonlyMap<string, string>): string =>
  `${prefix} ${options.get('svc_frames_version')} ${options.get('svc_frames')}`

/** Keeps the frames after a write of this process that has stored this nonce. */
export function keepWritten({ prefix, options }: Scope, frames: Frames, nonce: string): void {
  const version = versionIn(prefix, new Map([...options, ['svc_frames_version', nonce]]))
  cached = { ...frames, version }
}

/** Reads the registry and all metas in one statement, unless the version that was read with the caller's rights is cached. */
export async function readFrames({ pool, prefix, options }: Scope): Promise<Frames> {
  const version = versionIn(prefix, options)
  if (cached?.version === version) return cached
  const [rows] = await pool.execute<OptionRow[]>(
    `SELECT option_name, option_value FROM ${prefix}options
     WHERE option_name = 'svc_frames' OR option_name LIKE 'svc\\\\_frame\\\\_%\\\\_meta'`,
  )
  const texts = new Map(rows.map((row) => [row.option_name, row.option_value]))
  const registry = decodePhp(texts.get('svc_frames') ?? 'a:0:{}') as ReadonlyMap<string, string>
  const all = [...registry]
    .map(([id, slug]) => ({ id, slug, meta: JSON.parse(texts.get(`svc_frame_${id}_meta`) ?? '') }))
    .sort((a, b) => (a.slug < b.slug ? -1 : 1))
  const byRef = new Map(
    all.flatMap((frame) => [[frame.id, frame] as const, [frame.slug, frame] as const]),
  )
  const embedders = new Map<string, string[]>()
  for (const { slug, meta } of all) {
    for (const ref of meta.references) {
      const id = byRef.get(ref)?.id ?? ref
      embedders.set(id, [...(embedders.get(id) ?? []), slug])
    }
  }
  cached = { version, all, byRef, embedders }
  return cached
}
