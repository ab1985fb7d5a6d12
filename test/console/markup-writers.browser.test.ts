import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { expectAccessible, startConsole, type TestConsole } from '../support/console.ts'
import { typeMarkup } from '../support/console-editor.ts'
import { putDemoFrames } from '../support/console-frames.ts'

describe('a network where only super administrators write markup', () => {
  let console_: TestConsole
  beforeAll(async () => {
    console_ = await startConsole({ markupWriters: 'super-admins' })
    await putDemoFrames(console_.network)
  })
  afterAll(() => console_?.stop())

  it('says why a site administrator can neither preview nor save, and keeps the text', async () => {
    const page = await console_.openAs('alice', '/sites/2/frames/card/edit')
    await typeMarkup(page, '<p>mine</p>')
    await page.getByText('You may not write markup').waitFor()
    await page.getByText('Only super administrators may write markup in this network').waitFor()
    await page.getByRole('button', { name: 'Save...' }).click()
    const dialog = page.getByRole('dialog', { name: 'Save card' })
    await dialog.getByText('You may not write markup').waitFor()
    expect(await dialog.getByRole('button', { name: 'Save', exact: true }).isDisabled()).toBe(true)
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await page.getByText('changed, not stored').waitFor()
  })
})
