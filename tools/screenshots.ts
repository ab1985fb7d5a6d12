/**
 * Makes the screenshots of docs/editing.md: `npm run screenshots`. `npm run screenshots -- <folder>` makes those of each view instead, light, dark, and on
 * a phone, to be looked at. Starts the demo in a temporary folder, and needs Chromium.
 */
import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { launchChromium } from '../test/support/chromium.ts'

const ROOT = resolve(import.meta.dirname, '..')
const [folderOfAll] = process.argv.slice(2)
const TARGET = folderOfAll === undefined ? join(ROOT, 'docs/assets/console') : resolve(folderOfAll)

type Shot = {
  readonly name: string
  readonly address: string
  readonly width: 1200 | 360
  readonly colorScheme: 'light' | 'dark'
  readonly height?: number
  /** What is done in the view before the picture is taken. */
  readonly act?: (page: Page) => Promise<void>
}

const previewed = async (page: Page): Promise<void> => {
  await page.frameLocator('iframe').getByRole('heading').first().waitFor()
}

const UNSAVED = `<header>
  <strong><a data-op-bind="href:site.url; site.title" href="/">Site</a></strong>
  <p>مرحبا</p>
  <nav><!-- svc/lang-switcher /--></nav>
</header>`

const SHOTS: readonly Shot[] = [
  {
    name: 'frame',
    address: '/sites/2/frames/page',
    width: 1200,
    colorScheme: 'light',
    height: 780,
  },
  {
    name: 'graph',
    address: '/sites/2/graph?frame=site-header',
    width: 1200,
    colorScheme: 'dark',
    height: 900,
    act: async (page) => page.locator('.node.picked').waitFor(),
  },
  {
    name: 'preview',
    address: '/sites/2/frames/site-header/edit?page=6',
    width: 1200,
    colorScheme: 'light',
    height: 1000,
    act: async (page) => {
      await previewed(page)
      await page.getByRole('textbox', { name: 'Markup of site-header' }).focus()
      await page.keyboard.press('Control+A')
      await page.keyboard.insertText(UNSAVED)
      await page.getByRole('button', { name: 'Preview' }).click()
      await page.frameLocator('iframe').getByText('مرحبا').waitFor()
    },
  },
  {
    name: 'rename',
    address: '/sites/2/frames/site-header',
    width: 1200,
    colorScheme: 'dark',
    height: 760,
    act: async (page) => {
      await page.getByRole('button', { name: 'Rename' }).click()
      await page.getByLabel('New slug').fill('masthead')
      await page.getByRole('button', { name: 'Check' }).click()
      await page.getByText('Pages published again').waitFor()
    },
  },
  { name: 'history', address: '/sites/2/history', width: 1200, colorScheme: 'light', height: 680 },
  { name: 'findings', address: '/sites/2/findings', width: 1200, colorScheme: 'dark', height: 760 },
  { name: 'network', address: '/network', width: 1200, colorScheme: 'light', height: 680 },
  { name: 'menus', address: '/sites/2/menus', width: 1200, colorScheme: 'light', height: 680 },
  { name: 'menu', address: '/sites/2/menus/23', width: 1200, colorScheme: 'dark', height: 760 },
  { name: 'pages', address: '/sites/2/pages', width: 1200, colorScheme: 'light', height: 680 },
  {
    name: 'search',
    address: '/sites/2',
    width: 1200,
    colorScheme: 'light',
    height: 680,
    act: async (page) => {
      await page.keyboard.press('Control+K')
      await page.getByRole('dialog').getByRole('combobox').fill('he')
      await page.getByRole('option', { name: /site-header/ }).waitFor()
    },
  },
  {
    name: 'page',
    address: '/sites/2/pages/6',
    width: 360,
    colorScheme: 'light',
    height: 900,
    act: previewed,
  },
  {
    name: 'broken-links',
    address: '/sites/2/menus?location=footer_1',
    width: 360,
    colorScheme: 'dark',
    height: 900,
  },
]

