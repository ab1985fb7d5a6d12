import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { renameFrame } from '../../../../src/content/frames/rename-frame.ts'
import { replaceFrame } from '../../../../src/content/frames/replace-frame.ts'
import { recordChange } from '../../../../src/content/work/record-work.ts'
import { type Work, workOn } from '../../../../src/content/work/work.ts'
import { pagesTable } from '../../../../src/content/work/work-tables.ts'
import { applyFixes } from '../../../../src/network/doctor/fix.ts'
import {
  deleteMenuItems,
  readRelatedMenus,
} from '../../../../src/wordpress/nav-menus/delete-menu-items.ts'
import { recountMenus } from '../../../../src/wordpress/nav-menus/menu-term.ts'
import { newWriterId } from '../../../build/publishing/publishing-fixture.ts'
import { startTargetOf } from '../../../build/publishing/test-target.ts'
import { use } from '../../../support/use.ts'
import { forgetWork } from '../../../support/work-rows.ts'
import { useDoctorFixture } from '../doctor-fixture.ts'

const MAIN = 23
const ITEM_OF_TEAM = 26

describe.each(['folder', 'store'] as const)('the doctor and copies in a %s', async (kind) => {
  const target = await use(startTargetOf(kind))
  const shop = await useDoctorFixture({ target: target.settings })
  beforeAll(async () => {
    // It links page 10, which is a draft in some of the tests.
    await shop.network.db.write({}, async (tx) => {
      const menus = await readRelatedMenus(tx, shop.site, MAIN)
      deleteMenuItems(tx, shop.site, [ITEM_OF_TEAM], menus)
      recountMenus(tx, shop.site, menus)
    })
    await shop.publish('page', '<h1 data-op-bind="page.title">x</h1>1', [7, 10, 11])
  })

  const TEAM = 'http://net.test/shop/about-us/team/'
  const at = (path: string) => target.locate(`net.test/${path}`)
  const TEAM_COPY = at('shop/about-us/team')
  const exists = async (location: string) => (await target.read(location)) !== undefined
  /** The row of a page's copy record. */
  const recordOf = (page_id: number) =>
    shop.network.db.sql(pagesTable(shop.network.globals)).where({ blog_id: 2, page_id })
  const { found } = shop
  const posts = (ID: number) => shop.network.db.sql(shop.site.tables.posts).where({ ID })
  /** A write whose process ends before the bake. */
  const replace = (slug: string, html: string) =>
    shop.network.db.write({}, (tx) =>
      replaceFrame(tx, shop.site, slug, {
        html,
        userId: 1,
        now: '2026-01-02 03:04:05',
        bake: true,
      }),
    )

  it('the doctor reports no problems of copies that the service wrote', async () => {
    expect(await exists(TEAM_COPY)).toBe(true)
    expect(await shop.examine()).toEqual([])
    expect((await shop.examineNetwork()).filter(({ check }) => check !== 'charset_narrow')).toEqual(
      [],
    )
  })

  describe('finds and fixes', () => {
    it.each<[string, string, () => Promise<unknown>, () => Promise<unknown>]>([
      [
        'of an unpublished page',
        'is not public',
        () => posts(10).update({ post_status: 'draft' }),
        () => posts(10).update({ post_status: 'publish' }),
      ],
      [
        'of a page that was moved',
        'has another address',
        () => posts(10).update({ post_name: 'people' }),
        () => posts(10).update({ post_name: 'team' }),
      ],
      [
        'of a page without a frame',
        'has no frame',
        () =>
          shop.network.db
            .sql(shop.site.tables.postmeta)
            .where({ post_id: 10, meta_key: '_svc_frame' })
            .update({ meta_key: '_away' }),
        () =>
          shop.network.db
            .sql(shop.site.tables.postmeta)
            .where({ post_id: 10, meta_key: '_away' })
            .update({ meta_key: '_svc_frame' }),
      ],
    ])('a copy %s', async (_, state, plant, heal) => {
      await plant()
      expect(await found()).toEqual([
        `error static_stray: Page 10 has a static copy at ${TEAM}, but the page ${state}.`,
      ])
      await shop.fix()
      expect(await shop.examine()).toEqual([])
      expect(await exists(TEAM_COPY)).toBe(false)
      await heal()
      await shop.executor.apply(shop.site, { bake: true, work: workOn('page', [10]) })
      expect(await shop.examine()).toEqual([])
    })

    it('a missing copy', async () => {
      await target.lose(TEAM_COPY)
      expect(await found()).toEqual([
        `warning static_lost: The static copy of page 10 at ${TEAM} is missing.`,
      ])
      await shop.fix()
      expect(await shop.examine()).toEqual([])
      expect(await exists(TEAM_COPY)).toBe(true)
    })

    it('a copy that was replaced by another program', async () => {
      await target.storeByHand(TEAM_COPY, 'x')
      expect(await shop.codes()).toEqual(['static_damaged'])
      await shop.fix()
      expect(await shop.examine()).toEqual([])
    })

    it('a copy that is older than its page', async () => {
      await posts(10).update({ post_modified_gmt: '2026-01-02 00:00:00' })
      expect(await found()).toEqual([
        `warning static_stale: The static copy of page 10 at ${TEAM} is stale: the page was edited after it was written.`,
      ])
      await shop.fix()
      expect(await shop.examine()).toEqual([])
    })

    it('copies that are older than a write whose process ended before the bake', async () => {
      await replace('page', '<h1 data-op-bind="page.title">x</h1>2')
      expect(await shop.codes()).toEqual(['copy_stale'])
      await shop.fix()
      expect(await shop.examine()).toEqual([])
    })

    it('copies that are older than a write whose process ended after the bake', async () => {
      const { source } = await recordOf(10).first('source')
      await replace('page', '<h1 data-op-bind="page.title">x</h1>3')
      await shop.fix()
      await recordOf(10).update({ source })
      expect(await found()).toEqual([
        `warning static_stale: The static copy of page 10 at ${TEAM} is stale: its frame was baked after it was written.`,
      ])
      await shop.fix()
      expect(await shop.examine()).toEqual([])
    })

    it('what a claim has left that has ended', async () => {
      const { copies } = shop.executor
      const claimId = newWriterId()
      const claim = await copies?.begin(2, claimId)
      const none = [{ location: at('shop/none'), page: 10 }]
      await claim?.remove(none)
      const network = async () =>
        (await shop.examineNetwork()).filter(({ check }) => check === 'static_temporary')
      const findings = await network()
      expect(findings).toMatchObject([
        { site: null, severity: 'info', message: expect.stringContaining(claimId) },
      ])
      await applyFixes(shop.services, findings)
      expect(await network()).toEqual([])
      const team = [{ location: TEAM_COPY, page: 10 }]
      await expect(claim?.remove(team)).rejects.toThrow('is lost')
      expect(await exists(TEAM_COPY)).toBe(true)
    })

    it('copies that no copy record points to, at any address', async () => {
      const orphans = [at('shop/old/team'), target.locate('gone.test/team')]
      for (const location of orphans) await target.duplicate(TEAM_COPY, location)
      await target.storeByHand(at('by-hand'), 'by hand')
      const network = async () =>
        (await shop.examineNetwork()).filter(({ check }) => check === 'static_orphan')
      const findings = await network()
      expect(findings.map(({ site, message }) => [site, message]).sort()).toEqual(
        orphans
          .map((location) => [
            2,
            `"${location}" contains a static copy of page 10 that the copy record of the page does not point to.`,
          ])
          .sort(),
      )
      await applyFixes(shop.services, findings)
      expect(await network()).toEqual([])
      for (const location of orphans) expect(await exists(location)).toBe(false)
      expect(await exists(at('by-hand'))).toBe(true)
      expect(await exists(TEAM_COPY)).toBe(true)
    })
  })

  describe('reports nothing', () => {
    afterAll(async () => {
      await forgetWork(shop.network)
      await shop.fix()
    })

    it.each<[string, readonly Work[]]>([
      ['the page', workOn('page', [10])],
      ['its frame', []],
      ['a menu', workOn('menus')],
    ])('about a copy while there is work on %s', async (_what, given) => {
      await forgetWork(shop.network)
      await target.storeByHand(TEAM_COPY, 'x')
      expect(await shop.codes()).toEqual(['static_damaged'])
      const work = given.length > 0 ? given : workOn('frame', [await shop.idOf('page')])
      await shop.network.db.write({}, (tx) => recordChange(tx, shop.site, { bake: true, work }))
      expect(await found()).toEqual([])
    })
  })

  it('the doctor reports no problems after a rename that changes other frames', async () => {
    await shop.publish('card', 'card')
    await replace('page', '<!-- svc/frame {"name":"card"} /-->')
    await shop.fix()
    const { change } = await shop.network.db.write({}, (tx) =>
      renameFrame(tx, shop.site, 'card', {
        slug: 'tile',
        userId: 1,
        now: '2026-01-02 03:04:06',
        bake: true,
      }),
    )
    await shop.executor.apply(shop.site, change)
    expect(await shop.examine()).toEqual([])
  })
})
