import { describe, expect, it } from 'vitest'
import type { Page } from '../../../test/packages/playwright.ts'
import { useConsole } from '../../../test/support/console.ts'
import { typeMarkup } from '../../../test/support/console-editor.ts'
import { putPreviewedFrames } from '../../../test/support/console-frames.ts'
import { eventually } from '../../../test/support/eventually.ts'
import { focused, listenTo } from '../../../test/support/spoken.ts'

describe('the console with a screen reader', async () => {
  const console_ = await useConsole()
  await putPreviewedFrames(console_)
  const page = await console_.openAs('alice')

  /** Waits until all of these were said; their order depends on the API. */
  const hear = async (said: () => Promise<readonly string[]>, ...wanted: (string | RegExp)[]) => {
    const spoken: string[] = []
    await eventually(async () => {
      spoken.push(...(await said()))
      expect(spoken).toEqual(
        expect.arrayContaining(
          wanted.map((text) => (typeof text === 'string' ? text : expect.stringMatching(text))),
        ),
      )
    })
    return spoken
  }
  const expectFocus = (page: Page, element: string) =>
    eventually(async () => expect(await focused(page)).toBe(element))
  const showEditor = async () => {
    await console_.show(page, '/sites/2/frames/site-header')
    await page.frameLocator('iframe').locator('header').first().waitFor()
  }

  it('begins a search in its field, and says how many results there are before it is closed', async () => {
    await console_.show(page, '/sites/2')
    await page.getByRole('heading', { level: 1 }).waitFor()
    const said = await listenTo(page)
    await page.keyboard.press('Control+K')
    const field = page.getByRole('combobox', { name: 'Go to' })
    await page.getByRole('option').first().waitFor()
    // A reader would read the active option instead of the field.
    expect(await field.getAttribute('aria-activedescendant')).toBeNull()
    await page.keyboard.type('site-header')
    await hear(said, '1 result')
    await eventually(async () =>
      expect(await field.getAttribute('aria-activedescendant')).not.toBeNull(),
    )
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect(await page.getByText('1 result').count()).toBe(0)
  })

  it('says which side of the preview is shown, each time', async () => {
    await showEditor()
    const said = await listenTo(page)
    for (let times = 0; times < 2; times += 1)
      for (const text of ['The page before: Home is shown.', 'Preview: Home is shown.']) {
        await page.keyboard.press('F2')
        await hear(said, text)
      }
    await page.getByRole('button', { name: 'Preview' }).click()
    await hear(said, 'Preview: Home is shown.')
  })

  it('begins a dialog with its title, says when the dry run is shown, and what was stored', async () => {
    await showEditor()
    const said = await listenTo(page)
    await typeMarkup(page, '<header>spoken</header>')
    await page.getByRole('button', { name: 'Save...' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.waitFor()
    await expectFocus(page, 'h2: Save site-header')
    await hear(said, 'What it would do is shown.')
    await dialog.getByRole('button', { name: 'Save', exact: true }).click()
    await hear(said, 'site-header saved.', 'Preview: Home is shown.')
    // The button that opened the dialog cannot be used any more.
    await expectFocus(page, 'h1: site-header')
    await page.getByRole('button', { name: 'Undo', exact: true }).click()
    await dialog.getByRole('button', { name: 'Undo', exact: true }).click()
    await hear(said, 'Undone: 1 thing.')
  })

  it('says how many pages are selected', async () => {
    // In a tab of its own, in which nothing was said before.
    const page = await console_.openAs('alice', '/sites/2/pages')
    await page.getByLabel('Select Home').waitFor()
    const said = await listenTo(page)
    await page.getByLabel('Select Home').press('Space')
    await hear(said, '1 page selected')
    await page.getByLabel('Select Team').press('Space')
    await hear(said, '2 pages selected')
    const ofView = page.locator('#console > .visually-hidden[role=status]')
    await eventually(async () => expect(await ofView.innerText()).toBe('21 pages'))
    await page.keyboard.press('Control+K')
    await page.getByRole('option').first().waitFor()
    // It would be spoken again when the dialog is closed.
    await eventually(async () => expect(await ofView.innerText()).toBe(''))
  })

  it('names the keys of the tree of a menu', async () => {
    await console_.show(page, '/sites/2/menus/23')
    const id = await page.getByRole('tree').first().getAttribute('aria-describedby')
    expect(await page.locator(`[id="${id}"]`).innerText()).toContain('Alt with an arrow')
  })

  it('moves an item of a menu and says where it is, and what was stored', async () => {
    await console_.show(page, '/sites/2/menus/23')
    const item = page.getByRole('treeitem').nth(1)
    await item.click()
    const said = await listenTo(page)
    await page.keyboard.press('Alt+ArrowUp')
    await hear(said, /1 of \d/)
    await page.keyboard.press('Control+s')
    await hear(said, 'What it would do is shown.')
    await page.keyboard.press('Control+s')
    await hear(said, /Main menu .*(saved|stored)/)
  })

  it('renames with the keys: says the slug, what it would do, and the new name', async () => {
    await console_.show(page, '/sites/2/frames/card')
    await page.getByRole('button', { name: 'Rename' }).focus()
    await page.keyboard.press('Enter')
    const said = await listenTo(page)
    await page.keyboard.press('Control+a')
    await page.keyboard.type('Spoken card')
    await hear(said, 'What it would do is shown.')
    await page.keyboard.press('Enter')
    await hear(said, 'card is renamed to spoken-card.')
    await expectFocus(page, 'h1: spoken-card')
  })

  it('says that a token is issued while it is shown', async () => {
    const page = await console_.openAs('admin', '/network?as=tokens')
    const said = await listenTo(page)
    await page.getByRole('button', { name: 'Issue a token' }).click()
    await page.getByLabel('User').fill('alice')
    await page.keyboard.press('Enter')
    await page.getByRole('dialog', { name: 'The new token' }).waitFor()
    await hear(said, 'The token is issued.')
    await expectFocus(page, 'h2: The new token')
    await page.getByRole('button', { name: 'Done' }).click()
    await expectFocus(page, 'button: Issue a token')
  })
})
