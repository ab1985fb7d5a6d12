// Replaces the markup of a frame at one time, and brings the former markup back at another one.
// node swap-frame.ts 2 site-footer sale.html 2026-11-27T00:00Z 2026-11-28T00:00Z
import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { createClient, isServiceError } from 'wp-frames/client'

const [site = '', ref = '', file = '', start = '', end = ''] = process.argv.slice(2)
const client = createClient({ url: process.env.WP_FRAMES_URL, token: process.env.WP_FRAMES_TOKEN })
const site_id = Number(site)
const html = await readFile(file, 'utf8')

/** A timer of Node.js ends after 24 days at the latest. */
const until = async (time: string) => {
  while (Date.now() < Date.parse(time)) {
    await sleep(Math.min(Date.parse(time) - Date.now(), 86_400_000))
  }
}

await until(start)
let former = ''
const written = await client.update({ site_id, frame: ref }, (frame) => {
  former = frame.html
  return { html }
})
console.log(`${ref} is replaced until ${end}.`)

await until(end)
const etag = written && client.responseOf(written).headers.get('ETag')
try {
  const headers = etag ? { 'If-Match': etag } : {}
  await client.replaceFrame({ site_id, ref, body: { html: former } }, { headers })
  console.log(`${ref} has its former markup again.`)
} catch (error) {
  if (!isServiceError(error, 'precondition_failed')) throw error
  console.log(`User ${error.fields.updated_by} has changed ${ref} since, so it stays.`)
}
