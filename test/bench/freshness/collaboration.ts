import { setMaxListeners } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import type { MeasuredSite } from './measured-site.ts'
import { type Measured, measureQuiet, type QuietFigures } from './quiet-figures.ts'

export const COLLABORATING_EDITORS = 20

/** What editors of Gutenberg store while they write a post together; its length is that of a sentence or two. */
const UPDATE = 'x'.repeat(400)

/**
 * Measures a time in which editors work together on a post of a site: each of them stores a meta value of a `wp_sync_storage` post every
 * second, in a transaction of its own. No page shows these rows.
 */
export async function measureCollaboration(
  measured: Measured,
  site: MeasuredSite,
  seconds: number,
): Promise<QuietFigures> {
  const table = site.table('postmeta')
  const ended = new AbortController()
  setMaxListeners(COLLABORATING_EDITORS, ended.signal)
  const insert = (editor: number) =>
    site.db
      .sql(table)
      .insert({ post_id: 1e9 + editor, meta_key: 'wp_sync_update', meta_value: UPDATE })
  const editors = Array.from({ length: COLLABORATING_EDITORS }, async (_, editor) => {
    await sleep((editor * 1000) / COLLABORATING_EDITORS)
    while (!ended.signal.aborted) {
      await insert(editor)
      await sleep(1000, undefined, { signal: ended.signal }).catch(() => {})
    }
  })
  try {
    return await measureQuiet(measured, seconds)
  } finally {
    ended.abort()
    await Promise.all(editors)
    await site.db.sql(table).where({ meta_key: 'wp_sync_update' }).delete()
  }
}
