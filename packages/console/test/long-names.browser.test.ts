import { describe, expect, it } from 'vitest'
import { issueTokenFor } from '../../../test/support/api.ts'
import { useConsole } from '../../../test/support/console.ts'
import { FRAMED_PAGES, putPreviewedFrames } from '../../../test/support/console-frames.ts'
import { startRunWorker } from '../../../test/support/run-worker.ts'
import { use } from '../../../test/support/use.ts'
import { putWork } from '../../../test/support/work-rows.ts'

/** Nothing in it can be broken, and it is three times as wide as a phone. */
const NAME = 'W'.repeat(100)
const SLUG = NAME.toLowerCase()
const HEADER_MENU = 23

/** What must not be wider than its part of the window. What scrolls by itself, such as a difference, is not among it. */
const PARTS =
  'html, main, .panel, .notice, .choices, .list, .branches, .rows, .bench-problems, .toast, dialog, .dialog-body, .palette'

describe('long names in the console on a phone', async () => {
  const console_ = await useConsole({ expected: /preview-frame|sandboxed/ })
  const { network } = console_
  const shop = await putPreviewedFrames(console_)
  await use(startRunWorker(network))
  const { posts, terms, termTaxonomy } = shop.site.tables
  await network.db.sql(posts).whereIn('ID', FRAMED_PAGES).update({ post_title: NAME })
  await network.db.sql(posts).where({ post_type: 'nav_menu_item' }).update({ post_title: NAME })
  await network.db.sql(terms).where({ slug: 'main-menu' }).update({ name: NAME })
  await network.db.sql(termTaxonomy).where({ term_id: HEADER_MENU }).update({ count: 77 })
  await network.db.sql(network.globals.users).update({ display_name: NAME })
  await shop.setOption('blogname', NAME)
  await shop.frame(SLUG, `<p class="${NAME}"><!-- svc/${SLUG} /--></p>`)
  await shop.assign(SLUG, [12])
  await issueTokenFor(network, 'alice', { label: NAME })
  await putWork(network, 2, [{ name: '7', tries: 1, due: 200, error: NAME }])
  const admin = await console_.api.as('admin')
  const { plan } = (
    await admin
      .post('/wp-json/svc/v1/network/plans')
      .send({
        version: 1,
        title: NAME,
        name: 'long',
        sites: [{ match: { id: [2, 3] }, bundles: ['base'] }],
        bundles: { base: { frames: [{ slug: SLUG, html: NAME }] } },
      })
      .expect(200)
  ).body
  const page = await console_.openAs('admin', '/', { width: 360 })

  const show = async (address: string, shown: string) => {
    await console_.show(page, address.replace(':plan', plan.id).replace(':frame', SLUG))
    await page.locator(shown).first().waitFor()
    await page.locator('.loading').first().waitFor({ state: 'detached' })
  }
  const expectNothingWider = async () =>
    expect(
      await page.evaluate(`[...document.querySelectorAll('${PARTS}')]
        .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
        .map(({ localName, className, scrollWidth }) => [localName, className, scrollWidth].join(' '))`),
    ).toEqual([])

  it.each([
    ['/', '.list'],
    ['/sites/2', '.list'],
    ['/sites/2/frames/:frame', '.bench-problems li'],
    ['/sites/2/frames/page', '.things a'],
    ['/sites/2/frames/:frame/plan', '.rows'],
    ['/sites/3/frames/page/plan', '.rows'],
    ['/sites/2/graph', '.node'],
    ['/sites/2/graph?frame=:frame&as=table', '.list'],
    ['/sites/2/menus', '.tree'],
    ['/sites/2/menus/23?beside=26', '.beside'],
    ['/sites/2/pages', '.list'],
    ['/sites/2/pages/3', 'iframe'],
    ['/sites/2/history', '.list'],
    ['/sites/2/health', '.findings'],
    ['/network', '.list'],
    ['/network?as=plans', '.list'],
    ['/network?as=drift', '.empty'],
    ['/network?as=history', '.list'],
    ['/network?as=tokens', '.list'],
    ['/network/plans/:plan', '.panel'],
  ])('%s is not wider than the window', async (address, shown) => {
    await show(address, shown)
    await expectNothingWider()
  })

  it.each([
    ['/sites/2/frames/:frame', 'Duplicate'],
    ['/sites/2/frames/:frame', 'Rename'],
    ['/sites/2/frames/:frame', 'Assign to a page'],
    ['/sites/2/frames/:frame', 'Build again'],
    ['/sites/2/frames/:frame', 'Delete'],
    ['/sites/2/pages/3', 'Assign a frame'],
    ['/sites/2/pages/3', 'Unassign the frame'],
    ['/sites/2/menus', 'New menu'],
    ['/sites/2/menus', /^Rename W/],
    ['/sites/2/menus', /^Assign W/],
    ['/sites/2/menus', /^Delete W/],
    ['/sites/2/health', /^Fix/],
    ['/network?as=tokens', 'Issue a token'],
    ['/network?as=tokens', /^Revoke/],
    ['/network/plans/:plan', 'Apply'],
    ['/sites/2', 'Search'],
  ] as const)('the dialog of %s, %s, is not wider either', async (address, button) => {
    await show(address, 'main')
    await page.getByRole('button', { name: button, exact: true }).first().click()
    const dialog = page.getByRole('dialog')
    await dialog.waitFor()
    if (button === 'Search') await page.keyboard.type('ww')
    await dialog.locator('.loading').first().waitFor({ state: 'detached' })
    await expectNothingWider()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
  })
})
