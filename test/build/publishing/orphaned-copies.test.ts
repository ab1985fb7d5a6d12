import { afterEach, expect, it } from 'vitest'
import {
  findOrphanedCopies,
  removeOrphanedCopy,
} from '../../../src/build/publishing/check-copies.ts'
import type { OwnedCopy } from '../../../src/build/publishing/copy-store.ts'
import { shown, usePublishingFixture } from './publishing-fixture.ts'

const shop = await usePublishingFixture()
afterEach(() => shop.clear())

async function findOrphans(): Promise<OwnedCopy[]> {
  const { db, globals } = shop.network
  const orphans: OwnedCopy[] = []
  for await (const orphan of findOrphanedCopies({ db, globals, copies: shop.copies }))
    orphans.push(orphan)
  return orphans
}
const removeOrphan = (orphan: OwnedCopy) =>
  removeOrphanedCopy({ ...shop.network, copies: shop.copies }, orphan)

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
