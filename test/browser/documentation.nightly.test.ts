import { mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Browser, Locator, Page } from '../packages/playwright.ts'
import { startApi, type TestApi } from '../support/api.ts'
import { launchChromium } from '../support/chromium.ts'
import { expectAccessible } from '../support/console.ts'
import { cloneNetwork, type TestNetwork } from '../support/network.ts'

/** The screenshots of a run, for inspection. */
const SCREENSHOTS = resolve(import.meta.dirname, '../../.data/screenshots')

const expectText = (locator: Locator, text: string) =>
  expect.poll(() => locator.first().textContent(), { timeout: 30_000 }).toContain(text)

describe('the documentation in a browser', () => {
  let network: TestNetwork
  let api: TestApi
  let browser: Browser
  let docs: string
  /** Requests to other hosts, and errors of the page. */
  const faults: string[] = []

  beforeAll(async () => {
    network = await cloneNetwork()
    api = await startApi(network, { basePath: '/wp-json/svc/v1' })
    docs = `${api.url}/wp-json/svc/v1/docs/`
    browser = await launchChromium()
    mkdirSync(SCREENSHOTS, { recursive: true })
  })
  afterAll(async () => {
    await browser?.close()
    await api?.close()
    await network?.drop()
  })

  /** Without smooth scrolling and transitions, which a test would have to wait for. */
  const open = async (width: number, colorScheme: 'light' | 'dark'): Promise<Page> => {
    const context = await browser.newContext({
      viewport: { width, height: 900 },
      colorScheme,
      reducedMotion: 'reduce',
    })
    const page = await context.newPage()
    page.setDefaultTimeout(60_000)
    await page.route(
      (url) => url.origin !== api.url && url.protocol !== 'data:',
      async (route) => {
        faults.push(route.request().url())
        await route.abort()
      },
    )
    page.on('console', (message) => {
      if (message.type() === 'error') faults.push(`${message.text()} ${message.location().url}`)
    })
    page.on('pageerror', (error) => faults.push(String(error)))
    return page
  }
  const heading = (page: Page) => page.locator('main h1')
  const overflow = (page: Page) =>
    page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')

  it('leads from page to page, by its navigation and the table of contents', async () => {
    const page = await open(1280, 'light')
    await page.goto(docs)
    await page.locator('.VPSidebar').getByText('Markup').click()
    await expectText(heading(page), 'The markup language')
    await page.locator('.VPDocAside').getByText('Binds').click()
    await page.waitForURL('**/markup#binds')
    await page.screenshot({ path: join(SCREENSHOTS, 'docs-markup.png') })
    await page.locator('.pager-link.next').click()
    await expectText(heading(page), 'Editing')
    await page.locator('.VPSidebar').getByText('Commands').click()
    await page.locator('.VPSidebar').getByText('frames push').click()
    await expectText(heading(page), 'frames push')
    await page.screenshot({ path: join(SCREENSHOTS, 'docs-command.png') })
    await page.getByText('Console', { exact: true }).first().click()
    await page.getByLabel('API token').waitFor()
    await page.context().close()
  })

  it('finds pages by their text, without a server', async () => {
    const page = await open(1280, 'light')
    await page.goto(docs)
    await page.getByRole('button', { name: 'Search' }).click()
    await page.locator('#localsearch-input').fill('roll back a run')
    const first = page.locator('.VPLocalSearchBox .result').first()
    await first.waitFor()
    await page.screenshot({ path: join(SCREENSHOTS, 'docs-search.png') })
    await page.keyboard.press('Enter')
    await expectText(page.locator('main h2').getByText('Roll back'), 'Roll back')
    await page.context().close()
  })

  it.each(['light', 'dark'] as const)('is accessible (%s)', async (scheme) => {
    const page = await open(1280, scheme)
    for (const name of ['', 'markup', 'commands/frames-push']) {
      await page.goto(`${docs}${name}`)
      await heading(page).waitFor()
      // The theme shows the key of the search beside the label, which axe takes for a part of it.
      await page.evaluate("document.querySelector('.DocSearch-Button-Keys').remove()")
      await expectAccessible(page)
    }
    await page.context().close()
  })

  it.each(['', 'commands', 'configuration', 'agents', 'client', 'reference'])(
    'fits into the width of a phone: /%s',
    async (name) => {
      const page = await open(390, 'light')
      await page.goto(`${docs}${name}`)
      await page
        .locator(name === 'reference' ? '.opblock' : 'main h1')
        .first()
        .waitFor()
      expect(await overflow(page)).toBe(0)
      await page.screenshot({ path: join(SCREENSHOTS, `docs-phone-${name || 'index'}.png`) })
      await page.context().close()
    },
  )

  it('says in HTML that there is no such page', async () => {
    const page = await open(1280, 'light')
    const response = await page.goto(`${docs}nothing`)
    expect(response?.status()).toBe(404)
    await page.getByText('PAGE NOT FOUND').waitFor()
    await page.screenshot({ path: join(SCREENSHOTS, 'docs-404.png') })
    await page.context().close()
    // The browser reports the status itself.
    expect(faults.splice(0)).toEqual([expect.stringContaining('404')])
  })

  it('sends a request with a token from the API reference', async () => {
    const page = await open(1280, 'light')
    await page.goto(docs)
    await page.locator('.VPNavBarMenu').getByText('API reference').click()
    await page.locator('.opblock-tag').first().waitFor()
    const tags = await page.locator('.opblock-tag').allTextContents()
    expect(tags.filter((tag) => tag.includes('old addressing'))).toEqual([])
    await page.screenshot({ path: join(SCREENSHOTS, 'docs-reference.png') })
    await page.click('.scheme-container button.authorize')
    expect(await page.locator('.auth-container input').count()).toBe(1)
    await page.fill('input[aria-label="auth-bearer-value"]', await api.token('alice'))
    await page.click('.auth-btn-wrapper >> text=Authorize >> nth=0')
    await page.click('.btn-done')
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
    await page.context().close()
  }, 180_000)

  it('loads from the service only, without an error', () => {
    expect(faults).toEqual([])
  })
})
