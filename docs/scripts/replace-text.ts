// Replaces a text in the markup of all frames of all sites. Changes that others make at the same time are kept.
// node replace-text.ts '0800 1234' '0800 5678'
import { createClient } from '@wp-frames/client'

const [from, to] = process.argv.slice(2)
if (!from || to === undefined) {
  console.error('Usage: node replace-text.ts OLD-TEXT NEW-TEXT')
  process.exit(2)
}
const client = createClient({ url: process.env.WP_FRAMES_URL, token: process.env.WP_FRAMES_TOKEN })

await client.forEachSite(
  async ({ site_id, address }) => {
    for await (const { frames } of client.pages('listFrames', { site_id, limit: 200 })) {
      for (const { id, slug } of frames) {
        const written = await client.update({ site_id, frame: id }, ({ html }) =>
          html.includes(from) ? { html: html.replaceAll(from, () => to) } : undefined,
        )
        if (written) console.log(`${address}: ${slug}`)
      }
    }
  },
  { onProgress: ({ finished, total }) => console.log(`${finished} of ${total} sites`) },
)