/** The address of each view. */
const VIEWS: Readonly<Record<string, string>> = {
  sites: '/',
  frames: '/sites/2',
  frame: '/sites/2/frames/page',
  edit: '/sites/2/frames/site-header/edit?page=6',
  changes: '/sites/2/changes',
  graph: '/sites/2/graph?frame=site-header',
  menus: '/sites/2/menus',
  menu: '/sites/2/menus/23',
  pages: '/sites/2/pages',
  page: '/sites/2/pages/6',
  history: '/sites/2/history',
  work: '/sites/2/work',
  findings: '/sites/2/findings',
  network: '/network',
  'network-work': '/network?as=work',
  plans: '/network?as=plans',
  'new-plan': '/network/new-plan',
  drift: '/network?as=drift',
  'network-history': '/network?as=history',
  tokens: '/network?as=tokens',
}

const ALL: readonly Shot[] = Object.entries(VIEWS).flatMap(([name, address]): Shot[] => [
  { name: `${name}-light`, address, width: 1200, colorScheme: 'light' },
  { name: `${name}-dark`, address, width: 1200, colorScheme: 'dark' },
  { name: `${name}-phone`, address, width: 360, colorScheme: 'light' },
  { name: `${name}-phone-dark`, address, width: 360, colorScheme: 'dark' },
])

const folder = mkdtempSync(join(tmpdir(), 'wp-frames-screenshots-'))
mkdirSync(TARGET, { recursive: true })
const demo = await startDemo(folder)
const browser = await launchChromium()
try {
  for (const shot of folderOfAll === undefined ? SHOTS : ALL) await take(browser, demo, shot)
} finally {
  await browser.close()
  await demo.stop()
  rmSync(folder, { recursive: true, force: true })
}

type Browser = Awaited<ReturnType<typeof launchChromium>>
type Page = Awaited<ReturnType<Browser['newPage']>>

type Demo = { readonly url: string; readonly token: string; stop(): Promise<void> }

async function startDemo(cwd: string): Promise<Demo> {
  const loader = import.meta.resolve('tsx')
  const [PORT, FRONT_PORT] = await Promise.all([freePort(), freePort()])
  const child = spawn(process.execPath, ['--import', loader, join(ROOT, 'demo/main.ts')], {
    cwd,
    env: {
      ...process.env,
      PORT: `${PORT}`,
      FRONT_PORT: `${FRONT_PORT}`,
      LOG_LEVEL: 'silent',
      RATE_LIMIT_PER_MINUTE: '0',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = new Promise<void>((done) => child.once('exit', () => done()))
  let output = ''
  for await (const chunk of child.stdout) {
    output += chunk
    const [, token] = /#token=(op_\w+)/.exec(output) ?? []
    if (token === undefined || !output.includes('Ctrl-C stops it.')) continue
    const stop = async () => {
      child.kill('SIGINT')
      await ended
    }
    return { url: `http://127.0.0.1:${PORT}/console/`, token, stop }
  }
  throw new Error(`The demo did not start:\n${output}`)
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise((done) => server.once('listening', done))
  const address = server.address()
  await new Promise((done) => server.close(done))
  if (address === null || typeof address === 'string') throw new Error('There is no free port.')
  return address.port
}

async function take(browser: Browser, { url, token }: Demo, shot: Shot): Promise<void> {
  const { name, address, width, colorScheme, height = 800, act } = shot
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme,
    reducedMotion: 'reduce',
  })
  const page = await context.newPage()
  // A stream has no end, and the network would never be idle.
  await page.route('**/changes?*', (route) => route.abort())
  await page.goto(`${url}#${address}`)
  await page.getByLabel('API token').fill(token)
  await page.keyboard.press('Enter')
  await page.locator('h1').waitFor()
  await page.waitForLoadState('networkidle')
  await act?.(page)
  const fullPage = folderOfAll !== undefined
  await page.screenshot({ path: join(TARGET, `${name}.png`), fullPage })
  await context.close()
}
