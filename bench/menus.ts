/**
 * Measures menus over HTTP, in one process, on a private database that is thrown away. Prints the figures; nothing is
 * asserted. Run it with: npm run bench:menus
 */
import { startBenchService } from './bench-service.ts'

const { call, measure, stop } = await startBenchService()

/** A tree of this many items, ten below each of the top level. */
const tree = (count: number) =>
  Array.from({ length: Math.ceil(count / 10) }, (_, top) => ({
    title: `Top ${top}`,
    url: `/top-${top}/`,
    children: Array.from({ length: Math.min(9, count - top * 10 - 1) }, (_, below) =>
      below % 3 === 0 ? { page: 7 } : { title: `Item ${top}.${below}`, url: `/${top}/${below}/` },
    ),
  }))

const { id } = (await call('POST', '/menus', { name: 'Bench' })).body.menu
for (const count of [50, 1000, 10_000]) {
  await measure(`PUT /menus/{ref}/items, ${count} items`, 5, () =>
    call('PUT', `/menus/${id}/items`, { items: tree(count) }),
  )
}
await call('PUT', `/menus/${id}/items`, { items: tree(50) })
await call('PUT', `/menus/${id}/location`, { location: 'header', lang: 'en' })
await measure('GET /data/menu.header, 50 items', 200, () =>
  call('GET', '/data/menu.header?lang=en'),
)
await measure('GET /menus', 100, () => call('GET', '/menus'))
await stop()
