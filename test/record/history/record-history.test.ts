import { beforeEach, describe, expect, it } from 'vitest'
import { analyzeMarkup } from '../../../src/content/frames/frame-markup.ts'
import { lockFrames } from '../../../src/content/frames/lock-frames.ts'
import { recordOption } from '../../../src/content/frames/option-names.ts'
import { replaceFrame } from '../../../src/content/frames/replace-frame.ts'
import type { Tx } from '../../../src/db/transaction.ts'
import { issueToken, reissueToken } from '../../../src/record/auth/tokens.ts'
import type { EntryRow } from '../../../src/record/history/history-row.ts'
import { historyTable } from '../../../src/record/history/history-row.ts'
import { listEntries, readContent } from '../../../src/record/history/read-history.ts'
import { readLastEntries } from '../../../src/record/history/read-last-entries.ts'
import { useMenusApi } from '../../support/menus-api.ts'
import { sqlOf, statementsOf } from '../../support/statements.ts'

const api = await useMenusApi()
await api.api.token('alice')

let seen = 0
beforeEach(async () => {
  seen = (await entries())[0]?.id ?? 0
})

const entries = (after?: number): Promise<EntryRow[]> =>
  listEntries(api.network.db, api.network.globals, undefined, {
    ...(after === undefined ? {} : { after, order: 'oldest' as const }),
    limit: 1000,
  })

/** The entries since the begin of the test, in short. */
const recorded = async () =>
  (await entries(seen)).map(({ kind, name, action, user_id: user }) => ({
    kind,
    name,
    action,
    user,
  }))

const query = (statement: string, values: readonly unknown[] = []) =>
  api.network.db.sql.raw(statement, values as string[])

const contentOf = async (entry: EntryRow | undefined) =>
  entry && readContent(api.network.db, api.site, entry)

const ALICE = 2

it('a write of a thing with many entries does not read them', async () => {
  const { send, network, site } = api
  await send('post', '/frames', { slug: 'often', html: '<p>0</p>', bake: false })
  const [last] = (await entries(seen)).filter(({ kind }) => kind === 'frame')
  const {
    id: _,
    hash: __,
    ...row
  } = await network.db.sql(historyTable(network.globals)).where({ id: last?.id }).first()
  const rows = Array.from({ length: 500 }, (_, at) => ({
    ...row,
    hash: Buffer.from(String(at).padStart(32, '0')),
  }))
  await network.db.sql.batchInsert(historyTable(network.globals), rows)
  const reads = await network.db.write({ site }, async (tx) => {
    const count = async (): Promise<number> => {
      const [found] = await sqlOf(tx).raw("SHOW SESSION STATUS LIKE 'Handler_read%'")
      return found.reduce((sum: number, { Value }: { Value: string }) => sum + Number(Value), 0)
    }
    const before = await count()
    await readLastEntries(tx, site, [{ kind: 'frame', ref: row.ref }])
    return (await count()) - before
  })
  expect(reads).toBeLessThan(100)
})

