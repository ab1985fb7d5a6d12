import type { Client, Output } from '#client'
import type { AddressedSite } from '../../sites/site-options.ts'

/** The frames of a site by id. */
export async function readSiteFrames(
  client: Client,
  { blogId }: AddressedSite,
): Promise<ReadonlyMap<string, Output<'listFrames'>['frames'][number]>> {
  const { frames } = await client.listFrames({ site_id: blogId })
  return new Map(frames.map((frame) => [frame.id, frame]))
}
