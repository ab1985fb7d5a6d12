import { createFrame } from '../../../src/content/frames/create-frame.ts'
import { replaceFrame } from '../../../src/content/frames/replace-frame.ts'
import type { Tx } from '../../../src/db/transaction.ts'
import type { Site } from '../../../src/wordpress/network/site.ts'

/** Number of frames of each process, and of all together. */
const FRAMES = 20

const frameWrite = (html: string) => ({
  html,
  userId: 1,
  now: '2026-01-01 00:00:00',
  bake: false,
})

const slugOf = (name: string, number: number): string => `${name}-${number % FRAMES}`

/** Creates the frames with this name. */
export async function createFrames(tx: Tx, site: Site, name: string): Promise<void> {
  for (let at = 0; at < FRAMES; at += 1)
    await createFrame(tx, site, { slug: slugOf(name, at), ...frameWrite('<br>') })
}

/** Replaces so many of the frames with this name, beginning with any number. */
export async function replaceFrames(
  tx: Tx,
  site: Site,
  name: string,
  { first, count, html }: { readonly first: number; readonly count: number; readonly html: string },
): Promise<void> {
  for (let at = 0; at < count; at += 1)
    await replaceFrame(tx, site, slugOf(name, first + at), frameWrite(html))
}
