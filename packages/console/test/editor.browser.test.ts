import { describe, expect, it } from 'vitest'
import type { Page } from '../../../test/packages/playwright.ts'
import { expectAccessible, useConsole } from '../../../test/support/console.ts'
import { markupIn } from '../../../test/support/console-editor.ts'
import { putDemoFrames } from '../../../test/support/console-frames.ts'
import { eventually } from '../../../test/support/eventually.ts'

describe('the editor of the console', async () => {
  // Its policy allows no inline style, and browsers write some into what is edited.
  const console_ = await useConsole()
  const shop = await putDemoFrames(console_.network)
  await shop.setOption('svc_data_news', '[]')
  await shop.frame('styled', '<p class="lead lead--large"></p>')

  const boxOf = (page: Page, slug: string) =>
    page.getByRole('textbox', { name: `Markup of ${slug}` })

  const shared = await console_.openAs('alice')
  /** Markup that the editor empties: no frame is stored empty. */
  const EMPTIED = '<br>'
  /** Opens a frame in the editor, which has the focus. Without options all tests share a tab. */
  const open = async (slug: string, html: string, options?: object): Promise<Page> => {
    await shop.frame(slug, html || EMPTIED)
    const page = options ? await console_.openAs('alice', '/', options) : shared
    await page.unrouteAll()
    await console_.show(page, `/sites/2/frames/${slug}`)
    await boxOf(page, slug).click()
    if (html === '') {
      await page.keyboard.press('Control+a')
      await page.keyboard.press('Delete')
    }
    await page.keyboard.press('Control+End')
    return page
  }
  /**
   * Types a text, and clicks the completion that it has selected by then, which begins like this. No keys choose it: a list that is replaced just then
   * leaves them to the text, and an arrow moves the cursor away.
   */
  const complete = async (page: Page, typed: string, label: string) => {
    await page.keyboard.type(typed)
    const option = page
      .locator('.cm-tooltip-autocomplete [role=option][aria-selected=true]')
      .filter({ hasText: label })
    await option.click()
    await option.waitFor({ state: 'detached' })
  }

  it('completes an insert: its kind, keys and values', async () => {
    const page = await open('by-keys', '')
    await page.keyboard.type('<!-- svc/m')
    await page.locator('.cm-completionInfo').getByText('A navigation menu. Prints').waitFor()
    await complete(page, 'e', 'svc/menu')
    await complete(page, 'foot', 'footer_1')
    expect(await markupIn(page)).toBe('<!-- svc/menu {"location":"footer_1"} /-->')
    await complete(page, ',"de', 'depth')
    await page.keyboard.type('1')
    await complete(page, ',"cur', 'current')
    await complete(page, 't', 'true')
    expect(await markupIn(page)).toBe(
      '<!-- svc/menu {"location":"footer_1","depth":1,"current":true} /-->',
    )
  })

  it('completes frames, also those that only a search finds', async () => {
    for (let at = 0; at < 60; at += 1) await shop.frame(`part-${at}`, '<br>')
    const page = await open('with-frames', '')
    await complete(page, '<!-- svc/fra', 'svc/frame')
    await complete(page, 'part-59', 'part-59')
    expect(await markupIn(page)).toBe('<!-- svc/frame {"name":"part-59"} /-->')
  })

  it('completes binds, data sets, classes, menus and languages', async () => {
    const page = await open('with-binds', '')
    await complete(page, '<p data-op-bind="site.tit', 'site.title')
    await complete(page, '; hr', 'href:')
    await complete(page, 'dataset.n', 'dataset.news')
    await page.keyboard.press('Escape')
    await page.keyboard.press('ArrowRight')
    await complete(page, ' class="lead--', 'lead--large')
    expect(await markupIn(page)).toContain(
      '<p data-op-bind="site.title; href:dataset.news" class="lead--large"',
    )
    await page.keyboard.press('Control+End')
    await complete(page, '><!-- svc/menu {"menu":"main', 'main-menu')
    await complete(page, ',"lang":"a', 'ar')
    expect(await markupIn(page)).toContain('{"menu":"main-menu","lang":"ar"')
  })

  it('marks problems while somebody types, with their line, and reads them with F8', async () => {
    const page = await open('wrong', '<p>مرحبا</p>\n<p>fine</p>')
    await page.keyboard.type('\n😀<!-- svc/meny /--><b data-op-bind="site.titel">x</b>')
    await page.keyboard.press('Escape')
    const problems = page.getByRole('region', { name: 'Problems' })
    await problems.getByRole('heading', { name: '2 errors' }).waitFor()
    expect(await page.locator('.cm-lintRange-error').allTextContents()).toEqual([
      '<!-- svc/meny /-->',
      '<b data-op-bind="site.titel">',
    ])
    await page.keyboard.press('Control+Home')
    // What is read is removed after a moment.
    await page.evaluate(`(() => {
      globalThis.announcements = []
      const announced = document.querySelector('.editor').shadowRoot.querySelector('.cm-announced')
      const note = () => announcements.push(announced.textContent)
      new MutationObserver(note).observe(announced, { childList: true })
    })()`)
    await page.keyboard.press('F8')
    await problems.locator('[aria-current]').getByText('Unknown insert svc/meny').waitFor()
    expect(await page.evaluate('announcements.join()')).toContain('Line 3: Unknown insert')
    await expectAccessible(page)
    await page.keyboard.press('Control+Shift+M')
    expect(await problems.evaluate('document.activeElement.ariaLabel')).toBe('Problems')
  })

  it('repairs a name, and goes to a problem, from the one list of problems', async () => {
    const page = await open('repaired', '')
    await page.keyboard.type('<p>x</p><!-- svc/meny {"location":"header"} /-->')
    const problems = page.getByRole('region', { name: 'Problems' })
    const { y } = (await problems.boundingBox()) ?? {}
    await problems.getByRole('button', { name: 'Use menu' }).click()
    await page.getByRole('heading', { name: 'No problems' }).waitFor()
    expect(await markupIn(page)).toContain('<!-- svc/menu {')
    // Nothing moves while somebody types.
    expect((await problems.boundingBox())?.y).toBe(y)
    await page.keyboard.press('Control+Home')
    await page.keyboard.type('<b data-op-bind="site.titel">x</b>')
    await problems.getByRole('button', { name: /site.titel/ }).click()
    await page.keyboard.type('here')
    expect(await markupIn(page)).toMatch(/^here<b/)
  })

  it('wraps long lines, fills the window, and remembers the width of the panes', async () => {
    const page = await open('wide', `<p>${'long '.repeat(200)}</p>`, {})
    await page.getByRole('button', { name: 'Wrap' }).click()
    await page.locator('.cm-lineWrapping').waitFor()
    await page.getByRole('button', { name: 'Full screen' }).click()
    expect((await page.locator('.bench').boundingBox())?.y).toBe(0)
    await page.getByRole('slider', { name: /Width of the editor/ }).press('ArrowLeft')
    await expectAccessible(page)
    await page.getByRole('button', { name: 'Full screen' }).click()
    await console_.reloadAs('alice', page)
    await page.locator('.cm-lineWrapping').waitFor()
    expect(await page.getByRole('slider').inputValue()).toBe('49')
  })

  it('marks what a write would refuse', async () => {
    const page = await open('refused', 'first\n')
    await page.keyboard.type('<!-- svc/frame {"name":"card","id":"page"} /-->')
    await page.getByRole('heading', { name: '1 error' }).waitFor()
    expect(await page.locator('.cm-lintRange-error').textContent()).toContain('"id":"page"')
  })

  it('shows no answer about a former text', async () => {
    const page = await open('late', '')
    let release = () => {}
    const released = new Promise<void>((resolve) => {
      release = resolve
    })
    let delayed = 0
    await page.route('**/frames/check', async (route) => {
      if (route.request().postData()?.includes('svc/late')) {
        delayed += 1
        await released
      }
      await route.continue().catch(() => {})
    })
    await page.keyboard.type('<!-- svc/late /-->')
    await eventually(() => Promise.resolve(expect(delayed).toBe(1)))
    await page.keyboard.press('Control+a')
    await page.keyboard.type('<!-- svc/now /-->')
    await page.getByRole('heading', { name: '1 error' }).waitFor()
    release()
    await page.waitForTimeout(300)
    expect(await page.locator('.cm-lintRange-error').allTextContents()).toEqual([
      '<!-- svc/now /-->',
    ])
  })

  it('says when the markup could not be checked, and keeps it, its cursor and what it can undo', async () => {
    const page = await open('without-connection', 'as it was')
    await page.route('**/frames/check', (route) => route.abort())
    await page.keyboard.type('!')
    await page.getByRole('heading', { name: 'Not checked' }).waitFor()
    await page.getByText('The service did not answer').waitFor()
    await page.getByText('No connection.').waitFor()
    await page.unrouteAll()
    await page.getByText('The service answers again.').waitFor({ state: 'attached' })
    await page.keyboard.type('?')
    expect(await markupIn(page)).toBe('as it was!?')
    await page.keyboard.press('Control+z')
    await page.keyboard.press('Control+z')
    await page.getByText('as stored').waitFor()
  })

  it('indents with Tab, and is left with Escape and Tab', async () => {
    const page = await open('left', 'x')
    await page.keyboard.press('Tab')
    expect(await markupIn(page)).toContain('  ')
    await page.keyboard.press('Escape')
    await page.keyboard.press('Tab')
    expect(await boxOf(page, 'left').evaluate('document.activeElement.className')).not.toBe(
      'editor',
    )
    const id = await boxOf(page, 'left').getAttribute('aria-describedby')
    expect(await page.locator(`#${id}`).textContent()).toContain('Escape, then Tab')
  })

  it('undoes, searches and folds', async () => {
    const page = await open('edited', '<ul>\n<li>one</li>\n</ul>')
    await page.keyboard.type('typed')
    await page.keyboard.press('Control+z')
    await page.getByText('as stored').waitFor()
    await page.keyboard.press('Control+f')
    await page.locator('.cm-search input:focus').first().waitFor()
    await page.keyboard.type('one')
    await page.keyboard.press('Enter')
    await page.locator('.cm-searchMatch').waitFor()
    await expectAccessible(page)
    await page.keyboard.press('Escape')
    await page.keyboard.press('Control+Home')
    await page.keyboard.press('Control+Shift+BracketLeft')
    await page.locator('.cm-foldPlaceholder').waitFor()
  })

  it.each([
    ['F12', (page: Page) => page.keyboard.press('F12')],
    [
      'a click',
      async (page: Page) => {
        const shown = page.locator('.cm-line').getByText('"card"')
        await shown.click({ modifiers: ['Control'] })
      },
    ],
  ])('opens the frame of an insert with %s, and keeps what is not stored', async (_, go) => {
    const page = await open('embedding', '<!-- svc/frame {"name":"card"} /-->')
    await page.keyboard.type('x')
    await page.keyboard.press('Home')
    for (let at = 0; at < 8; at += 1) await page.keyboard.press('ArrowRight')
    await go(page)
    await page.getByRole('heading', { name: 'card', level: 1 }).waitFor()
    await page.goBack()
    await page.getByText('changed, not stored').waitFor()
  })

  it('shows the reference with F1, beside the editor, and returns with Escape', async () => {
    const page = await open('helped', 'x')
    await page.keyboard.press('F1')
    const help = page.getByRole('complementary', { name: 'The markup language' })
    await help.getByRole('button', { name: 'svc/menu: a navigation menu' }).click()
    await help.getByRole('cell', { name: 'the theme location whose menu is printed' }).waitFor()
    await help.getByText('<section><!-- svc/frame {"name":"button"').waitFor()
    await expectAccessible(page)
    await page.setViewportSize({ width: 360, height: 740 })
    await expectAccessible(page)
    await page.setViewportSize({ width: 1200, height: 900 })
    await page.keyboard.press('Escape')
    await help.waitFor({ state: 'detached' })
    await page.keyboard.type('y')
    expect(await markupIn(page)).toContain('y')
  })

  it('works in a narrow window with Arabic text', async () => {
    const html = `<header class="lead">مرحبا <b data-op-bind="page.title">بالعالم</b> وداعا</header>
<!-- svc/repeat {"source":"pages","limit":2} --><i>x</i><!-- /svc/repeat --><!-- a comment -->
<style>a { color: red }</style><script>let a = 1</script>`
    const page = await open('narrow', html, { width: 360 })
    await page.locator('.cm-line').getByText('svc/repeat').first().waitFor()
    const expectAccessibleInBoth = async () => {
      for (const colorScheme of ['dark', 'light'] as const) {
        await page.emulateMedia({ colorScheme })
        await expectAccessible(page)
      }
    }
    await expectAccessibleInBoth()
    await page.keyboard.type('\n<!-- svc/')
    // The list of all elements, which is shown after `<`, scrolls with the arrow keys, and axe looks for a focus in it.
    await page.locator('.cm-tooltip-autocomplete').getByText('svc/menu').waitFor()
    await expectAccessibleInBoth()
  })
})
