import { type Browser, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startApi, type TestApi } from '../support/api.ts'
import { CHROMIUM, CHROMIUM_FLAGS } from '../support/chromium.ts'
import { cloneNetwork, type TestNetwork } from '../support/network.ts'

describe.skipIf(CHROMIUM === undefined)('the documentation in a browser', () => {
  let network: TestNetwork
  let api: TestApi
  let browser: Browser
  let page: Page
  let docs: string
  /** Requests to other hosts, and errors of the page. */
  const faults: string[] = []

  beforeAll(async () => {
    network = await cloneNetwork()
    api = await startApi(network, { basePath: '/wp-json/svc/v1' })
    docs = `${api.url}/wp-json/svc/v1/docs/`
    browser = await chromium.launch({ executablePath: `${CHROMIUM}`, args: CHROMIUM_FLAGS })
    page = await browser.newPage({ viewport: { width: 1200, height: 900 } })
    page.setDefaultTimeout(60_000)
    await page.route(
      (url) => url.origin !== api.url && url.protocol !== 'data:',
      async (route) => {
        faults.push(route.request().url())
        await route.abort()
      },
    )
    page.on('console', (message) => {
      if (message.type() === 'error') faults.push(message.text())
    })
    page.on('pageerror', (error) => faults.push(String(error)))
  })
  afterAll(async () => {
    await browser?.close()
    await api?.close()
    await network?.drop()
  })

  it('shows a guide', async () => {
    await page.goto(docs)
    await page.click('text=Markup')
    expect(await page.locator('h1').textContent()).toBe('The markup language')
  })

  it('sends a request with a token from the API reference', async () => {
    await page.goto(docs)
    await page.click('text=API reference')
    await page.click('.scheme-container button.authorize')
    await page.fill('input[aria-label="auth-bearer-value"]', await api.token('alice'))
    await page.click('.auth-btn-wrapper >> text=Authorize >> nth=0')
    await page.click('.btn-done')
    await page.click('#operations-tag-Frames')
    const operation = page.locator('#operations-Frames-createFrame')
    await operation.locator('.opblock-summary-control').click()
    await operation.locator('.try-out__btn').click()
    expect(JSON.parse(await operation.locator('textarea').first().inputValue())).toMatchObject({
      slug: 'hello',
    })
    await operation.locator('tr[data-param-name="site_id"] input').fill('2')
    await operation.locator('button.execute').click()
    const response = operation.locator('.live-responses-table .response')
    expect(await response.locator('.response-col_status').textContent()).toContain('200')
    const agent = await api.as('alice')
    await agent.get('/wp-json/svc/v1/site/2/frames/hello').expect(200)
  }, 180_000)

  it('loads from the service only, without an error', () => {
    expect(faults).toEqual([])
  })
})
