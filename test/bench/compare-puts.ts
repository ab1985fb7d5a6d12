import { deepEqual } from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { type Ask, type Contender, send } from './contender.ts'
import type { BenchDatabase } from './setup/open-database.ts'

/** Requests that replace the markup of a frame, each with another one. */
export type Puts = { readonly frameId: string; readonly asks: readonly Ask[] }

/**
 * Asserts that these contenders store the same rows for each PUT of a frame: its record, meta and baked copy, the version of the registry, the
 * entry in the history and its content.
 * @throws Error with the difference
 */
export async function comparePuts(
  database: Pick<BenchDatabase, 'db' | 'site'>,
  contenders: readonly Contender[],
  { frameId, asks }: Puts,
): Promise<void> {
  if (contenders.length < 2) return
  const stored: (readonly [Contender, object])[] = []
  const nonces = new Set<string>()
  for (const contender of contenders) {
    // A content is stored once: without this, the next contender would find it.
    await database.db.sql('wp_svc_history').where({ kind: 'content' }).delete()
    const rows: object[] = []
    for (const ask of asks) {
      const { status, body } = await send(contender, ask)
      if (status !== 200)
        throw new Error(`${contender.name} answered PUT ${ask.path} with ${status}: ${body}`)
      rows.push(await readRows(database, frameId, nonces))
    }
    stored.push([contender, rows])
  }
  const [first, ...others] = stored
  if (!first) return
  for (const [{ name }, rows] of others)
    deepEqual(rows, first[1], `${name} and ${first[0].name} store different rows of a PUT`)
}

/**
 * The rows of the last PUT, without what differs at every request: times, nonces and what is computed from them.
 * @param nonces those of the PUTs before; the one of this PUT is added
 */
async function readRows(
  { db, site }: Pick<BenchDatabase, 'db' | 'site'>,
  frameId: string,
  nonces: Set<string>,
): Promise<object> {
  const record = `svc_frame_${frameId}`
  const names = [record, `${record}_meta`, `${record}_baked`, VERSION]
  const options: { option_name: string; option_value: string; autoload: string }[] = await db
    .sql(site.tables.options)
    .whereIn('option_name', names)
    .orderBy('option_name')
    .select('option_name', 'option_value', 'autoload')
  const ofFrame = { blog_id: site.blogId, kind: 'frame', ref: frameId }
  const [entry, before] = await db
    .sql('wp_svc_history')
    .where(ofFrame)
    .orderBy('id', 'desc')
    .limit(2)
  const { id: _, created_at: _at, request_id: requestId, version, previous, ...same } = entry
  const content = await db
    .sql('wp_svc_history')
    .where({ blog_id: site.blogId, kind: 'content', hash: entry.content })
    .first('bytes', 'data')
  const text = options.find(({ option_name: name }) => name === record)?.option_value ?? ''
  const nonce = options.find(({ option_name: name }) => name === VERSION)?.option_value ?? ''
  const isNewNonce = !nonces.has(nonce)
  nonces.add(nonce)
  return {
    isNewNonce,
    options: options.map(({ option_value: value, ...option }) => ({
      ...option,
      value: option.option_name === VERSION ? value.length : withoutTimes(value),
    })),
    entry: {
      ...same,
      state: withoutTimes(same.state),
      hasRequestId: requestId.length === 36,
      isVersionOfRecord: createHash('sha256').update(text).digest().equals(version),
      follows: before.version.equals(previous),
    },
    content,
  }
}

const VERSION = 'svc_frames_version'

const withoutTimes = (text: string): string =>
  text.replaceAll(/("updated_at_gmt"[;:]\S*?")\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/g, '$1')
