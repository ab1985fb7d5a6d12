/**
 * Makes the pictures of the documentation: `npm run screenshots`. `npm run screenshots -- <folder>` makes those of each view instead, light, dark, and on
 * a phone, to be looked at. Starts the demo in a temporary folder, and needs Chromium.
 */
import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { runScript } from '../demo/private-database/run-script.ts'
import { launchChromium } from '../test/support/chromium.ts'

const ROOT = resolve(import.meta.dirname, '..')
const [folderOfAll] = process.argv.slice(2)
const TARGET = folderOfAll === undefined ? join(ROOT, 'docs/assets/console') : resolve(folderOfAll)
const DEMO_TARGET = join(ROOT, 'docs/assets/demo')

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

const UNSAVED = `<p class="banner">مرحبا، القهوة جاهزة</p>
<header class="site-header">
  <a class="brand" data-op-bind="href:site.url; site.title" href="/">Mokhaven</a>
  <nav class="main-nav"><!-- svc/menu {"location":"header","depth":1,"current":true} /--></nav>
  <nav class="languages"><!-- svc/lang-switcher /--></nav>
</header>`

/** Makes an item of each menu lead nowhere, for pictures of findings. */
const BREAK_LINKS =
  "UPDATE wp_posts SET post_status = 'draft' WHERE post_name = 'roastery' OR ID = 19"

const SHOTS: readonly Shot[] = [
  {
    name: 'frame',
    address: '/sites/1/frames/landing',
    width: 1200,
    colorScheme: 'light',
    height: 780,
  },
  {
    name: 'graph',
    address: '/sites/1/graph?frame=art-harbour',
    width: 1200,
    colorScheme: 'dark',
    height: 760,
    act: async (page) => page.locator('.node.picked').waitFor(),
  },
  {
    name: 'preview',
    address: '/sites/1/frames/site-header?page=4',
    width: 1200,
    colorScheme: 'light',
    height: 1000,
    act: async (page) => {
      await previewed(page)
      await page.getByRole('textbox', { name: 'Markup of site-header' }).focus()
      await page.keyboard.press('Control+A')
      await page.keyboard.insertText(UNSAVED)
      await page.getByRole('button', { name: 'Preview' }).click()
      await page.frameLocator('iframe').getByText('القهوة جاهزة').waitFor()
    },
  },
  {
    name: 'rename',
    address: '/sites/1/frames/site-header',
    width: 1200,
    colorScheme: 'dark',
    height: 760,
    act: async (page) => {
      await page.getByRole('button', { name: 'Rename' }).click()
      await page.getByRole('textbox', { name: 'Name' }).fill('Masthead')
      await page.getByText('Pages published again').waitFor()
    },
  },
  { name: 'history', address: '/sites/1/history', width: 1200, colorScheme: 'light', height: 680 },
  { name: 'network', address: '/network', width: 1200, colorScheme: 'light', height: 680 },
  { name: 'menus', address: '/sites/1/menus', width: 1200, colorScheme: 'light', height: 680 },
  { name: 'menu', address: '/sites/1/menus/25', width: 1200, colorScheme: 'dark', height: 760 },
  { name: 'pages', address: '/sites/1/pages', width: 1200, colorScheme: 'light', height: 680 },
  {
    name: 'search',
    address: '/sites/1',
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
    address: '/sites/1/pages/4',
    width: 360,
    colorScheme: 'light',
    height: 900,
    act: previewed,
  },
]

/** Taken when links are broken. */
const BROKEN: readonly Shot[] = [
  { name: 'findings', address: '/sites/1/health', width: 1200, colorScheme: 'dark', height: 760 },
  {
    name: 'broken-links',
    address: '/sites/1/menus?location=footer_1',
    width: 360,
    colorScheme: 'dark',
    height: 900,
  },
]

/** The address of each view. */
const VIEWS: Readonly<Record<string, string>> = {
  sites: '/',
  frames: '/sites/1',
  frame: '/sites/1/frames/landing',
  changes: '/sites/1/changes',
  graph: '/sites/1/graph?frame=art-harbour',
  menus: '/sites/1/menus',
  menu: '/sites/1/menus/25',
  pages: '/sites/1/pages',
  page: '/sites/1/pages/4',
  history: '/sites/1/history',
  health: '/sites/1/health',
  network: '/network',
  plans: '/network?as=plans',
  'plan-frame': '/sites/1/frames/site-header/plan',
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
  if (folderOfAll === undefined) {
    await takeDemo(browser, demo)
    await runScript(readFileSync(join(folder, '.data/demo-database'), 'utf8'), BREAK_LINKS)
    for (const shot of BROKEN) await take(browser, demo, shot)
  }
} finally {
  await browser.close()
  await demo.stop()
  rmSync(folder, { recursive: true, force: true })
}

type Browser = Awaited<ReturnType<typeof launchChromium>>
type Page = Awaited<ReturnType<Browser['newPage']>>

type Demo = {
  readonly api: string
  readonly url: string
  readonly front: string
  readonly token: string
  stop(): Promise<void>
}

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
    const api = `http://127.0.0.1:${PORT}`
    return { api, url: `${api}/console/`, front: `http://localhost:${FRONT_PORT}/`, token, stop }
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
  await page.locator('.top').waitFor()
  await page.locator('h1').waitFor()
  await page.locator('.loading').first().waitFor({ state: 'detached' })
  await page.waitForLoadState('networkidle')
  await act?.(page)
  const fullPage = folderOfAll !== undefined
  await page.screenshot({ path: join(TARGET, `${name}.png`), fullPage })
  await context.close()
}

/** The front page of the demo, and the same before and after a change of a colour, side by side. */
async function takeDemo(browser: Browser, { api, front, token }: Demo): Promise<void> {
  mkdirSync(DEMO_TARGET, { recursive: true })
  const shoot = async (colorScheme: 'light' | 'dark', width: number, height: number) => {
    const context = await browser.newContext({
      viewport: { width, height },
      colorScheme,
      reducedMotion: 'reduce',
    })
    const page = await context.newPage()
    await page.goto(front)
    const picture = await page.screenshot()
    await context.close()
    return picture
  }
  const before = await shoot('light', 1200, 720)
  await compose(browser, 'home', [before, await shoot('dark', 390, 720)], [1200, 390])
  const frame = `${api}/site/1/frames/site-style`
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' }
  const style = readFileSync(join(ROOT, 'demo/frames/site-style.html'), 'utf8')
  const html = style.replaceAll('#a5432a', '#1f6f5c')
  await fetch(frame, { method: 'PUT', headers, body: JSON.stringify({ html }) })
  await compose(browser, 'change', [before, await shoot('light', 1200, 720)], [800, 800])
}

/** Puts pictures side by side, with these widths of an image of 1600 pixels. */
async function compose(
  browser: Browser,
  name: string,
  pictures: readonly Buffer[],
  widths: readonly number[],
): Promise<void> {
  const page = await browser.newPage({ viewport: { width: 1606, height: 600 } })
  const images = pictures.map(
    (picture, index) =>
      `<img width="${widths[index]}" src="data:image/png;base64,${picture.toString('base64')}">`,
  )
  await page.setContent(`<body style="margin:0;display:inline-flex;gap:6px">${images.join('')}`)
  await page.locator('body').screenshot({ path: join(DEMO_TARGET, `${name}.png`) })
  await page.close()
}
