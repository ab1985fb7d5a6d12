import { describe, expect, it } from 'vitest'
import { expectAccessible, useConsole } from '../../../test/support/console.ts'
import { markupIn, typeMarkup } from '../../../test/support/console-editor.ts'
import { putPreviewedFrames } from '../../../test/support/console-frames.ts'

const BASE = '/wp-json/svc/v1/site/2'
const HOSTILE =
  '<p><img src="data:image/png,x" onerror=alert(1)> </textarea><script>alert(1)</script></p>'

describe('new, deleted and several frames in the console', async () => {
  const console_ = await useConsole({ expected: /inline|Blocked script|preview-frame|sandboxed/ })
  const shop = await putPreviewedFrames(console_)
  /** The tests share this tab. */
  const page = await console_.openAs('alice')

  const stored = async (slug: string): Promise<string | undefined> => {
    const agent = await console_.api.as('alice')
    const { body } = await agent.get(`${BASE}/frames/${slug}`)
    return body.frame?.html
  }
  const save = async () => {
    await page.getByRole('button', { name: /^Save.*\.\.\.$/ }).click()
    const dialog = page.getByRole('dialog', { name: /^Save/ })
    await dialog.getByRole('button', { name: 'Save', exact: true }).click()
    // What was said of an earlier one is still shown.
    await dialog.waitFor({ state: 'detached' })
    await page.getByText(/^Stored/).waitFor()
  }

  it('creates a frame: names it while somebody types, then shows it within a page, then stores it', async () => {
    await page.setViewportSize({ width: 360, height: 900 })
    await console_.show(page, '/sites/2')
    await page.getByRole('button', { name: 'New frame' }).click()
    const dialog = page.getByRole('dialog', { name: 'New frame' })
    for (const [name, said] of [
      ['My Promo Banner!', 'In markup: my-promo-banner'],
      ['Été', 'In markup: ete'],
      ['card__title--Large', 'In markup: card__title--large'],
      ['"><img src=x onerror=alert(1)>', 'In markup: img-src-x-onerror-alert-1'],
      ['بانر', 'Letters from a to z'],
      ['card', 'This name is taken'],
    ] as const) {
      await dialog.getByLabel('Name').fill(name)
      await dialog.getByText(said).waitFor()
    }
    expect(await dialog.getByRole('button', { name: 'Continue' }).isDisabled()).toBe(true)
    await expectAccessible(page)
    await dialog.getByLabel('Name').fill('Promo')
    await dialog.getByRole('button', { name: 'Continue', disabled: false }).waitFor()
    await page.keyboard.press('Enter')
    await page.getByText('new, not stored').waitFor()
    await typeMarkup(page, HOSTILE)
    await page.frameLocator('iframe').locator('p > img').waitFor({ state: 'attached' })
    // The page that carries the preview does not change.
    const change = page.locator('section', { hasText: 'What storing it would change' })
    await change.getByText('No page shows it yet.').waitFor()
    expect(await stored('promo')).toBeUndefined()
    await save()
    await page.getByText('Stored, and everything is built.').waitFor()
    expect(await stored('promo')).toBe(HOSTILE)
    await page.getByRole('button', { name: 'Undo', exact: true }).click()
    const undo = page.getByRole('dialog', { name: 'Undo this' })
    await undo.getByText('deleted').waitFor()
    await undo.getByRole('button', { name: 'Undo', exact: true }).click()
    await page.getByRole('heading', { name: 'Frames', level: 1 }).waitFor()
    expect(await stored('promo')).toBeUndefined()
    await page.setViewportSize({ width: 1200, height: 900 })
  })

  it('duplicates a frame, and does not overwrite one that was created meanwhile', async () => {
    await console_.show(page, '/sites/2/frames/card')
    await page.getByRole('button', { name: 'Duplicate' }).click()
    await page.getByLabel('Name').fill('card--wide')
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByText('new, not stored').waitFor()
    const copy = await stored('card')
    expect(await markupIn(page)).toBe(copy)
    await shop.frame('card--wide', '<p>theirs</p>')
    await page.getByRole('button', { name: 'Save...' }).click()
    await page.getByText(/changed by both/).waitFor()
    expect(await stored('card--wide')).toBe('<p>theirs</p>')
    await page.getByRole('radio', { name: 'Both, theirs first' }).check()
    await page.getByRole('button', { name: 'Use the merged text' }).click()
    await save()
    expect(await stored('card--wide')).toBe(`<p>theirs</p>\n${copy}`)
  })

  it('shows what a deletion breaks, then deletes', async () => {
    await shop.frame('banner', '<p>banner</p>')
    await shop.frame('holder', '<!-- svc/frame {"name":"banner"} /-->')
    const jobs = 12
    await shop.assign('banner', [jobs])
    await console_.show(page, '/sites/2/frames/banner')
    await page.getByRole('button', { name: 'Delete' }).click()
    const dialog = page.getByRole('dialog', { name: 'Delete banner' })
    await dialog.getByText('Pages that visitors cannot open afterwards').waitFor()
    await dialog.getByRole('link', { name: /^Jobs/ }).waitFor()
    await dialog.getByRole('link', { name: 'holder' }).waitFor()
    await expectAccessible(page)
    expect(await stored('banner')).toBe('<p>banner</p>')
    await shop.frame('banner', '<p>changed meanwhile</p>')
    await dialog.getByRole('button', { name: 'Delete' }).click()
    await dialog.getByText('has changed since you read it').waitFor()
    expect(await stored('banner')).toBe('<p>changed meanwhile</p>')
    await page.keyboard.press('Escape')
    await console_.show(page, '/sites/2/frames/banner')
    await page.getByRole('button', { name: 'Delete' }).click()
    await dialog.getByRole('link', { name: /^Jobs/ }).waitFor()
    await dialog.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('heading', { name: 'Frames', level: 1 }).waitFor()
    expect(await stored('banner')).toBeUndefined()
  })

  it('previews and stores several frames together, all or none', async () => {
    await console_.show(page, '/sites/2/frames/site-header')
    await page.getByText('as stored').waitFor()
    const header = (await stored('site-header')) ?? ''
    await typeMarkup(page, '<header><p>together one</p></header>')
    await page.getByText('changed, not stored').waitFor()
    await console_.show(page, '/sites/2/frames/site-footer')
    await page.getByText('as stored').waitFor()
    await typeMarkup(page, '<footer><p>together two</p></footer>')
    await page.getByRole('link', { name: '1 other frame with unsaved text' }).click()
    const shown = page.frameLocator('iframe')
    await shown.getByText('together one').waitFor()
    await shown.getByText('together two').waitFor()
    await page.keyboard.press('F2')
    await shown.getByText('together one').waitFor({ state: 'detached' })
    await expectAccessible(page)
    await shop.frame('site-footer', '<footer><p>theirs</p></footer>')
    await page.getByRole('button', { name: 'Save 2 frames...' }).click()
    await page.getByText('Somebody has changed or deleted site-footer').waitFor()
    expect(await stored('site-header')).toBe(header)
    await page.getByRole('link', { name: 'Compare and merge' }).click()
    await page.getByRole('radio', { name: 'Yours' }).check()
    await page.getByRole('button', { name: 'Use the merged text' }).click()
    await page.getByRole('link', { name: '1 other frame with unsaved text' }).click()
    await save()
    await page.getByText('No frame has unsaved text.').waitFor()
    expect(await stored('site-header')).toBe('<header><p>together one</p></header>')
    expect(await stored('site-footer')).toBe('<footer><p>together two</p></footer>')
    await page.getByRole('button', { name: 'Undo', exact: true }).click()
    const undo = page.getByRole('dialog', { name: 'Undo this' })
    await undo.locator('.diff').nth(1).waitFor()
    await undo.getByRole('button', { name: 'Undo', exact: true }).click()
    await undo.waitFor({ state: 'detached' })
    expect(await stored('site-header')).toBe(header)
    expect(await stored('site-footer')).toBe('<footer><p>theirs</p></footer>')
  })
})
