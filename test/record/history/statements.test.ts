import { expect, it } from 'vitest'
import { useMenusApi } from '../../support/menus-api.ts'
import { statementsOf } from '../../support/statements.ts'

const api = await useMenusApi()

/** The most statements that a write may need, without those that mark what is written as seen. One to three of them are of the history. */
const MOST = {
  'create frame': 5,
  'replace frame': 5,
  'rename frame': 6,
  'assign frame': 9,
  'clear frame': 11,
  'delete frame': 12,
  'create menu': 17,
  'create menu at a location': 25,
  'replace items': 25,
  'add item': 20,
  'update item': 18,
  'reorder level': 10,
  'remove item': 15,
  'rename menu': 11,
  'change slug of menu': 12,
  'assign menu': 17,
  'delete menu': 28,
} as const

/** These mark what is written as seen, and wait for nothing: menu items, menus and what items link have one or two each. */
const MARKS = 8

it('a write needs few statements, and one to three of them for the history and the list of events', async () => {
  const { send, network } = api
  const count = async (name: keyof typeof MOST, ...request: Parameters<typeof send>) => {
    const { status, body, statements } = await statementsOfTransaction(request)
    expect({ name, status }).toEqual({ name, status: 200 })
    const ofSeen = statements.filter((text) => text.includes('svc_seen')).length
    expect(ofSeen, name).toBeLessThanOrEqual(MARKS)
    expect(statements.length - ofSeen, name).toBeLessThanOrEqual(MOST[name])
    const ofHistory = statements.filter((text) => text.includes('svc_history')).length
    expect(ofHistory, name).toBeGreaterThan(0)
    expect(ofHistory, name).toBeLessThanOrEqual(3)
    // The list of events is made of the entries: numbers are assigned when it is read.
    expect(statements.filter((text) => text.includes('svc_changes'))).toEqual([])
    return body
  }
  const statementsOfTransaction = async (request: Parameters<typeof send>) => {
    let answer: Awaited<ReturnType<typeof send>> | undefined
    const all = await statementsOf(
      network.db,
      async () => {
        answer = await send(...request)
      },
      // With the names of tables.
      ({ sql, text = sql }) => text,
    )
    const [begin, end] = ['BEGIN', 'COMMIT'].map((name) =>
      all.findIndex((text) => text.startsWith(name)),
    )
    return {
      status: answer?.status,
      body: answer?.body,
      statements: all.slice((begin ?? 0) + 1, end),
    }
  }
  // The first write of a site creates its registry.
  await send('post', '/frames', { slug: 'first', html: '<i></i>', bake: false })
  const bake = false
  await count('create frame', 'post', '/frames', { slug: 'a', html: '<p>1</p>', bake })
  await count('replace frame', 'put', '/frames/a', { html: '<p>2</p>', bake })
  await count('rename frame', 'patch', '/frames/a', { slug: 'b', bake })
  await count('assign frame', 'post', '/frames/b/assign', { page: 2, bake })
  await count('clear frame', 'post', '/frames/b/assign', { page: 2, clear: true, bake })
  await send('post', '/frames/b/assign', { page: 2, bake })
  await count('delete frame', 'delete', '/frames/b', { bake })
  const items = ['/a', '/b'].map((url) => ({ url, title: url }))
  const { menu } = await count('create menu', 'post', '/menus', { name: 'One', items })
  const other = { name: 'Two', location: 'footer_2', items: items.slice(1) }
  await count('create menu at a location', 'post', '/menus', other)
  const path = `/menus/${menu.id}`
  const written = await count('replace items', 'put', `${path}/items`, { items })
  const [first, second] = written.items.map(({ id }: { id: number }) => id)
  await count('add item', 'post', `${path}/items`, { url: '/c', title: 'C' })
  await count('update item', 'patch', `${path}/items/${first}`, { title: 'X' })
  await count('reorder level', 'post', `${path}/reorder`, { order: [second, first] })
  await count('remove item', 'delete', `${path}/items/${first}`)
  await count('rename menu', 'patch', path, { name: 'Three' })
  await count('change slug of menu', 'patch', path, { slug: 'three' })
  await count('assign menu', 'put', `${path}/location`, { location: 'footer_1' })
  await count('delete menu', 'delete', path)
})

it('the bake of a frame that shows nothing of the site reads none of its settings', async () => {
  const { send, network } = api
  await send('post', '/frames', { slug: 'plain', html: '<p>1</p>' })
  const read = async (html: string) =>
    statementsOf(
      network.db,
      () => send('put', '/frames/plain', { html }),
      ({ sql, text = sql }) => text,
    )
  const ofSettings = (statements: readonly string[]) =>
    statements.filter((text) => text.includes('posts_per_page'))
  expect(ofSettings(await read('<p>2</p>'))).toEqual([])
  // Otherwise nothing would be seen here.
  const shown = '<!-- svc/data {"source":"site.title"} /-->'
  expect(ofSettings(await read(shown))).not.toEqual([])
})
