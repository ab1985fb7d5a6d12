// Brings sites to the state of a description: first one site, the canary, and if that worked all others.
// node roll-out.ts shops.json 2
import { readFile } from 'node:fs/promises'
import { createClient, type Input } from '@wp-frames/client'

type Description = Input<'createPlan'>['body']

const [file, canary] = process.argv.slice(2)
const id = Number(canary)
if (!file || !(id > 0)) fail('Usage: node roll-out.ts FILE SITE')
const client = createClient({ url: process.env.WP_FRAMES_URL, token: process.env.WP_FRAMES_TOKEN })
const description: Description = JSON.parse(await readFile(file, 'utf8'))

async function apply(body: Description): Promise<string> {
  const { plan } = await client.createPlan({ body })
  const { state, message } = await client.waitForPlan(plan.id)
  if (state !== 'planned') fail(message ?? `The plan is ${state}.`)
  await client.applyPlan({ id: plan.id, body: { max_failures: 0 } })
  const { sites } = await client.waitForPlan(plan.id, {
    onProgress: ({ sites }) => console.log(sites),
  })
  const { applied = 0, ...others } = sites
  if (applied > 0 && Object.keys(others).length === 0) return `${applied} sites are as described.`
  fail(`Not all sites were changed: ${JSON.stringify(sites)}. The plan is ${plan.id}.`)
}

// A selection with ids concerns the canary only if these contain it.
const onCanary = description.sites
  .filter(({ match }) => match.id === undefined || [match.id].flat().includes(id))
  .map((selection) => ({ ...selection, match: { ...selection.match, id } }))
if (onCanary.length === 0) fail(`No selection of ${file} contains the site ${id}.`)
console.log(`Canary: ${await apply({ ...description, sites: onCanary })}`)
console.log(await apply(description))

function fail(message: string): never {
  console.error(message)
  process.exit(1)
}
