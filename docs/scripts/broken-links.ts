// Lists the menu items that visitors do not see, because what they link is missing, in the trash or not public.
// node broken-links.ts
import { createClient } from '@wp-frames/client'

const client = createClient({ url: process.env.WP_FRAMES_URL, token: process.env.WP_FRAMES_TOKEN })

await client.forEachSite(async ({ site_id, address }) => {
  const { menus } = await client.listMenus({ site_id })
  for (const { id, name } of menus) {
    const { items } = await client.getMenu({ site_id, ref: String(id), links: true })
    for (const { link } of items) {
      if (!link?.problem) continue
      console.log(`${address}, menu "${name}", item "${link.title}": ${link.message}`)
    }
  }
})
