/**
 * Measures the frames of a large site over HTTP, in one process, on a private database that is thrown away. Prints the
 * figures; nothing is asserted.  Run it with: npm run bench:frames
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { issueToken } from '../src/callers/issue-token.ts'
import { parseConfig } from '../src/config/config.ts'
import { migrate } from '../src/db/migrate.ts'
import { createDatabase, runScript } from '../src/db/run-script.ts'
import { startPrivateDatabase } from '../src/db/server/start-private-database.ts'
import { createFrame } from '../src/frames/create-frame.ts'
import { openServices } from '../src/services.ts'
import { findSite } from '../src/wordpress/network/find-site.ts'

const FRAMES = 2000
const EMBEDDERS = 200
const ADMIN = 1
const SHOP = 2

const folder = mkdtempSync(join(tmpdir(), 'wp-frames-bench-'))
const server = await startPrivateDatabase({
  dataDir: join(folder, 'db'),
  durable: true,
  log: () => {},
})
const databaseUrl = await createDatabase(server.url, 'bench')
await runScript(
  databaseUrl,
  readFileSync(resolve(import.meta.dirname, '../sql/demo/network.sql'), 'utf8'),
)
const config = parseConfig({
  DATABASE_URL: databaseUrl,
  PORT: '0',
  FRONT_PORT: '0',
  STATIC_DIR: join(folder, 'static'),
  RATE_LIMIT_PER_MINUTE: '0',
  LOG_LEVEL: 'silent',
})
const services = openServices(config)
const { db, globals } = services
await migrate(db, globals.basePrefix)
const { token } = await db.transaction((tx) =>
  issueToken(tx, globals, { userId: ADMIN, now: new Date() }),
)
const { apiUrl, close } = await services.listen({ api: true, front: false })

let queries = 0
db.sql.on('query', () => {
  queries += 1
})

type Answer = {
  readonly ms: number
  readonly queries: number
  readonly body: { frame: { id: string } }
}

async function call(method: string, path: string, body?: object): Promise<Answer> {
  const before = queries
  const start = performance.now()
  const answer = await fetch(`${apiUrl}/site/${SHOP}${path}`, {
    method,
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  const text = await answer.text()
  if (!answer.ok) throw new Error(text)
  const ms = performance.now() - start
  return { ms, queries: queries - before, body: JSON.parse(text) }
}

async function measure(
  what: string,
  times: number,
  work: (turn: number) => Promise<Answer>,
): Promise<void> {
  const answers: Answer[] = []
  for (let turn = 0; turn < times; turn += 1) answers.push(await work(turn))
  const ms = answers.map((answer) => answer.ms).sort((a, b) => a - b)
  const at = (share: number) => (ms[Math.floor(ms.length * share)] ?? ms.at(-1) ?? 0).toFixed(1)
  console.log(
    `${what.padEnd(52)} p50 ${at(0.5).padStart(7)} ms   p99 ${at(0.99).padStart(7)} ms   ${answers.at(-1)?.queries} queries`,
  )
}

const card = (slug: string) =>
  `<article class="card"><h2>${slug}</h2><p>${'text '.repeat(380)}</p></article>`
const write = (turn: number) =>
  call('POST', '/frames', { slug: `empty-${turn}`, html: card(`empty-${turn}`) })

await measure('POST a 2 kB frame, almost no frames on the site', 30, write)
const site = await findSite(db, globals, SHOP)
if (!site) throw new Error('no site')
for (let index = 0; index < FRAMES - 30; index += 1) {
  const slug = `frame-${index}`
  const embeds = index < EMBEDDERS ? '<!-- svc/frame {"name":"empty-0"} /-->' : ''
  const html = card(slug) + embeds
  const now = '2026-01-01 00:00:00'
  await db.transaction((tx) =>
    createFrame(tx, site, { slug, html, userId: ADMIN, now, bake: false }),
  )
}
await call('GET', '/frames')

await measure(`GET /frames, ${FRAMES} frames`, 50, () => call('GET', '/frames'))
await measure(`GET /frames/{slug} of ${FRAMES}`, 200, () => call('GET', '/frames/frame-1500'))
const { id } = (await call('GET', '/frames/frame-1500')).body.frame
await measure(`GET /frames/{id} of ${FRAMES}`, 200, () => call('GET', `/frames/${id}`))
await measure(`POST a 2 kB frame, ${FRAMES} frames on the site`, 30, (turn) => write(turn + 100))
await measure(`PUT a 2 kB frame, ${FRAMES} frames, no dependents`, 30, (turn) =>
  call('PUT', '/frames/frame-1500', { html: card(`again-${turn}`) }),
)
const names = ['empty-0', 'renamed']
await measure(`PATCH: a rename that touches ${EMBEDDERS} frames, rebakes in it`, 5, (turn) =>
  call('PATCH', `/frames/${names[turn % 2]}`, { slug: names[(turn + 1) % 2] }),
)

await close()
await services.close()
await server.stop()
rmSync(folder, { recursive: true })
