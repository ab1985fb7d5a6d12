import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { RunWorker } from '../../src/plan/run-worker.ts'
import type { Page } from '../packages/playwright.ts'
import { expectAccessible, startConsole, type TestConsole } from '../support/console.ts'
import { startRunWorker } from '../support/run-worker.ts'
import { createSiteFixture } from '../support/site-fixture.ts'

const HOSTILE = '<img src=x onerror=alert(1)>'

const description = (name: string, html: string) => ({
  version: 1,
  name,
  sites: [{ match: { id: [2, 3] }, bundles: ['base'] }],
  bundles: { base: { frames: [{ slug: name, html }] } },
})

describe('plans in the console', () => {
  let console_: TestConsole
  let worker: RunWorker
  beforeAll(async () => {
    console_ = await startConsole()
    worker = startRunWorker(console_.network)
  })
  afterAll(async () => {
    await worker?.stop()
    await console_?.stop()
  })

  const hasFrame = async (blogId: number, slug: string): Promise<boolean> => {
    const { db } = console_.network
    const fixture = createSiteFixture(db, await console_.network.site(blogId))
    return fixture.idOf(slug).then(
      () => true,
      () => false,
    )
  }
  const openNewPlan = async (text?: string): Promise<Page> => {
    const page = await console_.openAs('admin', '/network?as=plans')
    await page.getByRole('link', { name: 'New plan' }).click()
    await page.getByRole('heading', { name: 'New plan' }).waitFor()
    if (text === undefined) return page
    await page.getByLabel('Description', { exact: true }).fill(text)
    await page.getByRole('button', { name: 'Plan', exact: true }).click()
    return page
  }

  it('plans, tries on a canary, applies to the others, and rolls back', async () => {
    const page = await openNewPlan(JSON.stringify(description('from-console', `<p>${HOSTILE}</p>`)))
    await page.getByRole('heading', { name: '2 sites planned' }).waitFor()
    await page.getByText('created', { exact: true }).waitFor()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Apply' }).click()
    const dialog = page.getByRole('dialog', { name: 'Apply from-console' })
    await dialog.getByLabel('1 site first').check()
    await expectAccessible(page)
    await dialog.getByRole('button', { name: 'Apply' }).click()
    await page.getByText('The canary is applied', { exact: true }).waitFor()
    expect([await hasFrame(2, 'from-console'), await hasFrame(3, 'from-console')]).toEqual([
      true,
      false,
    ])
    await page.getByRole('button', { name: 'Apply' }).click()
    await dialog.getByRole('button', { name: 'Apply' }).click()
    await page.getByText('2 applied', { exact: true }).waitFor()
    expect(await hasFrame(3, 'from-console')).toBe(true)
    await page.getByRole('button', { name: 'Roll back' }).click()
    await page
      .getByRole('dialog', { name: 'Roll back from-console' })
      .getByRole('button', { name: 'Roll back' })
      .click()
    await page.getByText('2 rolled back', { exact: true }).waitFor()
    expect(await hasFrame(2, 'from-console')).toBe(false)
  })

  it('takes over what a site has, and shows who planned it', async () => {
    const page = await openNewPlan()
    await page.getByLabel('Or what a site has now').fill('2')
    await page.getByRole('button', { name: 'Take over' }).click()
    await vi.waitFor(
      async () =>
        expect(await page.getByLabel('Description', { exact: true }).inputValue()).toContain(
          '"name": "site-2"',
        ),
      { timeout: 20_000 },
    )
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Plan', exact: true }).click()
    await page.getByText('1 planned').waitFor()
    await page.getByRole('navigation', { name: 'Breadcrumb' }).getByText('Plans').click()
    const row = page.getByRole('row', { name: /site-2/ })
    await row.getByText('1 planned').waitFor()
    expect(await row.innerText()).toMatch(/admin/)
  })

  it('says where the JSON of a description is broken, and which field is wrong', async () => {
    const page = await openNewPlan('{"version": 1,')
    await page.getByText('The description is not valid JSON').waitFor()
    await page.getByLabel('Description', { exact: true }).fill('{"version":1,"bundels":{}}')
    await page.getByRole('button', { name: 'Plan', exact: true }).click()
    await page
      .getByText(/bundels/)
      .last()
      .waitFor()
    expect(await page.getByLabel('Description', { exact: true }).inputValue()).toContain('bundels')
  })

  it('shows the work of all sites and the history of the network', async () => {
    const page = await console_.openAs('admin', '/network?as=work')
    await page.getByText('Pending').waitFor()
    await page.getByRole('link', { name: 'History' }).click()
    await page.getByRole('link', { name: 'from-console' }).first().waitFor()
    expect(await page.locator('tbody tr').first().innerText()).toMatch(/admin|token/)
  })

  it.each(['/network?as=plans', '/network?as=work', '/network?as=history', '/network/new-plan'])(
    'is accessible on a phone at %s',
    async (address) => {
      const page = await console_.openAs('admin', address, { width: 360, colorScheme: 'dark' })
      await page.locator('h1').waitFor()
      // The stream of a view that follows changes never ends.
      await page.locator('.loading').first().waitFor({ state: 'detached' })
      await expectAccessible(page)
    },
  )

  it('runs nothing but its own files', () => {
    expect(console_.faults).toEqual([])
  })
})
