// Replaces the markup of a frame at one time, and brings the former markup back at another one.
// node swap-frame.ts 2 site-footer sale.html 2026-11-27T00:00Z 2026-11-28T00:00Z
import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { createClient, isServiceError } from '@wp-frames/client'

const [site, ref, file, start, end] = process.argv.slice(2)
const site_id = Number(site)
if (!(site_id > 0) || !ref || !file || !start || !end) {
  fail('Usage: node swap-frame.ts SITE FRAME FILE START END')
}
const client = createClient({
  url: process.env.WP_FRAMES_URL,
  token: process.env.WP_FRAMES_TOKEN,
  // Nobody watches: a service that is down may take half an hour to come back.
  retries: 40,
})
const html = await readFile(file, 'utf8')

const times = [Date.parse(start), Date.parse(end)] as const
if (!(times[0] < times[1])) fail(`"${start}" and "${end}" are not a start and an end.`)

/** A timer of Node.js ends after 24 days at the latest. */
const until = async (time: number) => {
  while (Date.now() < time) await sleep(Math.min(time - Date.now(), 86_400_000))
}

await until(times[0])
let former = ''
const written = await client.update({ site_id, frame: ref }, (frame) => {
  former = frame.html
  return { html }
})
if (!written) fail('Nothing was written.')
const headers = { 'If-Match': client.etagOf(written) }
console.log(`${ref} is replaced until ${end}.`)

await until(times[1])
try {
  await client.replaceFrame({ site_id, ref, body: { html: former } }, { headers })
  console.log(`${ref} has its former markup again.`)
} catch (error) {
  if (!isServiceError(error, 'precondition_failed')) throw error
  console.log(`User ${error.fields.updated_by} has changed ${ref} since, so it stays.`)
}

function fail(message: string): never {
  console.error(message)
  process.exit(1)
}
