import { describe, expect, it, vi } from 'vitest'
import { issueTokenFor } from '../../../test/support/api.ts'
import { expectAccessibleInWindows, signIn, useConsole } from '../../../test/support/console.ts'
import { FRAMED_PAGES, putDemoFrames } from '../../../test/support/console-frames.ts'
import { HOSTILE_VALUES } from '../../../test/support/hostile-values.ts'
import { startRunWorker } from '../../../test/support/run-worker.ts'
import { use } from '../../../test/support/use.ts'
import { putWork } from '../../../test/support/work-rows.ts'

const HOSTILE_NAME = '"><img src=x onerror=alert(1)><svg onload=alert(1)>'
const HOSTILE = [...HOSTILE_VALUES, '<img src=x onerror=alert(1)>', '<svg onload=alert(1)>']

describe('hostile content in the console', async () => {
  // The policy of the preview reports the scripts that it has stopped.
  const console_ = await useConsole({ expected: /inline|Blocked script/ })
  let planned = ''
  const { network } = console_
  /** Plans, drift, tokens, work and history of the network, with hostile names. */
  const putNetwork = async () => {
    await use(startRunWorker(network))
    const admin = await console_.api.as('admin')
    const send = async (path: string, body: object) =>
      (await admin.post(`/wp-json/svc/v1${path}`).send(body).expect(200)).body
    const { plan } = await send('/network/plans', {
      version: 1,
      name: 'hostile',
      sites: [{ match: { id: [2, 3] }, bundles: ['base'] }],
      bundles: {
        base: {
          frames: [{ slug: 'described', html: HOSTILE_NAME }],
          variables: { town: HOSTILE_NAME },
        },
      },
    })
    planned = plan.id
    const until = (state: string) =>
      vi.waitUntil(
        async () => {
          const { body } = await admin.get(`/wp-json/svc/v1/network/plans/${planned}`)
          return body.plan.state === state
        },
        { timeout: 60_000, interval: 100 },
      )
    await until('planned')
    await send(`/network/plans/${planned}/apply`, {})
    await until('done')
    await admin
      .put('/wp-json/svc/v1/site/2/frames/described')
      .send({ html: `${HOSTILE_NAME} changed` })
      .expect(200)
    await issueTokenFor(network, 'alice', { label: HOSTILE_NAME })
    await putWork(network, 2, [{ name: '7', tries: 1, due: 200, error: HOSTILE_NAME }])
    await network.db
      .sql(network.globals.users)
      .where({ ID: 1 })
      .update({ display_name: HOSTILE_NAME })
  }
  const shop = await putDemoFrames(network)
  const { posts, terms } = shop.site.tables
  const text = HOSTILE.filter((value) => !/[\0\ud800]/.test(value))
  for (const [at, id] of FRAMED_PAGES.entries())
    await network.db
      .sql(posts)
      .where({ ID: id })
      .update({ post_title: text.filter((_, index) => index % 9 === at).join(' ') })
  await network.db
    .sql(posts)
    .where({ post_type: 'nav_menu_item' })
    .update({ post_title: text.join(' ') })
  await network.db.sql(terms).where({ slug: 'main-menu' }).update({ name: text[2] })
  await shop.setOption('blogname', text.join(' '))
  const page = await console_.open()
  await page.addInitScript(
    'globalThis.violations = []; addEventListener("securitypolicyviolation", ({ violatedDirective }) => violations.push(violatedDirective))',
  )
  await page.goto(console_.url)
  await signIn(page, await console_.api.token('admin'))
  await putNetwork()
  await shop.frame('hostile', `${text.join('\n')}\n<!-- svc/frame {"name":"card"} /-->`)

  it.each([
    ['/', '.list'],
    ['/sites/2', '.list'],
    ['/sites/2/frames/page', '.things'],
    ['/sites/2/frames/hostile', 'iframe'],
    ['/sites/2/frames/hostile', '.bench-problems li'],
    ['/sites/2/changes', '.empty'],
    ['/sites/2?only=problems', '.list'],
    ['/sites/2/graph', '.node'],
    ['/sites/2/graph?frame=card&as=table', '.list'],
    ['/sites/2/menus', '.tree'],
    ['/sites/2/menus/23', '.branch'],
    ['/sites/2/menus/23?beside=26', '.beside'],
    ['/sites/2/pages', '.list'],
    ['/sites/2/pages/3', 'iframe'],
    [`/sites/2?q=${encodeURIComponent('"><img src=x onerror=alert(1)>')}`, '.empty'],
    [`/sites/2/graph?frame=${encodeURIComponent('<img src=x onerror=alert(1)>')}`, '.notice'],
    [`/${encodeURIComponent('<img src=x onerror=alert(1)>')}`, 'h1'],
    ['/network', '.list'],
    ['/network?as=plans', '.list'],
    ['/network?as=drift', 'details'],
    ['/network?as=history', '.list'],
    ['/network?as=tokens', '.list'],
    ['/network/plans/:plan', '.panel'],
    ['/sites/2/frames/hostile/plan', '.rows'],
    ['/sites/2/history?kind=frame', '.list'],
    ['/sites/2/health', '.list'],
    ['/sites/2/frames/nobody', '.notice'],
    ['/sites/99', '.notice'],
  ])('executes nothing at %s, and is accessible', async (address, shown) => {
    await console_.show(page, address.replace(':plan', planned))
    await page.locator(shown).first().waitFor()
    await page.locator('.loading').first().waitFor({ state: 'detached' })
    expect(await page.evaluate('violations')).toEqual([])
    expect(await page.locator('main :is(script, [onerror], [onload], [src="x"])').count()).toBe(0)
    await expectAccessibleInWindows(page)
  })

  it('executes nothing in the search, which is accessible', async () => {
    await page.goto(`${console_.url}#/sites/2`)
    await page.getByRole('button', { name: 'Search' }).click()
    await page.getByRole('dialog').getByRole('combobox').fill('<')
    await page.locator('[aria-label=Pages] [role=option]').first().waitFor()
    expect(await page.evaluate('violations')).toEqual([])
    expect(await page.locator('dialog :is(script, [onerror], [onload], [src="x"])').count()).toBe(0)
    await expectAccessibleInWindows(page)
    await page.keyboard.press('Escape')
  })
})
