// Lists the frames of a site that no page shows, and with --delete deletes them, up to 200 in one transaction.
// node unused-frames.ts 2 --delete
import { createClient, type Output } from '@wp-frames/client'

const [site, remove] = process.argv.slice(2)
const site_id = Number(site)
if (!(site_id > 0) || (remove !== undefined && remove !== '--delete')) {
  console.error('Usage: node unused-frames.ts SITE [--delete]')
  process.exit(2)
}
const client = createClient({ url: process.env.WP_FRAMES_URL, token: process.env.WP_FRAMES_TOKEN })

const frames = new Map<string, Output<'listFrames'>['frames'][number]>()
for await (const page of client.pages('listFrames', { site_id, limit: 200 })) {
  for (const frame of page.frames) frames.set(frame.slug, frame)
}

// Pages show their frames, and what these embed.
const shown = new Set<string>()
const show = (slug: string) => {
  if (shown.has(slug)) return
  shown.add(slug)
  frames.get(slug)?.frame_refs.forEach(show)
}
for (const { slug, pages = [] } of frames.values()) if (pages.length > 0) show(slug)
const unused = [...frames.keys()].filter((slug) => !shown.has(slug))
console.log(unused.join('\n') || 'Every frame is shown.')

// A batch has at most 200 requests.
for (let done = 0; remove && done < unused.length; done += 200) {
  const requests = unused
    .slice(done, done + 200)
    .map((slug) => ({ method: 'DELETE' as const, path: `/frames/${slug}` }))
  const batch = await client.runBatch({ site_id, body: { requests } })
  const id = client.responseOf(batch).headers.get('X-Request-Id')
  console.log(`${requests.length} deleted. To undo it:`)
  console.log(`wp-frames restore --site ${site} --request ${id}`)
}
