// Lists the menu items whose page is missing, in the trash or not published.
// node broken-links.ts
import { createClient } from 'wp-frames/client'

const client = createClient({ url: process.env.WP_FRAMES_URL, token: process.env.WP_FRAMES_TOKEN })

await client.forEachSite(
  async ({ site_id, address }) => {
    const statuses = new Map<number, string>()
    for await (const { pages } of client.pages('listPages', { site_id, limit: 200 })) {
      for (const { id, status } of pages) statuses.set(id, status)
    }
    for (const { id, name } of (await client.listMenus({ site_id })).menus) {
      const { items } = await client.getMenu({ site_id, ref: String(id) })
      for (const item of items) {
        const status = statuses.get(item.object_id) ?? 'missing or in the trash'
        if (item.object !== 'page' || status === 'publish') continue
        console.log(
          `${address}, menu "${name}", item ${item.id}: the page ${item.object_id} is ${status}.`,
        )
      }
    }
  },
  { where: ({ state }) => state === 'live' },
)
