import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { RunWorker } from '../../src/plan/run-worker.ts'
import { expectAccessible, startConsole, type TestConsole } from '../support/console.ts'
import { startRunWorker } from '../support/run-worker.ts'
import { putWork } from '../support/work-rows.ts'

const HOSTILE = '<img src=x onerror=alert(1)>'

describe('the network in the console', () => {
  let console_: TestConsole
  let worker: RunWorker
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
  beforeAll(async () => {
    console_ = await startConsole()
    const { network } = console_
    const { db } = network
    worker = startRunWorker(network)
    const { tables } = await network.site(3)
    await db
      .sql(tables.options)
      .where({ option_name: 'blogname' })
      .update({ option_value: HOSTILE })
    const { plan } = await send('admin', 'post', '/network/plans', {
      version: 1,
      name: 'shared',
      sites: [{ match: { id: [2, 3] }, bundles: ['base'] }],
      bundles: { base: { frames: [{ slug: 'shared', html: '<p>wanted</p>' }] } },
    })
    const until = (state: string) =>
      vi.waitUntil(
        async () => (await send('admin', 'get', `/network/plans/${plan.id}`)).plan.state === state,
        { timeout: 20_000, interval: 50 },
      )
    await until('planned')
    await send('admin', 'post', `/network/plans/${plan.id}/apply`, {})
    await until('done')
    await send('alice', 'put', '/site/2/frames/shared', { html: `<p>changed ${HOSTILE}</p>` })
  })
  afterAll(async () => {
    await worker?.stop()
    await console_?.stop()
  })

  it('shows the health of each site to super administrators', async () => {
    await putWork(console_.network, 2, [{ name: '7', tries: 1, due: 200, error: 'Full.' }])
    const page = await console_.openAs('admin')
    await page.getByRole('link', { name: 'Network' }).click()
    await page.getByRole('row', { name: /net\.test\/shop/ }).waitFor()
    expect(await page.locator('tbody').innerText()).toContain(HOSTILE)
    const deleted = page.getByRole('row', { name: /deleted/ })
    expect(await deleted.getByRole('link').count()).toBe(0)
    await page.getByRole('link', { name: '1 failing' }).click()
    await page.getByRole('link', { name: 'About us' }).waitFor()
    await putWork(console_.network, 2, [])
  })

  it('finds a site', async () => {
    const page = await console_.openAs('admin', '/network')
    await page.getByLabel('Search sites').fill('brand')
    await page.getByText('1 site', { exact: true }).first().waitFor()
    expect(await page.locator('tbody tr').count()).toBe(1)
  })

  it('shows what differs from the description that was applied, and who changed it', async () => {
    const page = await console_.openAs('admin', '/network')
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

  it('is closed to site administrators', async () => {
    const page = await console_.openAs('alice', '/network')
    await page.getByText('You may not do this').waitFor()
    expect(await page.getByRole('link', { name: 'Network', exact: true }).count()).toBe(0)
  })

  it.each(['/network', '/network?as=drift'])('is accessible at %s', async (address) => {
    for (const options of [
      { width: 1200, colorScheme: 'light' },
      { width: 360, colorScheme: 'dark' },
    ] as const) {
      const page = await console_.openAs('admin', address, options)
      await page.locator('h1').waitFor()
      // The stream of a view that follows changes never ends.
      await page.locator('.loading').first().waitFor({ state: 'detached' })
      for (const summary of await page.locator('summary').all()) await summary.click()
      await expectAccessible(page)
    }
  })

  it('runs nothing but its own files', () => {
    expect(console_.faults).toEqual([])
  })
})
