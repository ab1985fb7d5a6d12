import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Browser, Page } from '../../packages/playwright.ts'
import { launchChromium } from '../../support/chromium.ts'
import { spawnCommand } from '../../support/cli-process.ts'
import { describeWith } from '../../support/describe-with.ts'
import { eventually } from '../../support/eventually.ts'
import { useFramesCli } from '../../support/frames-cli.ts'
import { ask as askPort } from '../../support/front.ts'

let printed = ''

/** The state of all tables. */
const checksum = async () => {
  const { db } = cli.network
  const [tables] = await db.sql.raw('SHOW TABLES')
  const names = tables.flatMap((row: object) => Object.values(row)).join(', ')
  return (await db.sql.raw(`CHECKSUM TABLE ${names}`))[0]
}

const HEADER = '<header>stored <a href="http://net.test/shop/about-us/team/">Team</a></header>'

const cli = await useFramesCli()
await cli.put('header', HEADER)
await cli.put(
  'page',
  '<!doctype html>\n<html lang="en"><head><title data-op-bind="page.title"></title></head><body class="own"><!-- svc/frame {"name":"header"} /--></body></html>',
)
// About us, its translation into French, Team, and a draft.
await cli.fixture.assign('page', [7, 8, 10, 19])
await cli.run('pull', cli.folder, '--site', '2')
const before = await checksum()
const command = await spawnCommand(
  ['frames', 'dev', cli.folder, '--site', '2', '--port', '0'],
  cli.env,
)
afterAll(() => void command.child.kill('SIGKILL'))
command.child.stdout?.on('data', (chunk) => {
  printed += chunk
})
await eventually(() => expect(printed).toMatch(/No problems/))
/** `http://127.0.0.1:<port>` */
const origin = /http:\/\/127\.0\.0\.1:\d+/.exec(printed)?.[0] ?? ''

/** Sends a request with these headers. */
const ask = (path: string, { method = 'GET', ...headers }: Record<string, string> = {}) =>
  askPort(Number(new URL(origin).port), `${origin}${path}`, { method, headers })

const save = (html: string, name = 'header.html') => writeFile(join(cli.folder, name), html)

describe('frames dev', () => {
  it('serves pages, drafts too, and sends other addresses to the site', async () => {
    expect(printed).toContain(`${origin}/shop/ shows net.test/shop`)
    for (const path of ['/shop/about-us/', '/shop/fr/a-propos/', '/shop/?page_id=19'])
      expect((await ask(path)).body).toContain('stored')
    for (const [path, location] of [
      ['/', '/shop/'],
      ['/wp-content/a.png?b=1', 'http://net.test/wp-content/a.png?b=1'],
      ['/shop/hello-world/', 'http://net.test/shop/hello-world/'],
      ['//other.test/', 'http://net.test//other.test/'],
    ] as const)
      expect(await ask(path)).toMatchObject({ status: 302, headers: { location } })
  })

  it('answers only requests to read from this machine', async () => {
    expect((await ask('/shop/about-us/', { Host: 'evil.test' })).status).toBe(421)
    expect((await ask('/~dev/events', { Host: `evil.test:${new URL(origin).port}` })).status).toBe(
      421,
    )
    expect((await ask('/shop/about-us/', { method: 'POST' })).status).toBe(405)
    const host = `localhost:${new URL(origin).port}`
    expect((await ask('/shop/about-us/', { Host: host })).status).toBe(200)
  })

  it('says why a page cannot be shown', async () => {
    const { status, body } = await ask('/shop/')
    expect([status, body]).toEqual([404, expect.stringContaining('has no frame')])
  })

  describeWith('chromium', 'in a browser', () => {
    let browser: Browser
    let page: Page
    beforeAll(async () => {
      browser = await launchChromium()
      page = await browser.newPage()
      await page.goto(`${origin}/shop/about-us/`)
    })
    afterAll(() => browser?.close())
    const problems = () => page.locator('wp-frames-problems li').allTextContents()

    it('reloads the page when a file is saved', async () => {
      await save('<header>edited</header><!-- svc/frame {"name":"added"} /-->')
      await save('<b>added</b>', 'added.html')
      await page.waitForSelector('text=edited')
      await page.waitForSelector('b')
      expect(await page.locator('body').getAttribute('class')).toBe('own')
      expect(await page.evaluate('document.compatMode + document.documentElement.lang')).toBe(
        'CSS1Compaten',
      )
      expect(await problems()).toEqual([])
    })

    it('shows the problems of files with their line and column, also of markup that swallows the page', async () => {
      await save(
        '<header>\n  <!-- svc/nothing /--></header><p data-op-bind="page.wrong"></p><!-- open',
      )
      await page.waitForSelector('wp-frames-problems section')
      expect(await problems()).toEqual([
        expect.stringMatching(/^header\.html Line 2, column 3: Unknown insert svc\/nothing/),
        expect.stringMatching(/^header\.html Line 2, column \d+: "page\.wrong" names no value/),
      ])
      await eventually(() =>
        expect(printed).toMatch(/header\.html: Line 2, column 3: Unknown insert/),
      )
      await save('x', 'Not a slug.html')
      await page.waitForSelector('text=not a valid slug')
      expect(await page.locator('header').count()).toBe(1)
    })

    it('opens links to the site on the dev server, and shows the page again without problems', async () => {
      await writeFile(join(cli.folder, 'added.html'), '<b>added</b>')
      await rm(join(cli.folder, 'Not a slug.html'))
      await save(HEADER.replace('stored', 'linking'))
      await page.waitForSelector('text=linking')
      expect(await problems()).toEqual([])
      await page.click('text=Team')
      await page.waitForURL(`${origin}/shop/about-us/team/`)
      expect(await page.title()).toBe('Team')
    })

    it('gives scripts of pages an origin of their own', async () => {
      await save('<header><script>document.title = self.origin; document.cookie</script></header>')
      const failure = page.waitForEvent('pageerror')
      await page.waitForFunction('document.title === "null"')
      expect((await failure).message).toMatch(/sandboxed/)
    })
  })

  it('stores nothing, ends at Ctrl-C, and leaves the changes to a push', async () => {
    await save('<header>pushed</header>')
    expect((await ask('/shop/about-us/')).body).toContain('pushed')
    expect(await checksum()).toEqual(before)
    command.child.kill('SIGINT')
    expect((await command.ended).code).toBe(0)
    expect(await checksum()).toEqual(before)
    expect((await cli.run('push', cli.folder, '--site', '2')).code).toBe(0)
    expect((await cli.stored()).header).toBe('<header>pushed</header>')
  })

  it.each([
    ['a folder that is missing', ['dev', '/nowhere/at/all', '--site', '2'], 1, 'no folder'],
    [
      'a language that the site does not have',
      ['dev', '.', '--site', '2', '--lang', 'xx'],
      1,
      'Unknown language',
    ],
    ['a port that does not exist', ['dev', '.', '--site', '2', '--port', '70000'], 2, '65535'],
    ['no site', ['dev', '.'], 1, 'Name the site with --site'],
  ])('refuses %s', async (_, args, code, message) => {
    const result = await cli.run(...args)
    expect([result.code, result.stderr]).toEqual([code, expect.stringContaining(message)])
  })
})
