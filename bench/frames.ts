/**
 * Measures the frames of a large site over HTTP, in one process, on a private database that is thrown away. Prints the
 * figures; nothing is asserted. Run it with: npm run bench:frames
 */
import { createFrame } from '../src/frames/create-frame.ts'
import { startBenchService } from './bench-service.ts'

const FRAMES = 2000
const EMBEDDERS = 200
const FIRST = 30

const { services, site, call, measure, stop } = await startBenchService()
const card = (slug: string) =>
  `<article class="card"><h2>${slug}</h2><p>${'text '.repeat(380)}</p></article>`
const post = (turn: number) =>
  call('POST', '/frames', { slug: `empty-${turn}`, html: card(`empty-${turn}`) })

await measure('POST a 2 kB frame, almost no frames on the site', FIRST, post)
for (let index = 0; index < FRAMES - FIRST; index += 1) {
  const slug = `frame-${index}`
  const embeds = index < EMBEDDERS ? '<!-- svc/frame {"name":"empty-0"} /-->' : ''
  const write = {
    slug,
    html: card(slug) + embeds,
    userId: 1,
    now: '2026-01-01 00:00:00',
    bake: false,
  }
  await services.db.transaction((tx) => createFrame(tx, site, write))
}
await call('GET', '/frames')

await measure(`GET /frames, ${FRAMES} frames`, 50, () => call('GET', '/frames'))
await measure(`GET /frames/{slug} of ${FRAMES}`, 200, () => call('GET', '/frames/frame-1500'))
const { id } = (await call('GET', '/frames/frame-1500')).body.frame
await measure(`GET /frames/{id} of ${FRAMES}`, 200, () => call('GET', `/frames/${id}`))
await measure(`POST a 2 kB frame, ${FRAMES} frames on the site`, 30, (turn) => post(turn + 100))
await measure(`PUT a 2 kB frame, ${FRAMES} frames, no dependents`, 30, (turn) =>
  call('PUT', '/frames/frame-1500', { html: card(`again-${turn}`) }),
)
const names = ['empty-0', 'renamed']
await measure(`PATCH: a rename that touches ${EMBEDDERS} frames, with their rebakes`, 5, (turn) =>
  call('PATCH', `/frames/${names[turn % 2]}`, { slug: names[(turn + 1) % 2] }),
)
await stop()
