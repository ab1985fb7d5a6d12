import { describe, expect, it } from 'vitest'
import type { Page } from '../../../test/packages/playwright.ts'
import { issueTokenFor } from '../../../test/support/api.ts'
import { expectAccessible, useConsole } from '../../../test/support/console.ts'
import { putPreviewedFrames } from '../../../test/support/console-frames.ts'

describe('a site without frames in the console', async () => {
  const console_ = await useConsole({ expected: /sandboxed|preview-frame/ })
  await putPreviewedFrames(console_)

  const slugsOf = async (site: number): Promise<string[]> => {
    const agent = await console_.api.as('admin')
    const { body } = await agent.get(`/wp-json/svc/v1/site/${site}/frames`)
    return body.frames.map(({ slug }: { slug: string }) => slug).sort()
  }
  const save = async (page: Page): Promise<void> => {
    await page.getByRole('button', { name: /^Save \d+ frames\.\.\.$/ }).click()
    const dialog = page.getByRole('dialog', { name: /^Save/ })
    await dialog.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByText(/^Stored/).waitFor()
  }

  it('offers a layout, which is shown on a page of the site and then stored', async () => {
    const page = await console_.openAs('admin', '/sites/4', { width: 360 })
    await page.getByText('This site has no frames.').waitFor()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Show the layout' }).click()
    await page.frameLocator('iframe').locator('h1').waitFor()
    expect(await page.frameLocator('iframe').locator('header a').first().innerText()).toBe('brand')
    expect(await slugsOf(4)).toEqual([])
    await expectAccessible(page)
    await save(page)
    expect(await slugsOf(4)).toEqual(['page', 'site-footer', 'site-header'])
  })

  it("takes over another site's frames, which are shown on its own pages first", async () => {
    const page = await console_.openAs('admin', '/sites/3')
    await page.getByRole('combobox', { name: 'Site' }).selectOption('shop (4 frames)')
    await page.getByRole('button', { name: 'Show them on this site' }).click()
    await page.frameLocator('iframe').locator('h1').waitFor()
    expect(await slugsOf(3)).toEqual([])
    await save(page)
    expect(await slugsOf(3)).toEqual(['card', 'page', 'site-footer', 'site-header'])
  })

  it('offers nothing to a token that may only read', async () => {
    const page = await console_.open()
    await page.goto(`${console_.url}#/sites/1`)
    const token = await issueTokenFor(console_.network, 'admin', {
      limits: { scope: 'read', sites: null },
    })
    await page.getByLabel('API token').fill(token)
    await page.keyboard.press('Enter')
    await page.getByText('This site has no frames.').waitFor()
    expect(await page.getByRole('button', { name: 'Show the layout' }).count()).toBe(0)
  })
})
