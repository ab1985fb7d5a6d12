// Brings sites to the state in a file that backup-site.ts has written: shows the steps, and with --apply makes them.
// node restore-site.ts shop.json --apply
import { readFile } from 'node:fs/promises'
import { createClient } from '@wp-frames/client'

const [file, apply] = process.argv.slice(2)
if (!file || (apply !== undefined && apply !== '--apply')) {
  fail('Usage: node restore-site.ts FILE [--apply]')
}
const client = createClient({ url: process.env.WP_FRAMES_URL, token: process.env.WP_FRAMES_TOKEN })

// A backup is restored as it is, also with mistakes in its markup.
const description = { ...JSON.parse(await readFile(file, 'utf8')), refuses: 'nothing' }
const { plan } = await client.createPlan({ body: description })
const planned = await client.waitForPlan(plan.id)
if (planned.state !== 'planned') fail(planned.message ?? `The plan is ${planned.state}.`)
for await (const { results } of client.pages('getPlan', { id: plan.id, limit: 200 })) {
  for (const { site_id, state, message, steps } of results) {
    console.log(`Site ${site_id}: ${state}. ${message ?? ''}`)
    for (const { action, kind, name } of steps) console.log(`  ${kind} ${name}: ${action}`)
  }
}
const expectAll = (wanted: string, sites: Record<string, number>) => {
  if (Object.keys(sites).join() === wanted) return
  fail(`Not all sites are ${wanted}: ${JSON.stringify(sites)}. The plan is ${plan.id}.`)
}
expectAll('planned', planned.sites)
if (apply) {
  await client.applyPlan({ id: plan.id, body: {} })
  expectAll('applied', (await client.waitForPlan(plan.id)).sites)
  console.log('The sites are as in the file.')
}

function fail(message: string): never {
  console.error(message)
  process.exit(1)
}
