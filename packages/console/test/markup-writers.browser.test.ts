import { describe, expect, it } from 'vitest'
import { expectAccessible, useConsole } from '../../../test/support/console.ts'
import { typeMarkup } from '../../../test/support/console-editor.ts'
import { putDemoFrames } from '../../../test/support/console-frames.ts'

describe('a network where only super administrators write markup', async () => {
  const console_ = await useConsole({ markupWriters: 'super-admins' })
  await putDemoFrames(console_.network)

  it('says why a site administrator can neither preview nor save, and keeps the text', async () => {
    const page = await console_.openAs('alice', '/sites/2/frames/card')
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
