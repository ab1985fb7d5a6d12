// Writes the description of a site to a file: its frames and menus, their locations, the frames of its pages, its variables.
// node backup-site.ts 2 shop.json
import { writeFile } from 'node:fs/promises'
import { createClient } from '@wp-frames/client'

const [site, file] = process.argv.slice(2)
const site_id = Number(site)
if (!(site_id > 0) || !file) {
  console.error('Usage: node backup-site.ts SITE FILE')
  process.exit(2)
}
const client = createClient({ url: process.env.WP_FRAMES_URL, token: process.env.WP_FRAMES_TOKEN })

const { description, notes } = await client.getSiteDescription({ site_id })
await writeFile(file, JSON.stringify({ ...description, name: `backup-${site}` }, null, 2))
for (const note of notes) console.log(`Not in the backup: ${note}`)
console.log(`${file} is written.`)
