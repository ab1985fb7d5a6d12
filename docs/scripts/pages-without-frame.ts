// Lists the published pages without a frame, and pages whose frame does not exist.
// node pages-without-frame.ts
import { createClient } from '@wp-frames/client'

const client = createClient({ url: process.env.WP_FRAMES_URL, token: process.env.WP_FRAMES_TOKEN })

await client.forEachSite(async ({ site_id }) => {
  for await (const { pages } of client.pages('listPages', { site_id, limit: 200 })) {
    for (const { url, status, frame } of pages) {
      if (status !== 'publish' || frame?.slug) continue
      console.log(`${url} ${frame ? `has the missing frame ${frame.id}` : 'has no frame'}`)
    }
  }
})
