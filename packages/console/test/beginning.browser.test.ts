import { describe, expect, it } from 'vitest'
import { expectAccessible, useConsole } from '../../../test/support/console.ts'
import { typeMarkup } from '../../../test/support/console-editor.ts'
import { putPreviewedFrames } from '../../../test/support/console-frames.ts'

describe('a network in the console where only super administrators write markup', async () => {
  const console_ = await useConsole({
    markupWriters: 'super-admins',
    expected: /sandboxed|preview-frame/,
  })
  await putPreviewedFrames(console_)
  const page = await console_.openAs('admin')

  const slugsOf = async (site: number): Promise<string[]> => {
    const agent = await console_.api.as('admin')
    const { body } = await agent.get(`/wp-json/svc/v1/site/${site}/frames`)
    return body.frames.map(({ slug }: { slug: string }) => slug).sort()
  }
  const save = async (): Promise<void> => {
    await page.getByRole('button', { name: /^Save \d+ frames\.\.\.$/ }).click()
    const dialog = page.getByRole('dialog', { name: /^Save/ })
    await dialog.getByRole('button', { name: 'Save', exact: true }).click()
    await dialog.waitFor({ state: 'detached' })
    await page.getByText(/^Stored/).waitFor()
  }

  it('offers a layout on a site without frames, which is shown on a page of it and then stored', async () => {
    await page.setViewportSize({ width: 360, height: 900 })
    await console_.show(page, '/sites/4')
    await page.getByText('This site has no frames.').waitFor()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Show the layout' }).click()
    await page.frameLocator('iframe').locator('h1').waitFor()
    expect(await page.frameLocator('iframe').locator('header a').first().innerText()).toBe('brand')
    expect(await slugsOf(4)).toEqual([])
    await expectAccessible(page)
    await save()
    expect(await slugsOf(4)).toEqual(['page', 'site-footer', 'site-header'])
    await page.setViewportSize({ width: 1200, height: 900 })
  })

  it("takes over another site's frames, which are shown on its own pages first", async () => {
    await console_.show(page, '/sites/3')
    await page.getByRole('combobox', { name: 'Site' }).selectOption('shop (4 frames)')
    await page.getByRole('button', { name: 'Show them on this site' }).click()
    await page.frameLocator('iframe').locator('h1').waitFor()
    expect(await slugsOf(3)).toEqual([])
    await save()
    expect(await slugsOf(3)).toEqual(['card', 'page', 'site-footer', 'site-header'])
  })

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
