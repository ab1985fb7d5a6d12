import { beforeEach, describe, expect, it } from 'vitest'
import { tokensTable } from '../../../src/record/auth/tokens.ts'
import { findUserByLogin } from '../../../src/wordpress/users/users.ts'
import type { Page } from '../../../test/packages/playwright.ts'
import { issueTokenFor } from '../../../test/support/api.ts'
import { expectAccessible, signIn, useConsole } from '../../../test/support/console.ts'
import { markupIn, typeMarkup } from '../../../test/support/console-editor.ts'
import { putPreviewedFrames } from '../../../test/support/console-frames.ts'

const EDITOR = '/sites/2/frames/card'
const STORED = '<article><p>one</p>\n<p>two</p></article>'
const DRAFT = '<article><p>one</p>\n<p>draft</p></article>'

describe('unsaved text in the console', async () => {
  const console_ = await useConsole({ expected: /preview-frame|sandboxed/ })
  const shop = await putPreviewedFrames(console_)
  beforeEach(() => shop.frame('card', STORED))

  /** A tab with a draft. A reload is confirmed. */
  const openDraft = async (token?: string): Promise<Page> => {
    const page = await console_.open()
    page.removeAllListeners('dialog')
    page.on('dialog', (dialog) => dialog.accept())
    await page.goto(`${console_.url}#${EDITOR}`)
    await signIn(page, token ?? (await console_.api.token('alice')))
    await page.frameLocator('iframe').getByText('one').first().waitFor()
    await typeMarkup(page, DRAFT)
    await page.getByText('changed, not stored').waitFor()
    return page
  }
  const storedDrafts = (page: Page): Promise<unknown> =>
    page.evaluate('Object.keys(sessionStorage).filter((key) => key.includes(" draft ")).length')

  await shop.frame('card', STORED)
  const tab = await openDraft()

  it('survives a reload, and is out of the editor when the bar says that it is dropped', async () => {
    const page = tab
    await console_.reloadAs('alice', page)
    await page.getByText('changed, not stored').waitFor()
    expect(await markupIn(page)).toBe(DRAFT)
    // The observer runs before the browser renders a frame.
    await page.evaluate(`
      new MutationObserver(() => {
        if (document.querySelector('.bench-bar')?.textContent.includes('as stored'))
          globalThis.seen ??= document.querySelector('.editor').shadowRoot.textContent
      }).observe(document.body, { subtree: true, childList: true, characterData: true })`)
    await page.getByRole('button', { name: 'Discard' }).click()
    await page.getByText('as stored').waitFor()
    expect(await page.evaluate('globalThis.seen')).toContain('<p>two</p>')
    expect(await markupIn(page)).toBe(STORED)
    expect(await storedDrafts(page)).toBe(0)
  })

  it('survives an expired token, and another user does not see it', async () => {
    const { network } = console_
    const token = await issueTokenFor(network, 'alice', { label: 'short' })
    const page = await openDraft(token)
    // The preview is the last request before the token expires.
    await page.frameLocator('iframe').getByText('draft').first().waitFor()
    const owner = await findUserByLogin(network.db, network.globals, 'alice')
    await network.db
      .sql(tokensTable(network.globals))
      .where({ user_id: owner?.id, label: 'short' })
      .update({ expires_at: '2026-01-01 00:00:00' })
    const refusal = page.getByText('The token is no longer valid').waitFor()
    // A read of the console itself may learn it first.
    await Promise.race([page.getByRole('button', { name: 'Save...' }).click(), refusal])
    await refusal
    await signIn(page, await console_.api.token('admin'))
    await page.getByText('as stored').waitFor()
    expect(await markupIn(page)).toBe(STORED)
    await page.getByRole('button', { name: 'Sign out' }).click()
    await signIn(page, await console_.api.token('alice'))
    await page.getByText('changed, not stored').waitFor()
    expect(await markupIn(page)).toBe(DRAFT)
  })

  it('says when the tab has no room for it', async () => {
    const page = tab
    await console_.show(page, EDITOR)
    await page.evaluate(`
      for (let size = 4_000_000; size > 10; )
        try { sessionStorage.setItem('other ' + sessionStorage.length, 'x'.repeat(size)) } catch { size /= 2 }`)
    await typeMarkup(page, `${DRAFT}${'more '.repeat(100)}`)
    await page.getByText('A reload would lose this text').waitFor()
    await expectAccessible(page)
    await page.evaluate(
      'for (const key of Object.keys(sessionStorage)) if (key.startsWith("other")) sessionStorage.removeItem(key)',
    )
    await typeMarkup(page, DRAFT)
    await page.getByText('A reload would lose this text').waitFor({ state: 'detached' })
  })
})
