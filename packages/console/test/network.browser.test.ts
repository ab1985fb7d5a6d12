import { describe, expect, it, vi } from 'vitest'
import { expectAccessible, useConsole } from '../../../test/support/console.ts'
import { putDemoFrames } from '../../../test/support/console-frames.ts'
import { startRunWorker } from '../../../test/support/run-worker.ts'
import { createSiteFixture } from '../../../test/support/site-fixture.ts'
import { use } from '../../../test/support/use.ts'
import { putWork } from '../../../test/support/work-rows.ts'

const HOSTILE = '<img src=x onerror=alert(1)>'

const description = (name: string, html: string) => ({
  version: 1,
  name,
  sites: [{ match: { id: [2, 3] }, bundles: ['base'] }],
  bundles: { base: { frames: [{ slug: name, html }] } },
})

describe('the network in the console', async () => {
  const console_ = await useConsole()
  const send = async (
    login: string,
    method: 'get' | 'post' | 'put',
    path: string,
    body?: object,
  ) => {
    const agent = await console_.api.as(login)
    const { status, body: answer } = await agent[method](`/wp-json/svc/v1${path}`).send(body)
    expect({ path, status, answer }).toMatchObject({ status: 200 })
    return answer
  }
  const { network } = console_
  const { db } = network
  await use(startRunWorker(network))
  await putDemoFrames(network)
  const { tables } = await network.site(3)
  await db.sql(tables.options).where({ option_name: 'blogname' }).update({ option_value: HOSTILE })
  const { plan } = await send(
    'admin',
    'post',
    '/network/plans',
    description('shared', '<p>wanted</p>'),
  )
  const until = (state: string) =>
    vi.waitUntil(
      async () => (await send('admin', 'get', `/network/plans/${plan.id}`)).plan.state === state,
      { timeout: 20_000, interval: 50 },
    )
  await until('planned')
  await send('admin', 'post', `/network/plans/${plan.id}/apply`, {})
  await until('done')
  await send('alice', 'put', '/site/2/frames/shared', { html: `<p>changed ${HOSTILE}</p>` })
  const page = await console_.openAs('admin')

  it('shows what is to be built and what the doctor finds on all sites', async () => {
    await putWork(console_.network, 2, [{ name: '7', tries: 1, due: 200, error: 'Full.' }])
    await page.getByRole('link', { name: 'Network' }).click()
    await page.getByRole('link', { name: 'About us' }).waitFor()
    const findings = page.getByRole('table', { name: 'Findings' })
    await findings
      .getByRole('link', { name: /net\.test\/shop/ })
      .first()
      .waitFor()
    await page.getByRole('button', { name: 'Check again' }).waitFor()
    await page
      .getByRole('table', { name: 'What fails' })
      .getByRole('link', { name: 'net.test/shop' })
      .click()
    await page.getByRole('heading', { name: 'Health', level: 1 }).waitFor()
    await page.getByText('Full.', { exact: true }).waitFor()
    await putWork(console_.network, 2, [])
  })

  it('shows what differs from the description that was applied, and who changed it', async () => {
    await console_.show(page, '/network')
    await page.getByRole('link', { name: 'Drift' }).click()
    const shop = page.locator('.panel', { hasText: 'net.test/shop' })
    await shop.getByText('1 difference').waitFor()
    await shop.getByText('What a repair would change').click()
    expect(await shop.locator('.diff-removed').allTextContents()).toEqual([
      `-<p>changed ${HOSTILE}</p>`,
    ])
    expect(await shop.locator('.diff-added').allTextContents()).toEqual(['+<p>wanted</p>'])
    expect(await page.locator('.panel', { hasText: 'no drift' }).count()).toBe(1)
    await shop.getByRole('link', { name: /^entry/ }).click()
    await page.getByRole('heading', { name: 'Frame shared', level: 1 }).waitFor()
  })

  const hasFrame = async (blogId: number, slug: string): Promise<boolean> => {
    const { db } = console_.network
    const fixture = createSiteFixture(db, await console_.network.site(blogId))
    return fixture.idOf(slug).then(
      () => true,
      () => false,
    )
  }
  it('plans a frame for other sites, shows its differences and pages, tries it on a canary, and rolls back', async () => {
    await send('alice', 'put', '/site/2/frames/shared', { html: `<p>${HOSTILE}</p>` })
    await console_.show(page, '/sites/2/frames/shared')
    await page.getByRole('link', { name: 'To other sites' }).click()
    await page.getByLabel(/docs/).check()
    await page.getByLabel(/brand\.test/).check()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Plan for 2 sites' }).click()
    await page.getByRole('heading', { name: /^Frame shared of / }).waitFor()
    await page.getByText('2 planned').waitFor()
    const added = page.locator('.diff-added')
    await added.first().waitFor()
    expect(await added.allTextContents()).toContain(`+<p>${HOSTILE}</p>`)
    await page.getByRole('button', { name: 'Apply' }).click()
    const dialog = page.getByRole('dialog', { name: /^Apply: Frame shared/ })
    await dialog.getByLabel('1 site first').check()
    await expectAccessible(page)
    await dialog.getByRole('button', { name: 'Apply' }).click()
    await page.getByText('The canary is applied', { exact: true }).waitFor()
    expect(await hasFrame(4, 'shared')).toBe(false)
    await page.getByRole('button', { name: 'Apply' }).click()
    await dialog.getByRole('button', { name: 'Apply' }).click()
    await page.getByText('2 applied', { exact: true }).waitFor()
    expect(await hasFrame(4, 'shared')).toBe(true)
    await page.getByRole('button', { name: 'Roll back' }).click()
    await page
      .getByRole('dialog', { name: /^Roll back: Frame shared/ })
      .getByRole('button', { name: 'Roll back' })
      .click()
    await page.getByText('2 rolled back', { exact: true }).waitFor()
    expect(await hasFrame(4, 'shared')).toBe(false)
    await page.getByRole('navigation', { name: 'Breadcrumb' }).getByText('Plans').click()
    const row = page.getByRole('row', { name: /Frame shared of/ })
    expect(await row.innerText()).toMatch(/admin/)
  })

  it('names the pages on which a change is seen', async () => {
    const { plan: other } = await send('admin', 'post', '/network/plans', {
      ...description('page', '<p>planned</p>'),
      sites: [{ match: { id: [2] }, bundles: ['base'] }],
    })
    await console_.show(page, `/network/plans/${other.id}`)
    await page.getByText('to be shown on 9 pages').waitFor()
    await page.getByRole('link', { name: 'About us' }).waitFor()
    expect(await page.locator('.diff-added').allTextContents()).toContain('+<p>planned</p>')
  })

  it('issues a token, reveals it once, and revokes it', async () => {
    await console_.show(page, '/network?as=tokens')
    await page.getByRole('button', { name: 'Issue a token' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('User').fill('nobody')
    await dialog.getByLabel('Purpose').fill('deploy <b>')
    await dialog.getByLabel('It may').selectOption('frames')
    await dialog.getByText('Markup may have scripts').waitFor()
    await dialog.getByLabel('Sites').fill('shop')
    await dialog.getByRole('button', { name: /net\.test\/shop/, pressed: false }).click()
    await dialog.getByText(/^Only .*shop/i).waitFor()
    await dialog.getByRole('button', { name: 'Issue' }).click()
    await dialog.getByTitle('user_not_found').waitFor()
    await expectAccessible(page)
    await dialog.getByLabel('User').fill('alice')
    await dialog.getByRole('button', { name: 'Issue' }).click()
    await dialog.getByText('It is shown only now').waitFor()
    await dialog.getByText(/not a super administrator, but/).waitFor()
    await expectAccessible(page)
    const token = await dialog.getByLabel('Token').inputValue()
    await dialog.getByRole('button', { name: 'Done' }).click()
    expect(await page.content()).not.toContain(token)
    const call = () =>
      fetch(`${console_.url}../me`, { headers: { Authorization: `Bearer ${token}` } })
    const { token: limits } = (await (await call()).json()) as { token: object }
    expect(limits).toMatchObject({ label: 'deploy <b>', scope: 'frames', sites: [2] })
    await console_.reloadAs('admin', page)
    const row = page.getByRole('row', { name: /deploy <b>/ })
    await row.getByText('just now').first().waitFor()
    await row
      .getByText('in 3 months')
      .or(row.getByText(/\d{4}$/))
      .first()
      .waitFor()
    await row.getByRole('button', { name: /^Revoke token/ }).click()
    await page.getByRole('dialog').getByText('It was last used').waitFor()
    await expectAccessible(page)
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
    await row.waitFor({ state: 'detached' })
    expect((await call()).status).toBe(401)
    await page.getByLabel('Show revoked and expired tokens').check()
    await row.getByText('revoked').waitFor()
  })
})
