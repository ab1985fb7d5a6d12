import { describe, expect, it } from 'vitest'
import type { Page, Request } from '../../../test/packages/playwright.ts'
import { useConsole } from '../../../test/support/console.ts'
import { putDemoFrames } from '../../../test/support/console-frames.ts'
import { eventually } from '../../../test/support/eventually.ts'
import { focused, listenTo } from '../../../test/support/spoken.ts'

const BASE = '/wp-json/svc/v1/site/2'

describe('views that follow changes', async () => {
  const console_ = await useConsole()
  await putDemoFrames(console_.network)

  let written = 0
  /** Creates a frame as somebody else. @returns its slug */
  const write = async (): Promise<string> => {
    written += 1
    const slug = `elsewhere-${written}`
    const bob = await console_.api.as('alice')
    await bob.post(`${BASE}/frames`).send({ slug, html: '<i></i>', bake: false }).expect(200)
    return slug
  }
  const row = (page: Page, slug: string) => page.getByRole('row', { name: new RegExp(slug) })
  /** The requests of a page whose path ends so, and those of them that are open. */
  const watch = (page: Page, path: string) => {
    const sent: Request[] = []
    const open = new Set<Request>()
    const isIt = (request: Request) => new URL(request.url()).pathname.endsWith(path)
    page.on('request', (request) => {
      if (isIt(request)) open.add(request) && sent.push(request)
    })
    const end = (request: Request) => open.delete(request)
    page.on('requestfailed', end)
    page.on('requestfinished', end)
    return { sent, open }
  }
  /** Tests share this tab. */
  const page = await console_.openAs('alice')
  const showHistory = async () => {
    await console_.show(page, '/nowhere')
    const streams = watch(page, '/changes')
    const reads = watch(page, '/history')
    const opened = page.waitForResponse(/\/changes\?/)
    await console_.show(page, '/sites/2/history')
    await page.getByRole('heading', { name: 'History' }).waitFor()
    await opened
    return { streams, reads }
  }

  it('show what was written elsewhere, and disturb nobody', async () => {
    const first = await write()
    const { streams, reads } = await showHistory()
    const link = row(page, first).getByRole('link')
    await link.waitFor()
    await link.focus()
    const said = await listenTo(page)
    const slug = await write()
    await row(page, slug).waitFor()
    expect(await focused(page)).toContain(first)
    expect(await said()).toEqual([])
    expect(streams.sent).toHaveLength(1)
    expect(reads.sent).toHaveLength(2)
  })

  it('read once for many changes', async () => {
    const { reads } = await showHistory()
    let last = ''
    for (let at = 0; at < 20; at += 1) last = await write()
    await row(page, last).waitFor()
    expect(reads.sent.length).toBeLessThan(6)
  })

  it('have one stream in a tab, and none when another view is shown', async () => {
    const { streams } = await showHistory()
    await page.goto(`${console_.url}#/sites/2/health`)
    await page.getByRole('heading', { name: 'Health' }).waitFor()
    await eventually(() => expect(streams.sent).toHaveLength(2))
    await eventually(() => expect(streams.open.size).toBe(1))
    await page.goto(`${console_.url}#/sites/2/menus`)
    await eventually(() => expect(streams.open.size).toBe(0))
    await page.goto(`${console_.url}#/sites/2/history?after=1`)
    await page.getByRole('button', { name: 'Previous' }).waitFor()
    expect(streams.sent).toHaveLength(2)
  })

  it('follow nothing while the tab is hidden, and catch up when it is shown', async () => {
    const { streams, reads } = await showHistory()
    const show = (state: 'hidden' | 'visible') =>
      page.evaluate(`
        Object.defineProperty(document, 'visibilityState', { value: '${state}', configurable: true })
        document.dispatchEvent(new Event('visibilitychange'))
      `)
    await show('hidden')
    await eventually(() => expect(streams.open.size).toBe(0))
    const slug = await write()
    const before = reads.sent.length
    await show('visible')
    await row(page, slug).waitFor()
    expect(reads.sent).toHaveLength(before + 1)
    expect(streams.sent.at(-1)?.url()).not.toContain('since=now')
  })

  it('read from time to time if there is no stream', async () => {
    const page = await console_.openAs('alice', '/')
    await page.route('**/changes?*', (route) => route.abort())
    await page.clock.install()
    await page.goto(`${console_.url}#/sites/2/history`)
    await page.getByRole('heading', { name: 'History' }).waitFor()
    await page.clock.runFor(1000)
    const slug = await write()
    await page.clock.runFor(40_000)
    await row(page, slug).waitFor()
  })

  it('keep what they show if it cannot be read again', async () => {
    await showHistory()
    const shown = await write()
    await row(page, shown).waitFor()
    await page.route('**/history?*', (route) => route.abort())
    const refused = page.waitForEvent('requestfailed', (request) =>
      request.url().includes('/history?'),
    )
    await write()
    await refused
    expect(await row(page, shown).count()).toBe(1)
    expect(await page.getByRole('alert').count()).toBe(0)
    await page.unroute('**/history?*')
  })

  it('show the network to super administrators', async () => {
    const page = await console_.openAs('admin', '/')
    const opened = page.waitForResponse(/\/network\/changes\?/)
    await page.goto(`${console_.url}#/network?as=history`)
    await opened
    const slug = await write()
    await row(page, slug).waitFor()
  })
})
