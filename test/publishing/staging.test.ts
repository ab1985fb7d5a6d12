import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { removeUnownedClaims } from '../../src/executor/publish-target.ts'
import { createLog } from '../../src/log.ts'
import { LostLeaseError } from '../../src/publishing/copy-store.ts'
import { NetworkIdentities } from '../../src/publishing/network-identity.ts'
import { publishCopies, storePublishedCopies } from '../../src/publishing/publish-copies.ts'
import { createStaging, fenceStaging, listStaging } from '../../src/publishing/staging.ts'
import { StaticFolder } from '../../src/publishing/static-folder.ts'
import { use } from '../support/use.ts'
import { createPublishingFixture, hidden, newClaimId, shown } from './publishing-fixture.ts'
import { commitAs, takeSite } from './taken-site.ts'

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
    await claim.writer.end()
    await claim.writer.end()
    expect(await readdir(work())).toEqual([])
  })

  it('of a claim that ended may be fenced, and fenced twice', async () => {
    const dir = await mkdtemp(join(tmpdir(), 'wp-frames-staging-'))
    await fenceStaging(dir, newClaimId())
    const claimId = newClaimId()
    await mkdir(join(await createStaging(dir, claimId), 'deep/er'), { recursive: true })
    await Promise.all([1, 2, 3].map(() => fenceStaging(dir, claimId)))
    expect(await readdir(join(dir, '.work'))).toEqual([])
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
    await owned.claim.writer.end()
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

/** The database or the folder says so. */
const IS_LOST = /has lost/

describe('a claim that was fenced', () => {
  /** Publishes an earlier state, and returns a claim that is fenced, and whose pages another one has. */
  async function fenced() {
    await shop.publish(1, [shown(7, 'old/', 'old'), shown(8, 'stays/', 'stays')])
    const open = await shop.openClaim()
    await takeSite(shop.network.db, shop.site, newClaimId())
    await shop.copies.fence(open.claimId)
    const commit = commitAs(shop.network.db, shop.site, open.claimId)
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
    await expect(publishCopies(context, wanted)).rejects.toThrow(IS_LOST)
    expect(await stateOf()).toEqual(before)
  })

  it('after its records were announced cannot write, and leaves no empty folders', async () => {
    const { open, before } = await fenced()
    const location = shop.folder('a/b/c')
    const content = { html: 'x', url: 'http://net.test/', version: 2, digest: '' }
    const copy = { page: 9, location, ...content }
    await expect(open.claim.writer.write([copy])).rejects.toThrow(LostLeaseError)
    expect(await stateOf()).toEqual(before)
    expect(existsSync(shop.folder('a'))).toBe(false)
  })

  it('after its files were written cannot store their records, because its successor has the site', async () => {
    const open = await shop.openClaim()
    const { db } = shop.network
    await takeSite(db, shop.site, open.claimId)
    const commit = commitAs(db, shop.site, open.claimId)
    const context = { ...shop.contextOf(open, 2), commit }
    const published = await publishCopies(context, [shown(7, 'new/', 'new')])
    await takeSite(db, shop.site, newClaimId())
    await shop.copies.fence(open.claimId)
    const storing = commit((tx) => storePublishedCopies(tx, context, published))
    await expect(storing).rejects.toThrow(IS_LOST)
    expect((await shop.records()).get(7)).not.toHaveProperty('digest')
    // Its successor builds the same version.
    const again = await shop.publish(2, [shown(7, 'new/', 'new')])
    expect(again.effects.get(7)).toMatchObject({ published: true, was_published: true })
    expect((await shop.records()).get(7)).toHaveProperty('digest')
  })
})
