import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { removeUnownedClaims } from '../../src/executor/publish-target.ts'
import { createLog } from '../../src/log.ts'
import { storeCopyRecords } from '../../src/publishing/copies-table.ts'
import { LostLeaseError } from '../../src/publishing/copy-target.ts'
import { NetworkIdentities } from '../../src/publishing/network-identity.ts'
import { publishCopies, storePublishedCopies } from '../../src/publishing/publish-copies.ts'
import { createStaging, fenceClaim, listStaging } from '../../src/publishing/staging.ts'
import { StaticFolder } from '../../src/publishing/static-folder.ts'
import { use } from '../support/use.ts'
import { createPublishingFixture, hidden, newClaimId, shown } from './publishing-fixture.ts'

const shop = await use(createPublishingFixture(true))
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
    const missing = join(tmpdir(), `wp-frames-missing-${newClaimId()}`)
    await expect(createStaging(missing, newClaimId())).rejects.toMatchObject({ code: 'ENOENT' })
    expect(existsSync(missing)).toBe(false)
  })

  it('is removed with what is in it at the end of the claim', async () => {
    const { claim, path } = await shop.openClaim()
    await writeFile(join(path, '7.index.html'), 'x')
    await claim.end()
    await claim.end()
    expect(await readdir(work())).toEqual([])
  })

  it('of a claim that ended may be fenced, and fenced twice', async () => {
    const dir = await mkdtemp(join(tmpdir(), 'wp-frames-staging-'))
    await fenceClaim(dir, newClaimId())
    const staging = await createStaging(dir, newClaimId())
    await mkdir(join(staging.path, 'deep/er'), { recursive: true })
    await Promise.all([1, 2, 3].map(() => fenceClaim(dir, staging.claimId)))
    expect(await readdir(join(dir, '.work'))).toEqual([])
    await expect(staging.assertPresent()).rejects.toThrow(LostLeaseError)
    await rm(dir, { recursive: true })
  })

  it('without an owner is removed, also one whose removal was interrupted', async () => {
    const [owned, unowned] = [await shop.openClaim(), await shop.openClaim()]
    const half = newClaimId()
    await mkdir(work(`${half}.fenced`))
    await writeFile(work(`${half}.fenced`, 'x'), 'x')
    expect(await listStaging(shop.staticDir)).toEqual(
      [owned, unowned]
        .map(({ claimId }) => claimId)
        .concat(half)
        .sort(),
    )
    const removed = await removeUnownedClaims(shop.copies, async () => new Set([owned.claimId]))
    expect(removed).toEqual([unowned.claimId, half].sort())
    expect(await readdir(work())).toEqual([owned.claimId])
    await owned.claim.end()
  })

  it('is never looked for behind a symbolic link', async () => {
    const outside = await mkdtemp(join(tmpdir(), 'wp-frames-outside-'))
    const dir = await mkdtemp(join(tmpdir(), 'wp-frames-linked-'))
    await mkdir(join(outside, 'home'))
    await symlink(outside, join(dir, '.work'))
    await expect(removeUnownedClaims(targetOf(dir), async () => new Set())).rejects.toThrow(
      'symbolic link',
    )
    await expect(createStaging(dir, newClaimId())).rejects.toThrow('symbolic link')
    expect(await readdir(outside)).toEqual(['home'])
    for (const folder of [outside, dir]) await rm(folder, { recursive: true })
  })

  it('is listed as missing without a folder of static copies', async () => {
    expect(await listStaging('/nonexistent')).toEqual([])
    expect(await removeUnownedClaims(targetOf('/nonexistent'), async () => new Set())).toEqual([])
  })
})

describe('a claim that was fenced', () => {
  /** Publishes an earlier state, and returns a claim that is fenced. */
  async function fenced() {
    await shop.publish(1, [shown(7, 'old/', 'old'), shown(8, 'stays/', 'stays')])
    const open = await shop.openClaim()
    await shop.copies.fenceClaim(open.claimId)
    return { open, before: await stateOf() }
  }
  const stateOf = async () => [await shop.files(), await shop.records()]

  it.each([
    ['write a copy', [shown(7, 'old/', 'new')]],
    ['write a copy at a new URL', [shown(9, 'new/folder/', 'new')]],
    ['move a copy', [shown(7, 'new/', 'new')]],
    ['remove a copy', [hidden(7, 'old/')]],
  ])('cannot %s, and stores no record', async (_what, wanted) => {
    const { open, before } = await fenced()
    await expect(publishCopies(shop.contextOf(open, 2), wanted)).rejects.toThrow(LostLeaseError)
    expect(await stateOf()).toEqual(before)
  })

  it('after its records were announced cannot write, and leaves no empty folders', async () => {
    const { open, before } = await fenced()
    const location = shop.folder('a/b/c')
    const content = { html: 'x', url: 'http://net.test/', version: 2, digest: '' }
    const copy = { page: 9, location, ...content, owner: '{}', replacedBytes: 0 }
    await expect(open.claim.write([copy])).rejects.toThrow(LostLeaseError)
    expect(await stateOf()).toEqual(before)
    expect(existsSync(shop.folder('a'))).toBe(false)
  })

  it('after its files were written cannot store their records', async () => {
    const open = await shop.openClaim()
    const context = shop.contextOf(open, 2)
    const published = await publishCopies(context, [shown(7, 'new/', 'new')])
    await shop.copies.fenceClaim(open.claimId)
    const { db } = shop.network
    await expect(
      db.write({}, (tx) => storePublishedCopies(tx, context, published)),
    ).rejects.toThrow(LostLeaseError)
    expect((await shop.records()).get(7)).not.toHaveProperty('digest')
    // Its successor builds the same version.
    const again = await shop.publish(2, [shown(7, 'new/', 'new')])
    expect(again.effects.get(7)).toMatchObject({ published: true, was_published: true })
    expect((await shop.records()).get(7)).toHaveProperty('digest')
  })

  it('cannot store records while its successor stores them', async () => {
    const { db } = shop.network
    const open = await shop.openClaim()
    const record = { page: 7, url: 'http://net.test/shop/late/', version: 2, bytes: 0 }
    const successor = { ...record, url: 'http://net.test/shop/right/' }
    const late = db.write({}, async (tx) => {
      await storeCopyRecords(tx, shop.site, [record])
      await shop.copies.fenceClaim(open.claimId)
      // Waits for the row that this transaction has locked.
      const other = db.write({ site: shop.site }, (tx) =>
        storeCopyRecords(tx, shop.site, [successor]),
      )
      await open.claim.assertPresent().catch((error) => {
        Object.assign(error, { other })
        throw error
      })
    })
    const error = await late.catch((error) => error)
    expect(error).toBeInstanceOf(LostLeaseError)
    await error.other
    expect((await shop.records()).get(7)?.url).toBe(successor.url)
  })
})
