import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { launchChromium } from '../support/chromium.ts'
import { type Demo, startDemo, untilRunning } from '../support/demo.ts'
import { freePort } from '../support/free-port.ts'

/** The screenshots of a run, for inspection. */
const SCREENSHOTS = resolve(import.meta.dirname, '../../.data/screenshots')

describe('the demo network in a browser', () => {
  const folder = mkdtempSync(join(tmpdir(), 'wp-frames-browser-'))
  let demo: Demo
  let browser: Browser
  let page: Page
  let shop: string

  beforeAll(async () => {
    mkdirSync(SCREENSHOTS, { recursive: true })
    const front = await freePort()
    shop = `http://localhost:${front}/shop/`
    demo = await startDemo(folder, { PORT: String(await freePort()), FRONT_PORT: String(front) })
    await untilRunning(demo)
    browser = await launchChromium()
    page = await browser.newPage({ viewport: { width: 1000, height: 640 } })
  })
  afterAll(async () => {
    await browser?.close()
    demo.process.kill('SIGINT')
    await demo.ended
    rmSync(folder, { recursive: true, force: true })
  })

  const title = () => page.locator('h1').textContent()
  const currentItem = () =>
    page.locator('header nav').first().locator('[aria-current]').textContent()

  it('shows the home page, with the menu from the database and its current item', async () => {
    const response = await page.goto(shop)
    expect(response?.status()).toBe(200)
    expect([await page.title(), await title(), await currentItem()]).toEqual([
      'Home',
      'Home',
      'Home',
    ])
    const labels = await page.locator('header .menu > li > a').allTextContents()
    expect(labels.slice(0, 2)).toEqual(['Home', 'About us'])
    await page.screenshot({ path: join(SCREENSHOTS, 'en.png') })
  })

  it('opens a child page from the menu', async () => {
    await page.goto(shop)
    await page.click('header nav >> text=Team')
    expect(page.url()).toBe(`${shop}about-us/team/`)
    expect([await title(), await currentItem()]).toEqual(['Team', 'Team'])
  })

  it.each([
    ['Français', 'fr', 'ltr', 'Accueil', 'fr/accueil/'],
    ['Deutsch', 'de', 'ltr', 'Startseite', 'de/startseite/'],
    ['العربية', 'ar', 'rtl', 'الرئيسية', `ar/${encodeURIComponent('الرئيسية').toLowerCase()}/`],
  ])('switches the language to %s', async (name, lang, dir, heading, path) => {
    await page.goto(shop)
    await page.click(`header nav >> text=${name}`)
    expect(page.url().toLowerCase()).toBe(`${shop}${path}`)
    expect(await title()).toBe(heading)
    const root = page.locator('html')
    expect([await root.getAttribute('lang'), await root.getAttribute('dir')]).toEqual([lang, dir])
    expect(await page.locator('.current-lang').textContent()).toBe(name)
    await page.screenshot({ path: join(SCREENSHOTS, `${lang}.png`) })
  })

  it('links to the translation of the page, or to the home page if there is none', async () => {
    await page.goto(`${shop}about-us/`)
    await page.click('header nav >> text=Français')
    expect([await title(), page.url()]).toEqual(['À propos', `${shop}fr/a-propos/`])
    await page.click('header nav >> text=العربية')
    expect(await title()).toBe('الرئيسية')
    await page.click('header nav >> text=English')
    expect([await title(), page.url()]).toEqual(['Home', shop])
  })

  it('runs without script errors and loads nothing from other hosts', async () => {
    const seen: string[] = []
    page.on('request', (request) => seen.push(request.url()))
    page.on('pageerror', (error) => seen.push(String(error)))
    await page.goto(shop)
    expect(seen.filter((url) => !url.startsWith('http://localhost:'))).toEqual([])
  })

  it('shows a 404 page for a page without a frame', async () => {
    const response = await page.goto(`${shop}legal/`)
    expect(response?.status()).toBe(404)
    await page.screenshot({ path: join(SCREENSHOTS, 'not-found.png') })
  })
})
