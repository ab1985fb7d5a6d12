// Renames a frame on all sites that have it. Frames that embed it are rewritten.
// node rename-frame.ts site-header site-top
import { createClient, isServiceError } from '@wp-frames/client'

const [from, to] = process.argv.slice(2)
if (!from || !to) {
  console.error('Usage: node rename-frame.ts OLD-SLUG NEW-SLUG')
  process.exit(2)
}
const client = createClient({ url: process.env.WP_FRAMES_URL, token: process.env.WP_FRAMES_TOKEN })

const results = await client.forEachSite(async ({ site_id }) => {
  try {
    const { renamed } = await client.renameFrame({ site_id, ref: from, body: { slug: to } })
    return renamed.frames_updated
  } catch (error) {
    if (isServiceError(error, 'frame_not_found')) return undefined
    throw error
  }
})
for (const { site, value } of results) {
  if (value) console.log(`${site.address}: renamed; rewritten: ${value.join(', ') || 'none'}`)
}
if (!results.some(({ value }) => value)) console.log(`No live site has the frame "${from}".`)
