import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { useApi } from '../support/api.ts'
import { SQL_INJECTIONS } from '../support/sql-injections.ts'
import { routeRows } from './route-rows.ts'

const { network, api } = await useApi()
const agent = await api.as('alice')
const { db, globals } = network

const readUsers = () => db.sql(globals.users).orderBy('ID')
let users: unknown
beforeAll(async () => {
  await db.sql.raw('CREATE TABLE canary (id int)')
  users = await readUsers()
})
// The table is gone if a value has run.
afterEach(async () => {
  expect(await db.sql('canary')).toEqual([])
  expect(await readUsers()).toEqual(users)
})

const send = async (
  method: 'get' | 'post' | 'put' | 'patch' | 'delete',
  path: string,
  body?: unknown,
  headers: Readonly<Record<string, string>> = {},
) => {
  const { status, body: answer } = await agent[method](path)
    .set(headers)
    .send(body as object)
  if (status >= 500) throw new Error(`${method} ${path} ${JSON.stringify(body)}: ${status}`)
  return { status, answer }
}

/** Those that differ in how they get out of a statement. */
const FEW = [1, 9].map((index) => SQL_INJECTIONS[index] ?? '')
/** JSON values that a driver could take for something else than a text. */
const shapesOf = (text: string): unknown[] => [
  text,
  [text],
  [[text, text]],
  { toSqlString: text },
  { [text]: text },
  { __proto__: null, toString: text },
]
/** Fields of bodies, besides those of the rows. */
const FIELDS = ['page', 'items', 'parent', 'lang', 'theme', 'frames', 'pages', 'html', 'domain']
/** Parameters of queries. */
const PARAMETERS = ['domain', 'search', 'after', 'lang']

describe('values of requests', () => {
  it('are stored in frames as they are', async () => {
    for (const [index, text] of SQL_INJECTIONS.entries()) {
      const slug = `injected-${index}`
      const html = `<p>${text}</p>`
      const { status } = await send('post', '/site/2/frames', { slug, html })
      if (status !== 201 && status !== 200) {
        expect([status, text]).toEqual([400, expect.stringContaining('\0')])
        continue
      }
      await send('put', `/site/2/frames/${slug}`, { html: `${html}${html}` })
      const { answer } = await send('get', `/site/2/frames/${slug}`)
      expect(answer.html ?? answer.frame?.html).toBe(`${html}${html}`)
    }
  })

  it('are stored in menus and their items', async () => {
    for (const text of SQL_INJECTIONS) {
      const { status, answer } = await send('post', '/site/2/menus', { name: `Menu ${text}` })
      if (status >= 400) continue
      const menu = answer.menu?.id ?? answer.id
      expect(menu).toEqual(expect.any(Number))
      const item = {
        title: `a ${text}`,
        url: `https://example.com/?q=${encodeURIComponent(text)}`,
        attr_title: text,
        description: text,
        classes: [text],
        target: text,
        xfn: text,
      }
      await send('post', `/site/2/menus/${menu}/items`, item)
      await send('put', `/site/2/menus/${menu}/items`, {
        items: [item, { ...item, children: [item] }],
      })
      await send('patch', `/site/2/menus/${menu}`, { name: `Again ${text}` })
      expect((await send('get', `/site/2/menus/${menu}`)).status).toBe(200)
    }
    const { answer } = await send('get', '/site/2/menus')
    expect(JSON.stringify(answer)).toContain('DROP TABLE canary')
  })

  it.each(routeRows.filter(({ route }) => !route.includes('/batch')))(
    'do not run, and are not the fault of the service: $route',
    async ({ route, path, body = {} }) => {
      const [method, defined = ''] = route.split(' ') as ['get', string]
      const at = `/site/2${path}`
      const [text = ''] = FEW
      const encoded = encodeURIComponent(text)
      await send(method, `/site/2${defined.replaceAll(/:\w+/g, encoded)}`, body)
      await send(method, `/site/${encoded}${path}`, body)
      for (const name of PARAMETERS)
        await send(method, `${at}${at.includes('?') ? '&' : '?'}${name}=${encoded}`, body)
      if (method === 'get') return
      for (const field of FIELDS) await send(method, at, { ...body, [field]: text })
      for (const shape of shapesOf(text)) {
        await send(method, at, shape)
        for (const field of Object.keys(body)) await send(method, at, { ...body, [field]: shape })
      }
    },
  )

  it('do not run from headers', async () => {
    for (const text of FEW.map((one) => one.replaceAll(/[^ -~]/g, ' '))) {
      for (const name of ['X-Svc-Blog-Id', 'X-Svc-Key', 'If-Match', 'Idempotency-Key'])
        await send('post', '/frames', { slug: 'a', html: 'b' }, { [name]: text })
      const { status } = await send('get', '/site/2/frames', undefined, {
        Authorization: `Bearer ${text}`,
      })
      expect(status).toBe(401)
    }
  })
})
