import type { Change } from '../change.ts'
import type { Tx } from '../db/transaction.ts'
import { rewriteReferences } from '../markup/rewrite-references.ts'
import type { Site } from '../wordpress/network/site.ts'
import { readGraph } from './graph.ts'
import { readFrame, readFrames } from './read-frame.ts'
import { type FrameName, type LockedRegistry, lockRegistry } from './registry.ts'
import { type Frame, saveFrame } from './save-frame.ts'
import { parseSlug } from './slug.ts'

/** What a rename did (contract, section 4.1.5). */
export type Rename = {
  readonly from: string
  readonly to: string
  /** Other frames whose inserts now bear the new slug, and how many inserts of each. */
  readonly details: readonly {
    readonly id: string
    readonly slug: string
    readonly replaced: number
  }[]
}

export type RenameWrite = {
  readonly slug: unknown
  readonly userId: number
  readonly now: string
  readonly bake: boolean
}

/**
 * Gives a frame another slug and makes every other frame that embeds it by the old one say the new one.
 * @throws AppError `invalid_slug`, `frame_not_found`, `slug_taken`
 */
export async function renameFrame(
  tx: Tx,
  site: Site,
  ref: string,
  write: RenameWrite,
): Promise<{ frame: Frame; renamed: Rename; change: Change }> {
  const to = parseSlug(write.slug)
  const locked = await lockRegistry(tx, site)
  const held = locked.registry.get(ref)
  locked.registry.assertFree(to, held.id)
  const before = await readFrame(tx, site, held)
  const renamed =
    to === held.slug
      ? { from: held.slug, to, details: [] }
      : await renameInSite(tx, site, locked, held, to, write)
  const record = { ...before.record, slug: to, updated_at_gmt: write.now, updated_by: write.userId }
  const frame = await saveFrame(tx, site, held.id, record)
  return {
    frame,
    renamed,
    change: {
      bake: write.bake,
      frame: held.id,
      touched: [{ kind: 'frame', id: held.id, slugs: [held.slug, to] }],
      pages: [],
    },
  }
}

/** Enters the new slug and rewrites the frames that embed the old one. The frame's own record is left to the caller. */
export async function renameInSite(
  tx: Tx,
  site: Site,
  locked: LockedRegistry,
  { id, slug: from }: FrameName,
  to: string,
  { userId, now }: Pick<RenameWrite, 'userId' | 'now'>,
): Promise<Rename> {
  const graph = await readGraph(tx, site, locked.registry)
  const embedders = graph
    .embeddersOf([id])
    .filter((frame) => frame.id !== id && frame.meta.references.includes(from))
  const details: { id: string; slug: string; replaced: number }[] = []
  for (const { id: embedder, record } of await readFrames(tx, site, embedders)) {
    const { html, replaced } = rewriteReferences(record.html, from, to)
    if (replaced === 0) continue
    await saveFrame(tx, site, embedder, {
      ...record,
      html,
      updated_at_gmt: now,
      updated_by: userId,
    })
    details.push({ id: embedder, slug: record.slug, replaced })
  }
  await locked.set(id, to)
  return { from, to, details }
}
