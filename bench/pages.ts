/**
 * Measures baking, rendering and the front, in one process, on a private database that is thrown away. Prints the figures;
 * nothing is asserted. Run it with: npm run bench:pages
 */
import { Agent, get } from 'node:http'
import { line, startBenchService } from './bench-service.ts'

const { services, servers, site, call, stop } = await startBenchService()
const about = 7

const block = (index: number) =>
  `<section id="s-${index}"><h2 data-op-bind="site.title">T</h2><p>${'words of a page '.repeat(60)}</p></section>\n`
const large = Array.from({ length: 2000 }, (_, index) => block(index))
  .join('')
  .slice(0, 2_090_000)
const builds: number[] = []
for (let turn = 0; turn < 8; turn += 1) {
  const slug = `large-${turn}`
  builds.push((await call('POST', '/frames', { slug, html: large })).ms)
}
console.log(line('POST of a 2 MB frame, with its bake', builds))

let baking = true
const baked = (async () => {
  for (let turn = 0; baking; turn += 1)
    await call('PUT', '/frames/large-0', { html: `${large}${turn}` })
})()
await call('POST', '/frames', { slug: 'small', html: '<p>small</p>' })
const reads: number[] = []
for (let turn = 0; turn < 300; turn += 1) reads.push((await call('GET', '/frames/small')).ms)
baking = false
await baked
console.log(line('GET of a small frame while a 2 MB frame bakes without pause', reads))

const parts = Array.from({ length: 20 }, (_, index) => `part-${index}`)
for (const slug of parts) {
  await call('POST', '/frames', {
    slug,
    html: `<p data-op-bind="page.title">x</p>${'text '.repeat(40)}`,
  })
}
const items = Array.from({ length: 50 }, (_, index) => ({
  title: `Item ${index}`,
  url: `/i/${index}/`,
}))
await call('POST', '/menus', { name: 'Fifty', items, location: 'header', lang: 'en' })
const embeds = parts.map((name) => `<!-- svc/frame {"name":"${name}"} /-->`).join('\n')
const html = `<nav><!-- svc/menu {"location":"header","current":true} /--></nav>${embeds}<!-- svc/content /-->`
await call('POST', '/frames', { slug: 'page', html })
await call('POST', '/frames/page/assign', { page: about })
const cpu: number[] = []
for (let turn = 0; turn < 300; turn += 1) {
  const before = process.cpuUsage()
  await services.executor.render(site, about)
  const { user, system } = process.cpuUsage(before)
  if (turn >= 100) cpu.push((user + system) / 1000)
}
console.log(line('A page of 20 frames and a 50-item menu on request, CPU', cpu))

const agent = new Agent({ keepAlive: true, maxSockets: 20 })
const read = () =>
  new Promise<void>((done, failed) => {
    const headers = { Host: new URL(site.home).host }
    get(`${servers.frontUrl}/shop/about-us/`, { agent, headers }, (answer) => {
      if (answer.statusCode !== 200) failed(new Error(`the front answered ${answer.statusCode}`))
      answer.resume().once('end', done)
    }).once('error', failed)
  })
const SECONDS = 3
const end = performance.now() + SECONDS * 1000
let pages = 0
await Promise.all(
  Array.from({ length: 20 }, async () => {
    for (; performance.now() < end; pages += 1) await read()
  }),
)
agent.destroy()
console.log(
  `Static pages a second, their reader in the same process: ${Math.round(pages / SECONDS)}`,
)
await stop()
