import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { type Browser, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CHROMIUM, CHROMIUM_FLAGS } from '../support/chromium.ts'
import { type Demo, startDemo, untilRunning } from '../support/demo.ts'
import { freePort } from '../support/free-port.ts'

/** Where the pictures of a run are left to be looked at. */
const PICTURES = resolve(import.meta.dirname, '../../.data/screenshots')

describe.skipIf(CHROMIUM === undefined)('a visitor of the demo network', () => {
  const folder = mkdtempSync(join(tmpdir(), 'wp-frames-browser-'))
  let demo: Demo
  let browser: Browser
  let page: Page
  let shop: string

  beforeAll(async () => {
    mkdirSync(PICTURES, { recursive: true })
    const front = await freePort()
    shop = `http://localhost:${front}/shop/`
    demo = await startDemo(folder, { PORT: String(await freePort()), FRONT_PORT: String(front) })
    await untilRunning(demo)
    browser = await chromium.launch({ executablePath: `${CHROMIUM}`, args: CHROMIUM_FLAGS })
    page = await browser.newPage({ viewport: { width: 1000, height: 640 } })
  })
  afterAll(async () => {
    await browser?.close()
    demo.process.kill('SIGINT')
    await demo.ended
    rmSync(folder, { recursive: true, force: true })
  })

  const title = () => page.locator('h1').textContent()
  const here = () => page.locator('header nav').first().locator('[aria-current]').textContent()

  it('sees the home page with the menu of the database, and where it is in it', async () => {
    const answer = await page.goto(shop)
    expect(answer?.status()).toBe(200)
    expect([await page.title(), await title(), await here()]).toEqual(['Home', 'Home', 'Home'])
    const labels = await page.locator('header .menu > li > a').allTextContents()
    expect(labels.slice(0, 2)).toEqual(['Home', 'About us'])
    await page.screenshot({ path: join(PICTURES, 'en.png') })
  })

  it('follows the menu down to a page below another', async () => {
    await page.goto(shop)
    await page.click('header nav >> text=Team')
    expect(page.url()).toBe(`${shop}about-us/team/`)
    expect([await title(), await here()]).toEqual(['Team', 'Team'])
  })

  it.each([
    ['Français', 'fr', 'ltr', 'Accueil', 'fr/accueil/'],
    ['Deutsch', 'de', 'ltr', 'Startseite', 'de/startseite/'],
    ['العربية', 'ar', 'rtl', 'الرئيسية', `ar/${encodeURIComponent('الرئيسية').toLowerCase()}/`],
  ])('switches to %s', async (name, lang, dir, heading, path) => {
    await page.goto(shop)
    await page.click(`header nav >> text=${name}`)
    expect(page.url().toLowerCase()).toBe(`${shop}${path}`)
    expect(await title()).toBe(heading)
    const root = page.locator('html')
    expect([await root.getAttribute('lang'), await root.getAttribute('dir')]).toEqual([lang, dir])
    expect(await page.locator('.current-lang').textContent()).toBe(name)
    await page.screenshot({ path: join(PICTURES, `${lang}.png`) })
  })

  it('keeps to its page when it switches language, and comes home where there is no translation', async () => {
    await page.goto(`${shop}about-us/`)
    await page.click('header nav >> text=Français')
    expect([await title(), page.url()]).toEqual(['À propos', `${shop}fr/a-propos/`])
    await page.click('header nav >> text=العربية')
    expect(await title()).toBe('الرئيسية')
    await page.click('header nav >> text=English')
    expect([await title(), page.url()]).toEqual(['Home', shop])
  })

  it('meets no script error, and nothing that is fetched from elsewhere', async () => {
    const seen: string[] = []
    page.on('request', (request) => seen.push(request.url()))
    page.on('pageerror', (error) => seen.push(String(error)))
    await page.goto(shop)
    expect(seen.filter((url) => !url.startsWith('http://localhost:'))).toEqual([])
  })

  it('is told in plain words that a page without a frame is not there', async () => {
    const answer = await page.goto(`${shop}legal/`)
    expect(answer?.status()).toBe(404)
    await page.screenshot({ path: join(PICTURES, 'not-found.png') })
  })
})
