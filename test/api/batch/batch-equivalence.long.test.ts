import fc from 'fast-check'
import { expect, it } from 'vitest'
import { useMenusApi } from '../../support/menus-api.ts'
import { runsOf } from '../../support/runs-of.ts'
import { saveTables } from '../../support/saved-tables.ts'
import { use } from '../../support/use.ts'

const api = await useMenusApi()
for (const slug of ['a', 'b']) await api.send('post', '/frames', { slug, html: slug, bake: false })
await api.send('post', '/menus', { name: 'One', items: ['about-us'] })
const { tables, globals } = api.site
const own = ['svc_history', 'svc_work', 'svc_sites'].map((name) => globals.basePrefix + name)
const saved = await use(saveTables(api.network, [...Object.values(tables), ...own]))

type Request = { readonly method: string; readonly path: string; readonly body?: object }

const slug = fc.constantFrom('a', 'b', 'c')
const html = fc.constantFrom(
  '<p>1</p>',
  '<!-- svc/frame {"name":"a"} /-->',
  '<!-- svc/frame {"name":"c"} /-->',
)
const menu = fc.constantFrom('one', 'two')
const request: fc.Arbitrary<Request> = fc.oneof(
  fc.record({ slug, html }).map((body) => ({ method: 'POST', path: '/frames', body })),
  fc.record({ slug, html }).map(({ slug, html }) => ({
    method: 'PUT',
    path: `/frames/${slug}`,
    body: { html },
  })),
  fc.record({ from: slug, to: slug }).map(({ from, to }) => ({
    method: 'PATCH',
    path: `/frames/${from}`,
    body: { slug: to },
  })),
  slug.map((of) => ({ method: 'DELETE', path: `/frames/${of}` })),
  fc
    .record({ slug, page: fc.constantFrom(2, 3), clear: fc.boolean() })
    .map(({ slug, ...body }) => ({
      method: 'POST',
      path: `/frames/${slug}/assign`,
      body,
    })),
  menu.map((name) => ({
    method: 'POST',
    path: '/menus',
    body: { name, slug: name, items: ['about-us'] },
  })),
  fc.record({ menu, url: fc.constantFrom('/1', '/2') }).map(({ menu, url }) => ({
    method: 'POST',
    path: `/menus/${menu}/items`,
    body: { url, title: url },
  })),
  fc
    .record({ menu, location: fc.constantFrom('header', 'footer_1') })
    .map(({ menu, location }) => ({
      method: 'PUT',
      path: `/menus/${menu}/location`,
      body: { location },
    })),
  menu.map((of) => ({ method: 'DELETE', path: `/menus/${of}` })),
)

const EFFECTS = ['bake', 'rebaked', 'republish', 'static', 'pending']

/** Fields with ids of new things, and with times: they differ between two runs. */
const RANDOM = new Set([
  'id',
  'object_id',
  'parent',
  'option',
  'term_taxonomy_id',
  'created_at_gmt',
  'updated_at_gmt',
])

const comparable = (value: unknown): string =>
  JSON.stringify(value, (key, of) => (RANDOM.has(key) ? undefined : of), 1)

async function state(): Promise<object> {
  const { body: frames } = await api.send('get', '/frames?include_html=1')
  const { body: menus } = await api.send('get', '/menus')
  const items = menus.menus.map(async ({ id }: { id: number }) => {
    const { body } = await api.send('get', `/menus/${id}`)
    return body.items
  })
  return [frames.frames, menus.menus, await Promise.all(items)]
}

it('a batch does what its requests do one after the other, or nothing', async () => {
  let complete = 0
  let failed = 0
  await fc.assert(
    fc.asyncProperty(fc.array(request, { minLength: 1, maxLength: 5 }), async (requests) => {
      await saved.restore()
      const before = comparable(await state())
      const alone = []
      for (const { method, path, body } of requests) {
        const answer = await api.send(method.toLowerCase() as 'post', path, body)
        alone.push(answer)
        if (answer.status !== 200) break
      }
      const after = comparable(await state())
      await saved.restore()
      const together = await api.send('post', '/batch', { requests })
      const last = alone.at(-1)
      if (last?.status === 200) {
        complete += 1
        expect(together.status, JSON.stringify(together.body)).toBe(200)
        const bodies = alone.map(({ body }) =>
          Object.fromEntries(Object.entries(body).filter(([name]) => !EFFECTS.includes(name))),
        )
        const answered = together.body.responses.map(({ body }: { body: object }) => body)
        expect(comparable(answered)).toBe(comparable(bodies))
        expect(comparable(await state())).toBe(after)
      } else {
        failed += 1
        const { error, request } = together.body
        expect([together.status, error, request.index]).toEqual([
          last?.status,
          last?.body.error,
          alone.length - 1,
        ])
        expect(comparable(await state())).toBe(before)
      }
    }),
    { numRuns: runsOf(25) },
  )
  expect(Math.min(complete, failed)).toBeGreaterThan(0)
}, 180_000)
