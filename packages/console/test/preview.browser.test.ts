import { describe, expect, it } from 'vitest'
import type { Page } from '../../../test/packages/playwright.ts'
import { expectAccessible, useConsole } from '../../../test/support/console.ts'
import { ARABIC_HOME, putPreviewedFrames } from '../../../test/support/console-frames.ts'
import { eventually } from '../../../test/support/eventually.ts'

const ELSEWHERE = 'http://elsewhere.test'

describe('the preview of the console', async () => {
  const console_ = await useConsole({
    expected: /inline|preview-frame|sandboxed|elsewhere\.test|ERR_FAILED/,
  })
  const shop = await putPreviewedFrames(console_)
  /** The tests share this tab, but for what is hostile. */
  const page = await console_.openAs('alice')

  const edit = async (page: Page, markup: string) => {
    await page.getByRole('textbox', { name: 'Markup of site-header' }).fill(markup)
    await page.keyboard.press('Control+Enter')
  }

  it('shows an unsaved change in Arabic, with everything that it would change, and stores nothing', async () => {
    await console_.show(page, '/sites/2/frames/site-header')
    const shown = page.frameLocator('iframe')
    await shown.getByRole('heading', { name: 'Home' }).waitFor()
    await page.getByLabel('Language').selectOption('ar')
    await shown.getByRole('heading', { name: 'الرئيسية' }).waitFor()
    await edit(page, '<header><p>مرحبا</p><b data-op-bind="page.nothing"></b></header>')
    await shown.getByText('مرحبا').waitFor()
    expect(await shown.locator('html').getAttribute('dir')).toBe('rtl')
    expect(await shown.locator('html').getAttribute('lang')).toBe('ar')
    await page.getByText('changed, not stored').waitFor()
    await page.getByRole('button', { name: '"page.nothing" names no value' }).waitFor()
    const change = page.locator('.panel', { hasText: 'What storing it would change' })
    expect(await change.locator('h3').allTextContents()).toEqual(['Frames 2', 'Pages 9'])
    const agent = await console_.api.as('alice')
    const { body } = await agent.get('/wp-json/svc/v1/site/2/frames/site-header').expect(200)
    expect(body.frame.html).not.toContain('مرحبا')
    await page.getByRole('link', { name: 'Menus' }).click()
    await page.getByRole('heading', { name: 'Menus' }).waitFor()
    await page.goBack()
    await page.getByText('changed, not stored').waitFor()
    await expectAccessible(page)
  })

  it('shows a frame that no page uses on any page', async () => {
    await shop.frame('lonely', '<main><h1>Lonely</h1></main>')
    await console_.show(page, '/sites/2/frames/lonely?page=3')
    await page.frameLocator('iframe').getByRole('heading', { name: 'Lonely' }).waitFor()
    await page.getByText('No page shows this frame').waitFor()
  })

  it('runs no script of a page, opens none of its links and sends none of its forms', async () => {
    const page = await console_.openAs(
      'alice',
      `/sites/2/frames/site-header?page=${ARABIC_HOME}&width=360`,
    )
    const shown = page.frameLocator('iframe')
    await shown.getByRole('heading').first().waitFor()
    const ran = "document.body.dataset.ran = 1; parent.postMessage(1, '*')"
    await edit(
      page,
      `<script>${ran}</script><img src="data:image/png,x" onerror="${ran}"><svg onload="${ran}"></svg>
      <iframe srcdoc="<script>${ran}</script>"></iframe><meta http-equiv="refresh" content="0;url=/elsewhere">
      <a id="script" href="javascript:${ran}">script</a> <a id="link" href="/elsewhere" target="_blank">link</a>
      <form action="/elsewhere"><button>send</button></form><p>hostile</p>`,
    )
    await shown.getByText('hostile').waitFor()
    await page.evaluate(
      'globalThis.messages = []; addEventListener("message", ({ data }) => messages.push(data))',
    )
    for (const target of ['#script', '#link', 'button']) await shown.locator(target).click()
    await page.waitForTimeout(500)
    expect(await shown.getByText('hostile').count()).toBe(1)
    expect(await shown.locator('[data-ran]').count()).toBe(0)
    expect(await page.evaluate('messages')).toEqual([])
    expect(page.context().pages()).toHaveLength(1)
    const frame = page.frames().find((one) => one.url().endsWith('preview-frame'))
    expect(await frame?.evaluate('origin')).toBe('null')
    await expect(frame?.evaluate('sessionStorage')).rejects.toThrow()
  })

  it('loads what shows, such as style sheets and images, and nothing that is only named', async () => {
    await console_.show(page, '/sites/2/frames/site-header')
    const named = ['prefetch', 'preload', 'prerender', 'modulepreload', 'icon', 'manifest']
    const links = named.map((rel) => `<link rel="${rel}" as="image" href="${ELSEWHERE}/${rel}">`)
    const loaded = () =>
      console_.faults.flatMap((fault) => fault.split(`request to ${ELSEWHERE}/`)[1] ?? [])
    for (const image of ['first', 'second']) {
      const shown = `<link rel="StyleSheet" href="${ELSEWHERE}/style"><img src="${ELSEWHERE}/${image}">`
      await edit(page, `${links.join('')}${shown}<p>${image}</p>`)
      await eventually(() => expect(loaded()).toContain(image))
    }
    expect([...new Set(loaded())].sort()).toEqual(['first', 'second', 'style'])
  })

  it('takes HTML only from the console', async () => {
    const page = await console_.open()
    await page.goto(`${console_.url}preview-frame`)
    await page.evaluate('postMessage({ html: "<p>taken</p>", baseUrl: "http://x.test/" }, "*")')
    await page.waitForTimeout(300)
    expect(await page.getByText('taken').count()).toBe(0)
  })
})
