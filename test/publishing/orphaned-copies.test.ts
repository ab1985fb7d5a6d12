import { afterEach, expect, it } from 'vitest'
import { findCopyProblem, surveyCopies } from '../../src/publishing/copy-survey.ts'
import type { OwnedCopy } from '../../src/publishing/copy-target.ts'
import { findOrphanedCopies, removeOrphanedCopy } from '../../src/publishing/orphaned-copies.ts'
import type { Page } from '../../src/wordpress/pages/posts.ts'
import { use } from '../support/use.ts'
import { createPublishingFixture, hidden, shown, sourceOf } from './publishing-fixture.ts'

const shop = await use(createPublishingFixture())
afterEach(() => shop.clear())

async function findOrphans(): Promise<OwnedCopy[]> {
  const { db, globals } = shop.network
  const orphans: OwnedCopy[] = []
  for await (const orphan of findOrphanedCopies(db, globals, shop.copies)) orphans.push(orphan)
  return orphans
}
const removeOrphan = (orphan: OwnedCopy) =>
  removeOrphanedCopy(shop.network.db, shop.network.globals, shop.copies, orphan)

it('the doctor finds and removes copies that no record points to', async () => {
  await shop.publish(1, [shown(7, 'a/', 'seven'), shown(8, 'b/', 'eight')])
  await shop.duplicate(shop.folder('a'), shop.folder('old/a'))
  await shop.duplicate(shop.folder('a'), shop.locate('gone.test/x'))
  await shop.storeByHand(shop.folder('by-hand'), 'by hand')
  const orphans = await findOrphans()
  expect(orphans.map(({ location }) => location).sort()).toEqual(
    [shop.locate('gone.test/x'), shop.folder('old/a')].sort(),
  )
  for (const orphan of orphans) await removeOrphan(orphan)
  expect(await findOrphans()).toEqual([])
  expect(await shop.read(shop.folder('old/a'))).toBeUndefined()
  for (const kept of ['a', 'b', 'by-hand']) expect(await shop.read(shop.folder(kept))).toBeDefined()
})

it('the doctor does not remove a copy that got a record, another owner, or was removed meanwhile', async () => {
  await shop.publish(1, [shown(7, 'a/', 'seven')])
  for (const path of ['b', 'c', 'd']) await shop.duplicate(shop.folder('a'), shop.folder(path))
  const orphans = await findOrphans()
  expect(orphans).toHaveLength(3)
  await shop.publish(2, [shown(7, 'b/', 'seven'), shown(8, 'c/', 'eight')])
  await shop.lose(shop.folder('d'))
  for (const orphan of orphans) await removeOrphan(orphan)
  expect(await shop.read(shop.folder('b'))).toBeDefined()
  expect(await shop.read(shop.folder('c'))).toBeDefined()
})

it('the doctor compares copies with their files and with what they were made of', async () => {
  await shop.publish(
    1,
    [7, 8, 9, 10].map((page) => shown(page, `p${page}/`, `${page}`)),
  )
  await shop.publish(2, [hidden(10, 'p10/')])
  const survey = () => surveyCopies(shop.network.db, shop.site, shop.copies)
  const page = { modifiedGmt: '2026-01-02 03:04:05' } as Page
  const copies = await survey()
  expect(copies.map(({ page, files }) => [page, files])).toEqual(
    [7, 8, 9].map((id) => [id, 'intact']),
  )
  const [seven] = copies
  if (!seven) throw new Error('no copy')
  expect(findCopyProblem(seven, page, sourceOf('7'))).toBeUndefined()
  expect(findCopyProblem(seven, page, undefined)).toBeUndefined()
  expect(findCopyProblem(seven, page, 'other')).toBe('built')
  expect(
    findCopyProblem(seven, { ...page, modifiedGmt: '2026-01-01 00:00:00' }, sourceOf('7')),
  ).toBe('edited')
  await shop.lose(shop.folder('p7'))
  await shop.storeByHand(shop.folder('p8'), 'x')
  const later = await survey()
  expect(later.map(({ files }) => files)).toEqual(['missing', 'damaged', 'intact'])
  expect(later.map((copy) => findCopyProblem(copy, page, undefined))).toEqual([
    'missing',
    'damaged',
    undefined,
  ])
})