describe('the history', () => {
  it('has an entry with author and content for each write of a frame', async () => {
    const { send } = api
    const { body } = await send('post', '/frames', { slug: 'card', html: '<p>1</p>' })
    await send('put', '/frames/card', { html: '<p>2</p>' })
    await send('patch', '/frames/card', { slug: 'tile' })
    await send('post', '/frames/tile/assign', { page: 2 })
    await send('delete', '/frames/tile')
    expect(await recorded()).toEqual([
      { kind: 'frame', name: 'card', action: 'created', user: ALICE },
      { kind: 'frame', name: 'card', action: 'replaced', user: ALICE },
      { kind: 'frame', name: 'tile', action: 'renamed', user: ALICE },
      { kind: 'assignment', name: 'tile', action: 'assigned', user: ALICE },
      { kind: 'assignment', name: 'tile', action: 'cleared', user: ALICE },
      { kind: 'frame', name: 'tile', action: 'deleted', user: ALICE },
    ])
    const [created, replaced, renamed, , , deleted] = await entries(seen)
    expect(created).toMatchObject({ ref: body.frame.id, label: '', blog_id: 2, previous: null })
    expect(created?.request_id).toMatch(/^[0-9a-f-]{36}$/)
    expect(await contentOf(created)).toBe('<p>1</p>')
    expect(await contentOf(replaced)).toBe('<p>2</p>')
    expect(renamed).toMatchObject({ content: replaced?.content, previous: replaced?.version })
    expect(deleted).toMatchObject({ state: null, content: null })
  })

  it('has the items of a menu as they are stored, and the locations', async () => {
    const { send, makeMenu } = api
    const { menu } = await makeMenu([{ url: '/a', title: 'A' }], { location: 'footer_3' })
    await send('post', `/menus/${menu.id}/items`, { url: '/b', title: 'B' })
    const { body } = await send('patch', `/menus/${menu.id}`, { name: 'Renamed' })
    expect(body.menu.name).toBe('Renamed')
    await send('delete', `/menus/${menu.id}`)
    const written = await entries(seen)
    expect(written.map(({ kind, action }) => `${kind} ${action}`)).toEqual([
      // Polylang's map and the theme's.
      'location assigned',
      'location assigned',
      'menu created',
      'menu replaced',
      'menu renamed',
      'location cleared',
      'location cleared',
      'menu deleted',
    ])
    const items = JSON.parse((await contentOf(written[3])) ?? '')
    expect(items).toMatchObject([
      { order: 1, title: 'A', status: 'publish' },
      { order: 2, title: 'B', meta: { _menu_item_type: 'custom' } },
    ])
    expect(JSON.parse(written[0]?.state ?? '')).toEqual({ menu: menu.id })
  })

  it('has one entry for several writes of a thing in a transaction, and none for a write that changes nothing', async () => {
    const { menu } = await api.makeMenu([], { location: 'footer_3' })
    seen = (await entries())[0]?.id ?? 0
    await api.send('put', `/menus/${menu.id}/location`, { location: 'footer_3' })
    expect(await recorded()).toEqual([])
  })

  it('has one entry for a frame that is written twice in a transaction', async () => {
    const { db } = api.network
    const write = { userId: ALICE, now: '2026-01-01 00:00:00', bake: false }
    const put = (html: string) => (tx: Tx) =>
      replaceFrame(tx, api.site, 'twice', { ...write, html })
    await api.send('post', '/frames', { slug: 'twice', html: '1', bake: false })
    await db.write({ site: api.site }, async (tx) => {
      await put('2')(tx)
      await put('3')(tx)
    })
    expect(await recorded()).toMatchObject([{ action: 'created' }, { action: 'replaced' }])
    expect(await contentOf((await entries(seen))[1])).toBe('3')
  })

  it('has the entries of frames that are read ahead together and written in parts', async () => {
    const { site, network } = api
    const ids: string[] = []
    for (const slug of ['part-a', 'part-b']) {
      const { body } = await api.send('post', '/frames', { slug, html: slug, bake: false })
      ids.push(body.frame.id)
    }
    // Another program has changed the second one.
    await query(
      `UPDATE ${site.tables.options} SET option_value = REPLACE(option_value, '"part-b"', '"part-x"') WHERE option_name = ?`,
      [recordOption(ids[1] ?? '')],
    )
    const statements = await statementsOf(network.db, () =>
      network.db.write({ site }, async (tx) => {
        const frames = await lockFrames(tx, site)
        frames.early.readDigests(ids)
        for (const [at, html] of ['a', 'b'].entries()) {
          const dates = {
            created_at_gmt: '2026-01-01 00:00:00',
            updated_at_gmt: '2026-01-01 00:00:00',
          }
          const record = { slug: `part-${html}`, html, ...dates, updated_by: ALICE }
          frames.stage(ids[at] ?? '', record, analyzeMarkup(html))
          await frames.flushRecords()
        }
        await frames.flush()
      }),
    )
    expect(statements.filter((text) => text.includes('MAX(id)'))).toHaveLength(1)
    const of = (name: string, action: string) => expect.objectContaining({ name, action })
    expect((await recorded()).toSorted((x, y) => (x.name < y.name ? -1 : 1))).toEqual([
      of('part-a', 'created'),
      of('part-a', 'replaced'),
      of('part-b', 'created'),
      of('part-b', 'edited'),
      of('part-b', 'replaced'),
    ])
  })

  it('has no entry of a dry run, and none of a refused write', async () => {
    await api.send('post', '/frames', { slug: 'dry', html: '<i></i>', dry_run: true })
    await api.send('put', '/frames/missing', { html: '<i></i>' })
    await api.send('post', '/menus', { name: 'Refused', items: [{ page: 'no-such-page' }] })
    expect(await recorded()).toEqual([])
  })

  it('records what existed before the first write as found', async () => {
    const { send } = api
    await send('post', '/frames', { slug: 'old', html: 'before' })
    await query(`DELETE FROM ${api.network.globals.basePrefix}svc_history`)
    await send('put', '/frames/old', { html: 'after' })
    expect(await recorded()).toEqual([
      { kind: 'frame', name: 'old', action: 'found', user: null },
      { kind: 'frame', name: 'old', action: 'replaced', user: ALICE },
    ])
    expect(await contentOf((await entries(seen))[0])).toBe('before')
  })

  it('records an edit of another program before it is overwritten', async () => {
    const { send, makeMenu, site } = api
    const { body } = await send('post', '/frames', { slug: 'edited', html: 'ours' })
    const { id } = body.frame
    await send('post', '/frames/edited/assign', { page: 2 })
    const { menu, items } = await makeMenu([{ url: '/a', title: 'Ours' }], { location: 'footer_1' })
    const { options, posts, postmeta } = site.tables
    await query(`UPDATE ${options} SET option_value = 'theirs' WHERE option_name = ?`, [
      `svc_frame_${id}`,
    ])
    await query(`UPDATE ${posts} SET post_title = 'Theirs' WHERE ID = ?`, [items[0].id])
    await query(
      `UPDATE ${postmeta} SET meta_value = 'ffffffffffffffff' WHERE post_id = 2 AND meta_key = '_svc_frame'`,
    )
    seen = (await entries())[0]?.id ?? 0
    await send('put', '/frames/edited', { html: 'ours again' })
    await send('put', `/menus/${menu.id}/items`, { items: [] })
    await send('post', '/frames/edited/assign', { page: 2 })
    const written = await entries(seen)
    expect(await recorded()).toMatchObject([
      { kind: 'frame', action: 'edited', user: null },
      { kind: 'frame', action: 'replaced', user: ALICE },
      { kind: 'menu', action: 'edited', user: null },
      { kind: 'menu', action: 'replaced', user: ALICE },
      { kind: 'assignment', action: 'edited', user: null },
      { kind: 'assignment', action: 'assigned', user: ALICE },
    ])
    expect(await contentOf(written[0])).toBe('theirs')
    expect(JSON.parse((await contentOf(written[2])) ?? '')).toMatchObject([{ title: 'Theirs' }])
    expect(JSON.parse(written[4]?.state ?? '')).toEqual({ frame: 'ffffffffffffffff' })
  })

  it('stores a content once', async () => {
    const { send, network } = api
    await send('post', '/frames', { slug: 'same-1', html: 'the same markup' })
    await send('post', '/frames', { slug: 'same-2', html: 'other' })
    await send('put', '/frames/same-2', { html: 'the same markup' })
    await send('put', '/frames/same-2', { html: 'other' })
    const hashes = (await entries(seen)).map(({ content }) => content)
    expect(new Set(hashes).size).toBe(2)
    const [rows] = await network.db.sql.raw(
      `SELECT COUNT(*) AS number FROM ${network.globals.basePrefix}svc_history WHERE kind = 'content' AND hash IN (?)`,
      [[...new Set(hashes)].map((hash) => Buffer.from(hash ?? '', 'hex'))],
    )
    expect(rows[0].number).toBe(2)
  })

  it('records tokens without a site', async () => {
    const { db, globals } = api.network
    const now = new Date()
    const { id } = await db.write({}, (tx) =>
      issueToken(tx, globals, { userId: ALICE, label: 'deploy', now }),
    )
    await db.write({}, (tx) => reissueToken(tx, globals, { id, now }))
    const written = await entries(seen)
    expect(written.map(({ blog_id, name, action }) => [blog_id, name, action])).toEqual([
      [0, 'deploy', 'issued'],
      [0, 'deploy', 'revoked'],
      [0, 'deploy', 'issued'],
    ])
  })
})
