import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { afterAll, expect } from 'vitest'
import type { ApiOptions } from '../../src/api/api-app.ts'
import type { Browser, BrowserContext, Page } from '../packages/playwright.ts'
import { startApi } from './api.ts'
import { launchChromium } from './chromium.ts'
import { cloneNetwork } from './network.ts'
import { use } from './use.ts'

const BASE = '/wp-json/svc/v1'
const AXE = readFileSync(
  createRequire(new URL('../packages/', import.meta.url)).resolve('axe-core/axe.min.js'),
  'utf8',
)

/** No other host has an address. A route for each request, which could refuse others, makes a page load twice as long. */
const ONLY_THIS_MACHINE = '--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1'

/** The console in a browser, on a network of its own. */
export type TestConsole = Awaited<ReturnType<typeof startConsole>>

type TabOptions = {
  readonly width?: number
  readonly colorScheme?: 'light' | 'dark'
}

type ConsoleOptions = Partial<ApiOptions> & {
  /** Faults that the tests provoke. */
  readonly expected?: RegExp
}

/** The console for the tests of a group, which end without faults. */
export async function useConsole({ expected, ...overrides }: ConsoleOptions = {}) {
  const started = await use(startConsole(overrides))
  afterAll(() => expect(started.faults.filter((fault) => !expected?.test(fault))).toEqual([]))
  return started
}

/** Starts it. @param overrides options of the API */
export async function startConsole(overrides: Partial<ApiOptions> = {}) {
  const network = await cloneNetwork()
  const api = await startApi(network, { basePath: BASE, ...overrides })
  const browser = await launchChromium([ONLY_THIS_MACHINE])
  const url = `${api.url}${BASE}/console/`
  const faults: string[] = []
  const open = async (options: TabOptions = {}): Promise<Page> => {
    const page = await newPage(browser, options)
    watch(page, api.url, faults)
    return page
  }
  const openWith = async (token: string, address = '/', options: TabOptions = {}) => {
    const page = await open(options)
    await page.goto(`${url}#${address}`)
    await signIn(page, token)
    return page
  }
  return {
    network,
    api,
    /** The address of the console. */
    url,
    /**
     * What must not happen: dialogs, violations of a policy, errors of a page, requests to other hosts. An expected answer of the API that is an
     * error does not count.
     */
    faults,
    /** A new tab without a token. */
    open,
    /** A new tab that is signed in with this token, at this address of the console. */
    openWith,
    /** A new tab that is signed in as this user. */
    openAs: async (login: string, address?: string, options?: TabOptions) =>
      openWith(await api.token(login), address, options),
    /** Shows a view in a tab, and nothing of the former one: a view would show what it has read until it has read the next. */
    show: async (page: Page, address: string) => {
      for (const next of ['/nowhere', address]) {
        await page.goto(`${url}#${next}`)
        await page.evaluate(
          'new Promise((next) => requestAnimationFrame(() => requestAnimationFrame(next)))',
        )
      }
    },
    /** Reloads a tab, whose token is gone then, and signs in again. */
    reloadAs: async (login: string, page: Page) => {
      await page.reload()
      await signIn(page, await api.token(login))
    },
    stop: async () => {
      await browser.close()
      await api.close()
      await network.drop()
    },
  }
}

async function newPage(
  browser: Browser,
  { width = 1200, colorScheme = 'light' }: TabOptions,
): Promise<Page> {
  const context: BrowserContext = await browser.newContext({
    viewport: { width, height: 900 },
    colorScheme,
    reducedMotion: 'reduce',
  })
  const page = await context.newPage()
  page.setDefaultTimeout(30_000)
  return page
}

function watch(page: Page, origin: string, faults: string[]): void {
  page.on('request', (request) => {
    const address = new URL(request.url())
    if (address.origin !== origin && /^https?:$/.test(address.protocol))
      faults.push(`request to ${address}`)
  })
  page.on('dialog', async (dialog) => {
    faults.push(`dialog: ${dialog.message()}`)
    await dialog.dismiss()
  })
  page.on('pageerror', (error) => faults.push(`error: ${error}`))
  page.on('console', (message) => {
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
      faults.push(message.text())
  })
}

/** Signs in, in a tab that asks for a token. */
export async function signIn(page: Page, token: string): Promise<void> {
  await page.getByLabel('API token').fill(token)
  await page.keyboard.press('Enter')
  await page.locator('.top').waitFor()
}

/** Undoes the last write. */
export async function undo(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Undo', exact: true }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Undo', exact: true }).click()
  await dialog.waitFor({ state: 'detached' })
}

/** Expects the page to have no violation that axe finds, no horizontal scrolling, and no empty space below its end. */
export async function expectAccessible(page: Page): Promise<void> {
  if (await page.evaluate('globalThis.axe === undefined')) await page.evaluate(AXE)
  const found = await page.evaluate(`(async () => {
    // Outside of a modal dialog everything is inert, which axe does not always see.
    const shown = document.querySelector('dialog:modal') ?? document
    const { violations } = await axe.run(shown, { iframes: false, resultTypes: ['violations'] })
    return violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html, failureSummary }) => html + ' ' + failureSummary).join('\\n'))
  })()`)
  expect(found, page.url()).toEqual([])
  const overflow = await page.evaluate(
    'document.documentElement.scrollWidth - document.documentElement.clientWidth',
  )
  expect(overflow, page.url()).toBeLessThanOrEqual(0)
  const empty = await page.evaluate(`(() => {
    const { bottom } = (document.getElementById('console') ?? document.documentElement).getBoundingClientRect()
    return document.documentElement.scrollHeight - Math.max(innerHeight, Math.ceil(bottom + scrollY))
  })()`)
  expect(empty, page.url()).toBeLessThanOrEqual(0)
}

/** Expects the same in a light window, and in a dark one of a phone. */
export async function expectAccessibleInWindows(page: Page): Promise<void> {
  await expectAccessible(page)
  await page.setViewportSize({ width: 360, height: 900 })
  await page.emulateMedia({ colorScheme: 'dark' })
  await expectAccessible(page)
  await page.setViewportSize({ width: 1200, height: 900 })
  await page.emulateMedia({ colorScheme: 'light' })
}
