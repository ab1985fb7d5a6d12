import { describe, expect, it } from 'vitest'
import { expectAccessible, useConsole } from '../../../test/support/console.ts'
import { putDemoFrames } from '../../../test/support/console-frames.ts'

describe('the search of the console', async () => {
  const console_ = await useConsole()
  const requests: string[] = []
  await putDemoFrames(console_.network)
  const page = await console_.openAs('admin', '/sites/2')
  page.on('request', (request) => requests.push(request.url()))

  const dialog = () => page.getByRole('dialog', { name: 'Search' })
  const field = () => dialog().getByRole('combobox', { name: 'Go to' })
  const option = (name: string | RegExp) => dialog().getByRole('option', { name }).first()
  const isActive = async (name: string | RegExp) => {
    const id = await field().getAttribute('aria-activedescendant')
    return (await option(name).getAttribute('id')) === id
  }
  const open = async () => {
    await page.keyboard.press('Control+k')
    await field().waitFor()
  }

  it('is loaded when it is first opened, and shows the views', async () => {
    expect(requests.filter((url) => /palette/.test(url))).toEqual([])
    await open()
    expect(requests.filter((url) => /palette-\w+\.js/.test(url))).toHaveLength(1)
    await option(/^Graph/).waitFor()
    await option(/^Network/).waitFor()
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await dialog().waitFor({ state: 'detached' })
  })

  it('goes to a frame, a page, a menu, a view and another site by keyboard', async () => {
    const go = async (text: string, name: string | RegExp, heading: string | RegExp) => {
      await open()
      await page.keyboard.type(text)
      await option(name).waitFor()
      // What is chosen stays so when more is found above it.
      await page.keyboard.press('ArrowDown')
      for (let at = 0; at < 30 && !(await isActive(name)); at += 1)
        await page.keyboard.press('ArrowDown')
      await page.keyboard.press('Enter')
      await page.getByRole('heading', { name: heading, level: 1 }).waitFor()
      expect(await dialog().count()).toBe(0)
    }
    await go('site-head', 'site-header', 'site-header')
    await go('team', /^Team/, 'Team')
    await go('main menu', /main-menu/, /Menu/i)
    await go('heal', /^Health/, 'Health')
    await go('net.test', /net\.test/, 'Frames')
  })

  it('keeps what somebody has chosen when more is found', async () => {
    const selected = () => dialog().getByRole('option', { selected: true }).innerText()
    await page.goto(`${console_.url}#/sites/2/menus`)
    await page.getByRole('heading', { name: 'Menus', level: 1 }).waitFor()
    await open()
    await page.keyboard.type('hea')
    await page.keyboard.press('ArrowDown')
    const chosen = await selected()
    await option('site-header').waitFor()
    expect(await selected()).toBe(chosen)
    await page.keyboard.press('Escape')
  })

  it('finds what is misspelt, a view of another site, recent views, and what can be done here', async () => {
    await page.goto(`${console_.url}#/sites/2/frames/card`)
    await page.getByRole('button', { name: 'Rename' }).waitFor()
    await open()
    await field().fill('hedaer')
    await option('site-header').waitFor()
    await field().fill('shop menus')
    await option('Shop: Menus').waitFor()
    await field().fill('tokens')
    await option(/^Tokens/).waitFor()
    await field().fill('new fra')
    await option(/^New frame/).click()
    await page.getByRole('dialog', { name: 'New frame' }).waitFor()
    await page.keyboard.press('Escape')
    await open()
    await dialog()
      .getByRole('group', { name: 'Recent' })
      .getByRole('option', { name: /^card/ })
      .click()
    await page.getByRole('heading', { name: 'card', level: 1 }).waitFor()
    await page.getByRole('button', { name: 'Rename' }).waitFor()
    await open()
    await field().fill('rename')
    await option(/^Rename: card/).waitFor()
    await page.keyboard.press('Enter')
    await page.getByRole('dialog', { name: 'Rename card' }).waitFor()
    await page.keyboard.press('Escape')
  })

  it('loses no key of somebody who opens it at once after closing it', async () => {
    await open()
    // Both keys before the next frame, in which the browser reports that the dialog is closed.
    await page.evaluate(`new Promise((done) => {
      const dialog = document.querySelector('dialog')
      requestAnimationFrame(() => {
        if (dialog.dispatchEvent(new Event('cancel', { cancelable: true }))) dialog.close()
        dispatchEvent(new KeyboardEvent('keydown', { key: 'k', ctrlKey: true, cancelable: true }))
        requestAnimationFrame(() => setTimeout(done))
      })
    })`)
    await field().waitFor()
    await page.keyboard.press('Escape')
    await dialog().waitFor({ state: 'detached' })
  })

  it('asks once after a pause, however fast somebody types', async () => {
    await page.goto(`${console_.url}#/sites/2`)
    await page.getByRole('heading', { name: 'Frames', level: 1 }).waitFor()
    await page.getByRole('button', { name: 'Search' }).click()
    await field().waitFor()
    requests.length = 0
    await field().evaluate((element) => {
      const input = element as unknown as EventTarget & { value: string }
      for (const end of 'site-footer'.split('').keys()) {
        input.value = 'site-footer'.slice(0, end + 1)
        input.dispatchEvent(new Event('input', { bubbles: true }))
      }
    })
    await option('site-footer').waitFor()
    const asked = requests.filter((url) => /\/site\/2\/frames\?.*q=/.test(url))
    expect(asked).toHaveLength(1)
    await expectAccessible(page)
    await page.keyboard.press('Escape')
  })

  it('says when it finds nothing, and why a search failed', async () => {
    await open()
    await page.keyboard.type('nothing-like-this')
    await dialog().getByText('Nothing fits the search.').waitFor()
    // The answer to the former search does not stand for this one.
    await page.route('**/site/2/pages?*', (route) => route.abort())
    await field().fill('other')
    await dialog().getByText('Pages: The service did not answer').waitFor()
    await page.unrouteAll()
    await page.keyboard.press('Escape')
  })
})
