import { expect, it } from 'vitest'
import { useMenusApi } from '../../support/menus-api.ts'
import { statementsOf } from '../../support/statements.ts'

const api = await useMenusApi()

/** The statements of each write without a history, as counted before there was one. */
const WITHOUT_HISTORY = {
  'create frame': 4,
  'replace frame': 4,
  'rename frame': 5,
  'assign frame': 8,
  'clear frame': 9,
  'delete frame': 11,
  'create menu': 16,
  'create menu at a location': 24,
  'replace items': 19,
  'add item': 14,
  'update item': 11,
  'reorder level': 8,
  'remove item': 13,
  'rename menu': 9,
  'change slug of menu': 9,
  'assign menu': 16,
  'delete menu': 26,
} as const

/**
 * These read nothing else in the transaction that the last entry could be read with, or they read for the entry what plugins keep with a menu, in
 * the packet of the lock, and again after a change of items.
 */
const TWO_MORE: readonly string[] = [
  'clear frame',
  'replace items',
  'add item',
  'reorder level',
  'remove item',
  'rename menu',
  'delete menu',
]
const THREE_MORE: readonly string[] = ['update item', 'change slug of menu']

/** These read the settings of the site in their transaction, not before it: languages, options, locale, static front page. */
const READ_SETTINGS: readonly string[] = ['replace items', 'add item', 'update item']
const SETTINGS_STATEMENTS = 4

/** These mark what is written as seen, and wait for nothing: menu items, menus and what items link have one or two each. */
const MARKS = 8

type WriteName = keyof typeof WITHOUT_HISTORY

it('the history, with the list of events, needs one to three more statements for a write', async () => {
  const { send, network } = api
  const counts = new Map<string, number>()
  const count = async (name: WriteName, ...request: Parameters<typeof send>) => {
    const { status, body, statements } = await statementsOfTransaction(request)
    expect({ name, status }).toEqual({ name, status: 200 })
    const ofSeen = statements.filter((text) => text.includes('svc_seen')).length
    expect(ofSeen, name).toBeLessThanOrEqual(MARKS)
    counts.set(name, statements.length - ofSeen)
    const ofHistory = statements.filter((text) => text.includes('svc_history')).length
    expect(ofHistory, name).toBeGreaterThan(0)
    expect(ofHistory, name).toBeLessThanOrEqual(3)
    // The list of events is made of the entries: numbers are assigned when it is read.
    expect(
      statements.filter((text) => text.includes('svc_changes')),
      name,
    ).toEqual([])
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
  for (const [name, before] of Object.entries(WITHOUT_HISTORY)) {
    const settings = READ_SETTINGS.includes(name) ? SETTINGS_STATEMENTS : 0
    const own = THREE_MORE.includes(name) ? 3 : TWO_MORE.includes(name) ? 2 : 1
    const more = own + settings
    expect({ name, statements: counts.get(name) ?? Number.NaN }).toEqual({
      name,
      statements: expect.toSatisfy((number: number) => number <= before + more),
    })
  }
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
