import { describe, expect, it } from 'vitest'
import { expectAccessible, undo, useConsole } from '../../../test/support/console.ts'
import { putPreviewedFrames } from '../../../test/support/console-frames.ts'
import { eventually } from '../../../test/support/eventually.ts'
import type { ListedPage } from '../src/views/pages/visitors.ts'

const BASE = '/wp-json/svc/v1/site/2'

describe('pages in the console', async () => {
  const console_ = await useConsole()
  await putPreviewedFrames(console_)
  const page = await console_.openAs('alice')

  const framesOf = async (): Promise<Map<number, string | null>> => {
    const agent = await console_.api.as('alice')
    const { body } = await agent.get(`${BASE}/pages?limit=200`).expect(200)
    return new Map(
      body.pages.map(({ id, frame }: ListedPage) => [id, frame === null ? null : frame.slug]),
    )
  }

  it('assigns a frame to all pages without one, and undoes it', async () => {
    const before = await framesOf()
    const without = [...before.values()].filter((slug) => slug === null).length
    await console_.show(page, '/sites/2/pages')
    await page.getByLabel('Without a frame').check()
    await page.getByText(`${without} pages`).first().waitFor()
    await page.getByRole('button', { name: `Select all ${without}` }).click()
    await page.getByText(`${without} pages selected`).first().waitFor()
    await page.getByRole('button', { name: 'Assign a frame' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'page', exact: true }).click()
    await dialog.getByText(`${without} pages get their first frame`).waitFor()
    await dialog.getByLabel('Page to look at').selectOption({ label: 'Legal' })
    // A preview on a busy machine may be given up.
    await eventually(async () => {
      await dialog.getByRole('button', { name: 'Preview' }).click()
      const heading = dialog.frameLocator('iframe').getByRole('heading', { name: 'Legal' })
      await heading.waitFor({ timeout: 9000 })
    })
    await expectAccessible(page)
    expect(await framesOf()).toEqual(before)
    await dialog.getByRole('button', { name: 'Assign', exact: true }).click()
    await page.getByText(`page is assigned to ${without} pages.`).first().waitFor()
    await page.getByText('No page fits the filters.').waitFor()
    expect(new Set((await framesOf()).values())).toEqual(new Set(['page']))
    await undo(page)
    await page.getByText(`${without} pages`).first().waitFor()
    expect(await framesOf()).toEqual(before)
  })

  it('unassigns the frame of selected pages', async () => {
    const before = await framesOf()
    await page.setViewportSize({ width: 360, height: 900 })
    await console_.show(page, '/sites/2/pages?frame=page')
    await page.getByLabel('Select Home').check()
    await page.getByLabel('Select Team').check()
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Unassign the frame' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('Visitors could not open 2 pages any more').waitFor()
    await dialog.getByRole('button', { name: 'Unassign' }).click()
    await page.getByText('The frame of 2 pages is unassigned.').first().waitFor()
    const now = await framesOf()
    expect([...before].filter(([id, slug]) => now.get(id) !== slug)).toHaveLength(2)
    await undo(page)
    expect(await framesOf()).toEqual(before)
    await page.setViewportSize({ width: 1200, height: 900 })
  })

  it('lists the pages below one, and says why visitors cannot open a page', async () => {
    await console_.show(page, '/sites/2/pages')
    await page.getByLabel('Below').fill('about-us')
    await page.keyboard.press('Enter')
    await page.getByRole('link', { name: 'Legal' }).waitFor({ state: 'detached' })
    await page.getByRole('link', { name: 'Team' }).waitFor()
    await console_.show(page, '/sites/2/pages/13')
    await page
      .getByText(/^It has no frame\. WordPress serves it, or visitors cannot open it/)
      .waitFor()
    await expectAccessible(page)
    await console_.show(page, '/sites/2/pages/3')
    await page.getByRole('link', { name: 'Edit it with this page' }).waitFor()
  })
})
