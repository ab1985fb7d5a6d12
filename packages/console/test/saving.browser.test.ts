import { beforeEach, describe, expect, it } from 'vitest'
import type { Page } from '../../../test/packages/playwright.ts'
import { expectAccessible, useConsole } from '../../../test/support/console.ts'
import { typeMarkup } from '../../../test/support/console-editor.ts'
import { putPreviewedFrames } from '../../../test/support/console-frames.ts'
import { eventually } from '../../../test/support/eventually.ts'

const BASE = '/wp-json/svc/v1/site/2'
const EDITOR = '/sites/2/frames/site-header'
const LINES = ['<header>', '<p>one</p>', '<p>two</p>', '<p>three</p>', '<p>four</p>', '</header>']
const STORED = LINES.join('\n')
/** The text of the line that the cursor of the editor is in; empty until the editor has the focus. */
const LINE_AT_CURSOR = `document.activeElement.shadowRoot?.querySelector('.cm-activeLine').textContent ?? ''`
const withLine = (at: number, line: string, lines = LINES): string =>
  lines.with(at, line).join('\n')

describe('saving in the console', async () => {
  const console_ = await useConsole({ expected: /preview-frame|sandboxed/ })
  const shop = await putPreviewedFrames(console_)
  beforeEach(() => shop.frame('site-header', STORED))
  /** The tests share this tab. */
  const page = await console_.openAs('alice')

  const stored = async (slug = 'site-header'): Promise<string | undefined> => {
    const agent = await console_.api.as('alice')
    const { body } = await agent.get(`${BASE}/frames/${slug}`)
    return body.frame?.html
  }
  const save = async (page: Page) => {
    await page.getByRole('button', { name: 'Save...' }).click()
    const dialog = page.getByRole('dialog', { name: /^Save/ })
    await dialog.getByRole('button', { name: 'Save', exact: true }).click()
    // What was said of an earlier one is still shown.
    await dialog.waitFor({ state: 'detached' })
    await page.getByText(/^Stored/).waitFor()
  }

  it('shows the page before and after, then what saving changes, then stores it, in a narrow window', async () => {
    await page.setViewportSize({ width: 360, height: 900 })
    await console_.show(page, EDITOR)
    const shown = page.frameLocator('iframe')
    // A narrow window shows one of the panes.
    await shown.locator('header').first().waitFor({ state: 'attached' })
    await typeMarkup(page, withLine(2, '<p>zwei</p> <!-- svc/oven /-->'))
    await shown.getByText('zwei').waitFor({ state: 'attached' })
    const problems = page.getByRole('region', { name: 'Problems' })
    await problems.getByRole('heading', { name: '1 error' }).waitFor()
    expect(await problems.getByRole('listitem').allTextContents()).toEqual([
      expect.stringContaining('svc/oven'),
    ])
    await problems.getByRole('button').focus()
    await page.keyboard.press('Enter')
    await page.getByRole('textbox', { name: 'Markup of site-header' }).waitFor()
    await eventually(async () => expect(await page.evaluate(LINE_AT_CURSOR)).toContain('zwei'))
    await page.keyboard.press('F2')
    await page.getByText('Page', { exact: true }).click()
    await shown.getByText('two').waitFor()
    expect(await shown.getByText('zwei').count()).toBe(0)
    expect(await page.getByRole('radio', { name: 'Before' }).isChecked()).toBe(true)
    await page.keyboard.press('F2')
    await shown.getByText('zwei').waitFor()
    await page.getByRole('button', { name: 'Save...' }).click()
    const dialog = page.getByRole('dialog', { name: 'Save site-header' })
    await dialog.locator('.diff').waitFor()
    expect(await dialog.locator('.diff-removed').allTextContents()).toEqual(['-<p>two</p>'])
    expect(await dialog.getByLabel('Problems').innerText()).toContain('svc/oven')
    expect(await dialog.locator('h3', { hasText: /^(Frames|Pages)/ }).allTextContents()).toEqual([
      'Frames 2',
      'Pages 9',
    ])
    await expectAccessible(page)
    expect(await stored()).toBe(STORED)
    await dialog.getByText('1 error').waitFor()
    expect(await dialog.getByRole('button', { name: 'Save', exact: true }).count()).toBe(0)
    await dialog.getByRole('button', { name: 'Save anyway' }).click()
    await page.getByText('Stored, and everything is built').waitFor()
    expect(await stored()).toBe(withLine(2, '<p>zwei</p> <!-- svc/oven /-->'))
    await page.getByText('as stored').waitFor()
    expect(await page.evaluate('Object.keys(sessionStorage).length')).toBe(0)
    await expectAccessible(page)
    await page.setViewportSize({ width: 1200, height: 900 })
  })

  it('merges two changes of different lines, and both survive', async () => {
    const theirs = await console_.openAs('admin', EDITOR)
    await console_.show(page, EDITOR)
    await typeMarkup(page, withLine(1, '<p>eins</p>'))
    await typeMarkup(theirs, withLine(4, '<p>vier</p>'))
    await save(theirs)
    await page.getByRole('button', { name: 'Save...' }).click()
    await page.getByText(/do not touch the same lines/).waitFor()
    const added = (name: string) =>
      page.getByRole('region', { name, exact: true }).locator('.diff-added')
    expect(await added('Their change').allTextContents()).toEqual(['+<p>vier</p>'])
    expect(await added('Your change').allTextContents()).toEqual(['+<p>eins</p>'])
    await expectAccessible(page)
    expect(await stored()).toBe(withLine(4, '<p>vier</p>'))
    await page.getByRole('button', { name: 'Use the merged text' }).click()
    await save(page)
    expect(await stored()).toBe(withLine(1, '<p>eins</p>', LINES.with(4, '<p>vier</p>')))
  })

  it('keeps line ends', async () => {
    await shop.frame('site-header', '<header>\r\n<p>one</p>\r\n</header>')
    await console_.show(page, EDITOR)
    await typeMarkup(page, '<header>\n<p>eins</p>\n</header>')
    await save(page)
    expect(await stored()).toBe('<header>\r\n<p>eins</p>\r\n</header>')
  })

  it('creates a frame again that was deleted meanwhile', async () => {
    await shop.frame('passing', '<p>old</p>')
    await console_.show(page, '/sites/2/frames/passing')
    await typeMarkup(page, '<p>new</p>')
    await shop.removeFrame('passing')
    await page.getByRole('button', { name: 'Save...' }).click()
    await page.getByText('There is no frame passing any more').waitFor()
    await save(page)
    expect(await stored('passing')).toBe('<p>new</p>')
  })

  it('asks with Ctrl+S, stores with a second one unless the markup has errors', async () => {
    await console_.show(page, EDITOR)
    await typeMarkup(page, withLine(3, '<p>drei</p>'))
    await page.keyboard.press('Control+s')
    await page.getByRole('dialog').locator('.diff').waitFor()
    expect(await stored()).toBe(STORED)
    await page.keyboard.press('Control+s')
    await page.getByText('Stored, and everything is built').waitFor()
    expect(await stored()).toBe(withLine(3, '<p>drei</p>'))
    await typeMarkup(page, '<!-- svc/oven /-->')
    await page.keyboard.press('Control+s')
    await page.getByRole('dialog').getByRole('button', { name: 'Save anyway' }).waitFor()
    await page.keyboard.press('Control+s')
    await page.keyboard.press('Escape')
    expect(await stored()).toBe(withLine(3, '<p>drei</p>'))
  })
})
