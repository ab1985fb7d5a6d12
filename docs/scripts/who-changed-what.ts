// Lists what was written to all sites since yesterday, or since another time.
// node who-changed-what.ts 2026-11-22
import { createClient } from '@wp-frames/client'

const yesterday = new Date(Date.now() - 86_400_000).toISOString().slice(0, 10)
const [since = yesterday] = process.argv.slice(2)
if (Number.isNaN(Date.parse(since))) {
  console.error('Usage: node who-changed-what.ts [DATE]')
  process.exit(2)
}
const client = createClient({ url: process.env.WP_FRAMES_URL, token: process.env.WP_FRAMES_TOKEN })

for await (const { entries } of client.pages('listNetworkHistory', { since, limit: 500 })) {
  for (const { at, site_id, user_id, label, action, kind, name } of entries) {
    const author = user_id === null ? 'unknown' : `user ${user_id} (${label})`
    console.log(`${at} site ${site_id}: ${author} ${action} ${kind} ${name}`)
  }
}
