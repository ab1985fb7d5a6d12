import { existsSync } from 'node:fs'
import { mkdir, readdir, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { fenceLeftWriters } from '../../../src/build/executor/publish-target.ts'
import { NetworkIdentities } from '../../../src/build/publishing/network-identity.ts'
import {
  publishCopies,
  storePublishedCopies,
} from '../../../src/build/publishing/publish-copies.ts'
import { createStaging, fenceStaging, listStaging } from '../../../src/build/publishing/staging.ts'
import { StaticFolder } from '../../../src/build/publishing/static-folder.ts'
import { LostLeaseError } from '../../../src/db/tasks/tasks-table.ts'
import { createLog } from '../../../src/host/log.ts'
import { useFolder } from '../../support/use.ts'
import { hidden, newWriterId, SHOP, shown, usePublishingFixture } from './publishing-fixture.ts'
import { commitAs, takeSite } from './taken-site.ts'

const shop = await usePublishingFixture(true)
afterEach(() => shop.clear())

const work = (...names: string[]) => join(shop.staticDir, '.work', ...names)
/** The target of another folder. */
const targetOf = (staticDir: string) => {
  const { db, globals } = shop.network
  const identities = new NetworkIdentities(db, globals)
  return new StaticFolder({ db, globals, staticDir, identities, log: createLog('silent') })
}

describe('a staging folder', () => {
  it('is never created below a missing folder of static copies', async () => {
    const missing = join(tmpdir(), `wp-frames-missing-${newWriterId()}`)
    await expect(createStaging(missing, newWriterId())).rejects.toMatchObject({ code: 'ENOENT' })
    expect(existsSync(missing)).toBe(false)
  })

  it('is removed with what is in it at the end of the writer', async () => {
    const { publication, path } = await shop.openPublication()
    await writeFile(join(path, '7.index.html'), 'x')
    await publication.writer.end()
    await publication.writer.end()
    expect(await readdir(work())).toEqual([])
  })

  it('of a writer that ended may be fenced, and fenced twice', async () => {
    const dir = await useFolder('staging')
    await fenceStaging(dir, newWriterId())
    const owner = newWriterId()
    await mkdir(join(await createStaging(dir, owner), 'deep/er'), { recursive: true })
    await Promise.all([1, 2, 3].map(() => fenceStaging(dir, owner)))
    expect(await readdir(join(dir, '.work'))).toEqual([])
  })

  it('without an owner is removed, also one whose removal was interrupted', async () => {
    const [owned, unowned] = [await shop.openPublication(), await shop.openPublication()]
    const half = newWriterId()
    await mkdir(work(`${half}.fenced`))
    await writeFile(work(`${half}.fenced`, 'x'), 'x')
    expect(await listStaging(shop.staticDir)).toEqual(
      [owned, unowned]
        .map(({ owner }) => owner)
        .concat(half)
        .sort(),
    )
    const removed = await fenceLeftWriters(shop.copies, async () => new Set([owned.owner]))
    expect(removed).toEqual([unowned.owner, half].sort())
    expect(await readdir(work())).toEqual([owned.owner])
    await owned.publication.writer.end()
  })

  it('is never looked for behind a symbolic link', async () => {
    const outside = await useFolder('outside')
    const dir = await useFolder('linked')
    await mkdir(join(outside, 'home'))
    await symlink(outside, join(dir, '.work'))
    await expect(fenceLeftWriters(targetOf(dir), async () => new Set())).rejects.toThrow(
      'symbolic link',
    )
    await expect(createStaging(dir, newWriterId())).rejects.toThrow('symbolic link')
    expect(await readdir(outside)).toEqual(['home'])
  })

  it('is listed as missing without a folder of static copies', async () => {
    expect(await listStaging('/nonexistent')).toEqual([])
    expect(await fenceLeftWriters(targetOf('/nonexistent'), async () => new Set())).toEqual([])
  })
})

describe('a writer that was fenced', () => {
  /** Publishes an earlier state, and returns a writer that is fenced, and whose pages another one has. */
  async function fenced() {
    await shop.publish(1, [shown(7, 'old/', 'old'), shown(8, 'stays/', 'stays')])
    const open = await shop.openPublication()
    await takeSite(shop.network.db, shop.site, newWriterId())
    await shop.copies.fence(open.owner)
    const commit = commitAs(shop.network.db, shop.site, open.owner)
    const context = { ...shop.contextOf(open, 2), commit }
    return { open, context, before: await stateOf() }
  }
  const stateOf = async () => [await shop.files(), await shop.records()]

  it.each([
    ['write a copy', [shown(7, 'old/', 'new')]],
    ['write a copy at a new URL', [shown(9, 'new/folder/', 'new')]],
    ['move a copy', [shown(7, 'new/', 'new')]],
    ['remove a copy', [hidden(7, 'old/')]],
  ])('cannot %s, and stores no record', async (_what, wanted) => {
    const { context, before } = await fenced()
    await expect(publishCopies(context, wanted)).rejects.toThrow(LostLeaseError)
    expect(await stateOf()).toEqual(before)
  })

  it('after its records were announced cannot write, and leaves no empty folders', async () => {
    const { open, before } = await fenced()
    const location = shop.folder('a/b/c')
    const content = { html: 'x', url: 'http://net.test/', version: 2, digest: '' }
    const copy = { page: 9, location, ...content }
    await expect(open.publication.writer.write([copy])).rejects.toThrow(LostLeaseError)
    expect(await stateOf()).toEqual(before)
    expect(existsSync(shop.folder('a'))).toBe(false)
  })

  it('after its files were written cannot store their records, because its successor has the site', async () => {
    const open = await shop.openPublication()
    const { db } = shop.network
    await takeSite(db, shop.site, open.owner)
    const commit = commitAs(db, shop.site, open.owner)
    const context = { ...shop.contextOf(open, 2), commit }
    const published = await publishCopies(context, [shown(7, 'new/', 'new')])
    await takeSite(db, shop.site, newWriterId())
    await shop.copies.fence(open.owner)
    const storing = commit((tx) => storePublishedCopies(tx, context, published))
    await expect(storing).rejects.toThrow(LostLeaseError)
    expect((await shop.records()).get(7)).not.toHaveProperty('digest')
    // Its successor builds the same version.
    const again = await shop.publish(2, [shown(7, 'new/', 'new')])
    expect(again.outcomes.get(7)).toEqual({ state: 'written', formerUrl: `${SHOP}new/` })
    expect((await shop.records()).get(7)).toHaveProperty('digest')
  })
})
