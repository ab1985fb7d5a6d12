import { beforeEach, expect, it } from 'vitest'
import { createFrame } from '../../../src/content/frames/create-frame.ts'
import { deleteFrame } from '../../../src/content/frames/delete-frame.ts'
import { replaceFrame } from '../../../src/content/frames/replace-frame.ts'
import { chooseTargets } from '../../../src/content/restore/choose-targets.ts'
import { findEntriesWithoutContent } from '../../../src/record/history/missing-contents.ts'
import { pruneHistory, type Retention } from '../../../src/record/history/prune-history.ts'
import { listEntries, readContent } from '../../../src/record/history/read-history.ts'
import { useNetwork } from '../../support/network.ts'

const network = await useNetwork()
const site = await network.site(2)
const table = `${network.globals.basePrefix}svc_history`
beforeEach(() => network.db.sql(table).delete())

const write = { userId: 2, now: '2026-01-01 00:00:00', bake: false }
const put = (slug: string, html: string) =>
  network.db.write({ site }, (tx) => replaceFrame(tx, site, slug, { ...write, html }))
const create = (slug: string, html: string) =>
  network.db.write({ site }, (tx) => createFrame(tx, site, { ...write, slug, html }))
const remove = (slug: string) =>
  network.db.write({ site }, (tx) => deleteFrame(tx, site, slug, { bake: false }))
const list = () =>
  listEntries(network.db, network.globals, 2, { limit: 1000, order: 'oldest' as const })
const frames = async () => (await list()).filter(({ kind }) => kind === 'frame')
const prune = (retention: Partial<Retention>, now = new Date()) =>
  pruneHistory(
    network.db,
    network.globals,
    { days: undefined, bytesPerSite: undefined, ...retention },
    { now },
  )
const inDays = (days: number): Date => new Date(Date.now() + days * 86_400_000)

it('pruning deletes older entries, except the last state of each thing', async () => {
  await create('one', 'first')
  await put('one', 'second')
  await put('one', 'third')
  await create('gone', 'deleted content')
  await remove('gone')
  expect(await prune({ days: 90 }, inDays(89))).toBe(0)
  expect(await frames()).toHaveLength(5)
  expect(await prune({ days: 90 }, inDays(91))).toBe(4)
  const left = await frames()
  expect(left.map(({ name, action }) => [name, action])).toEqual([['one', 'replaced']])
  const [last] = left
  expect(last && (await readContent(network.db, site, last))).toBe('third')
  const contents = await network.db.sql(table).where({ kind: 'content' })
  expect(contents).toHaveLength(1)
})

it('pruning keeps a content that a later entry has again', async () => {
  await create('again', 'same')
  await put('again', 'other')
  await put('again', 'same')
  await prune({ days: 1 }, inDays(2))
  expect(await findEntriesWithoutContent(network.db, site)).toEqual([])
})

it('pruning deletes the oldest entries of a site whose history is too large', async () => {
  await create('large', 'x')
  for (let at = 0; at < 20; at += 1) await put('large', `${at} ${'text '.repeat(at)}`)
  await prune({ bytesPerSite: 6000 })
  const left = (await frames()).length
  expect(left).toBeGreaterThan(3)
  expect(left).toBeLessThan(15)
})

it('pruning reports things as lost whose state before a write was deleted, and no things that did not exist', async () => {
  await create('kept', '1')
  await put('kept', '2')
  await prune({ days: 1 }, inDays(2))
  await create('new', '1')
  const [replaced, created] = await frames()
  const expected = {
    targets: [{ thing: { kind: 'frame', ref: created?.ref }, wanted: null }],
    unknown: [{ kind: 'frame', ref: replaced?.ref }],
  }
  const moment = { time: '2020-01-01' }
  expect(await chooseTargets(network.db, site, { moment })).toEqual(expected)
  await network.db.sql(table).update({ token_id: 5 })
  const byToken = { tokenId: 5, since: moment.time }
  const left = expect.objectContaining({ ref: created?.ref, token_id: 5 })
  const targets = expected.targets.map((target) => ({ ...target, left }))
  expect(await chooseTargets(network.db, site, byToken)).toEqual({ ...expected, targets })
})
