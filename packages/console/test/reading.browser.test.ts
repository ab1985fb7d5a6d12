import { describe, expect, it } from 'vitest'
import {
  expectAccessible,
  expectAccessibleInWindows,
  useConsole,
} from '../../../test/support/console.ts'
import { putPreviewedFrames } from '../../../test/support/console-frames.ts'
import { putWork } from '../../../test/support/work-rows.ts'

describe('reading in the console', async () => {
  const console_ = await useConsole()
  await putPreviewedFrames(console_)
  /** Tests share this tab if they leave it as it was. */
  const page = await console_.openAs('alice')

  it('lists the sites of a super administrator, finds one, and leads to the documentation', async () => {
    const page = await console_.openAs('admin')
    await page.locator('.pager').getByText('6 sites').waitFor()
    await page.getByLabel('Search sites').fill('docs')
    await page.locator('.pager').getByText('1 site').waitFor()
    expect(await page.locator('tbody th a').allTextContents()).toEqual(['docs'])
    expect(page.url()).toContain('q=docs')
    await page.getByRole('link', { name: 'Docs', exact: true }).click()
    await page.getByRole('heading', { name: 'I want to know' }).waitFor()
    expect(page.url()).toBe(new URL('../docs/', console_.url).href)
  })

  it('shows a site administrator own sites only', async () => {
    const page = await console_.openAs('bob')
    await page.locator('.pager').getByText('1 site').waitFor()
    expect(await page.locator('tbody th a').allTextContents()).toEqual(['docs'])
    await console_.show(page, '/sites/2')
    await page.getByText('There is no site 2 for this token').waitFor()
    await console_.show(page, '/network')
    await page.getByText('You may not do this').waitFor()
    expect(await page.getByRole('link', { name: 'Network' }).count()).toBe(0)
  })

  it('finds a frame, and shows its markup, relations and pages', async () => {
    await console_.show(page, '/sites/2')
    await page.locator('.pager').getByText('4 frames').waitFor()
    await page.getByLabel('Search frames').fill('head')
    await page.locator('.pager').getByText('1 frame').waitFor()
    await page.getByRole('link', { name: 'site-header' }).click()
    await page.getByRole('heading', { name: 'site-header', level: 1 }).waitFor()
    expect(await page.evaluate('document.activeElement.textContent')).toBe('site-header')
    expect(await page.getByLabel('Markup of site-header').innerText()).toContain(
      '<!-- svc/lang-switcher /-->',
    )
    await page.getByRole('link', { name: 'page', exact: true }).click()
    await page.getByRole('heading', { name: 'page', level: 1 }).waitFor()
    await page.getByRole('link', { name: 'Home', exact: true }).waitFor()
    expect(await page.getByRole('link', { name: 'الرئيسية' }).count()).toBe(1)
  })

  it('has one bar on a phone, from which a sheet with the navigation opens', async () => {
    await page.setViewportSize({ width: 360, height: 900 })
    await console_.show(page, '/sites/2')
    await page.getByRole('heading', { name: 'Frames', level: 1 }).waitFor()
    expect((await page.getByRole('banner').boundingBox())?.height).toBeLessThan(60)
    expect(await page.getByRole('link', { name: 'Menus' }).count()).toBe(0)
    await page.getByRole('button', { name: 'Menu', exact: true }).click()
    await page.getByRole('button', { name: 'Sign out' }).waitFor()
    await expectAccessible(page)
    await page.getByRole('link', { name: 'Menus' }).click()
    await page.getByRole('heading', { name: 'Menus', level: 1 }).waitFor()
    await page.getByRole('button', { name: 'Sign out' }).waitFor({ state: 'detached' })
    await page.setViewportSize({ width: 1200, height: 900 })
  })

  it('shows the graph, and what a change and a deletion of a frame touch', async () => {
    await console_.show(page, '/sites/2/graph')
    await page.getByRole('link', { name: /^Frame site-header: shows menu header/ }).click()
    await page.getByRole('heading', { name: 'A change of site-header touches' }).waitFor()
    const change = page.locator('.panel', { hasText: 'A change of site-header touches' })
    expect(await change.locator('h3').allTextContents()).toEqual([
      'Frames built again 1',
      'Pages published again 9',
    ])
    const deletion = page.locator('.panel', { hasText: 'A deletion of site-header breaks' })
    expect(await deletion.locator('li').allTextContents()).toEqual(['page'])
    await page.getByRole('link', { name: /^Frame site-header, picked/ }).waitFor()
    await page.getByRole('link', { name: /^Page Team \(en\), touched by a change/ }).waitFor()
    await expectAccessibleInWindows(page)
    await page.getByRole('link', { name: 'Table' }).click()
    const row = page.getByRole('row', { name: /^page / })
    await row.getByRole('link', { name: 'site-header' }).waitFor()
  })

  it('shows a page in another language and width', async () => {
    await console_.show(page, '/sites/2/pages')
    await page.getByLabel('Language').selectOption('en')
    await page.getByRole('link', { name: 'Home', exact: true }).click()
    const preview = page.frameLocator('iframe')
    await preview.getByRole('heading', { name: 'Home' }).waitFor()
    await page.getByText('Phone', { exact: true }).click()
    await page.getByRole('link', { name: 'العربية' }).click()
    await preview.getByRole('heading', { name: 'الرئيسية' }).waitFor()
    expect(await preview.locator('html').getAttribute('dir')).toBe('rtl')
    expect(await page.evaluate('document.querySelector("iframe").offsetWidth')).toBe(360)
  })

  it('shows the menus of a location by language, and marks broken links', async () => {
    await console_.show(page, '/sites/2/menus?location=header')
    await page.getByRole('heading', { name: 'Main menu' }).waitFor()
    await page.getByText('About us', { exact: true }).waitFor()
    await console_.show(page, '/sites/2/menus?location=footer_1')
    const draft = page.locator('.item', { hasText: 'Draft page' })
    await draft.getByText('broken').waitFor()
    expect(await page.locator('.item', { hasText: 'Legal' }).first().innerText()).not.toContain(
      'broken',
    )
    await console_.show(page, '/sites/2/menus/23?beside=26')
    await page.locator('.beside').first().waitFor()
    await expectAccessibleInWindows(page)
  })

  it('waits as long as the service asks for if there were too many reads, says so, and reads again', async () => {
    const menus = '**/site/2/menus'
    await console_.show(page, '/sites/2')
    const asked: number[] = []
    await page.route(menus, (route) => {
      asked.push(Date.now())
      return asked.length > 1
        ? route.continue()
        : route.fulfill({
            status: 429,
            headers: { 'Retry-After': '2' },
            json: { error: 'too_many_requests', message: 'Too many.', retry_after: 2 },
          })
    })
    await page.getByRole('link', { name: 'Menus' }).click()
    await page.getByText('Too many requests: it goes on in 2 seconds.').waitFor()
    await page.locator('.menus').waitFor()
    expect(asked).toHaveLength(2)
    expect((asked[1] ?? 0) - (asked[0] ?? 0)).toBeGreaterThanOrEqual(2000)
    expect(await page.getByText('Too many requests').count()).toBe(0)
    await page.unroute(menus)
  })

  it('says what is wrong on each site, when it was changed, and what it has', async () => {
    const { network } = console_
    await putWork(network, 2, [{ name: '7', tries: 1, due: 200, error: 'Full.' }])
    await console_.show(page, '/')
    const shop = page.getByRole('row', { name: /net\.test\/shop/ })
    await shop.getByText('1 failing build').waitFor()
    await shop.locator('time').waitFor()
    expect(await shop.locator('td').last().innerText()).toBe('4')
    await shop.getByText(/\d findings?/).click()
    await page.getByRole('heading', { name: 'Health' }).waitFor()
    await putWork(network, 2, [])
    const inNavigation = page
      .getByRole('navigation', { name: 'Site' })
      .getByRole('link', { name: 'Health' })
    await inNavigation.getByText('problems').waitFor({ state: 'attached' })
  })

  it('says that there is no connection, tries again by itself, shows a view that it could not load, and says that it was updated', async () => {
    const page = await console_.openAs('alice', '/sites/2')
    await page.getByRole('row', { name: /^card/ }).waitFor()
    await page.context().setOffline(true)
    // The answer to a former search does not stand for another one.
    await page.getByLabel('Search frames').fill('head')
    await page.getByRole('alert').getByText('The service did not answer').waitFor()
    expect(await page.getByRole('row', { name: /^card/ }).count()).toBe(0)
    await page.getByRole('link', { name: 'Pages' }).click()
    await page.getByText('No connection.').waitFor()
    await page.getByText('tries again by itself').waitFor()
    await expectAccessible(page)
    await page.context().setOffline(false)
    await page.getByRole('heading', { name: 'Pages' }).waitFor()
    await page.getByRole('link', { name: 'About us' }).waitFor()
    expect(await page.getByText('No connection.').count()).toBe(0)

    // The service has other files now.
    await page.route('**/assets/history-*.js', (route) => route.fulfill({ status: 404 }))
    await page.route(console_.url, (route) =>
      route.fulfill({ contentType: 'text/html', body: '<script src="assets/main-OTHER.js">' }),
    )
    await page.getByRole('link', { name: 'History' }).click()
    await page.getByText('The console was updated.').waitFor()
    await page.unroute(console_.url)
    await page.getByRole('button', { name: 'Reload' }).click()
    await page.getByLabel('API token').waitFor()
  })

  it('changes between light and dark, and remembers it', async () => {
    const scheme = () => page.evaluate('getComputedStyle(document.documentElement).colorScheme')
    await page.getByRole('button', { name: 'Switch to dark' }).click()
    expect(await scheme()).toBe('dark')
    await console_.reloadAs('alice', page)
    expect(await scheme()).toBe('dark')
    await page.getByRole('button', { name: 'Switch to light' }).click()
    expect(await scheme()).toBe('light dark')
    expect(await page.evaluate('localStorage.length')).toBe(0)
  })

  it('works with the keyboard only: from the sign-in to the graph of a frame', async () => {
    const page = await console_.open()
    await page.goto(console_.url)
    await page.getByLabel('API token').waitFor()
    await page.keyboard.type(await console_.api.token('alice'))
    await page.keyboard.press('Enter')
    await page.locator('.pager').getByText(/site/).waitFor()
    const tabTo = async (name: string) => {
      for (let presses = 0; presses < 40; presses += 1) {
        const focused = await page.evaluate(
          'document.activeElement.ariaLabel ?? document.activeElement.textContent',
        )
        if (String(focused).trim().startsWith(name)) return
        await page.keyboard.press('Tab')
      }
      throw new Error(`no ${name}`)
    }
    await tabTo('shop')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Frames', level: 1 }).waitFor()
    await page.locator('.pager').getByText('4 frames').waitFor()
    await tabTo('site-header')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'site-header', level: 1 }).waitFor()
    await tabTo('Graph')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Graph of site-header' }).waitFor()
    await tabTo('Frame page, touched')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Graph of page' }).waitFor()
  })
})
