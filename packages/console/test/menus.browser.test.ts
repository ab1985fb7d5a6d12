import { beforeEach, describe, expect, it } from 'vitest'
import type { Page } from '../../../test/packages/playwright.ts'
import { expectAccessible, undo, useConsole } from '../../../test/support/console.ts'
import { putPreviewedFrames } from '../../../test/support/console-frames.ts'
import { eventually } from '../../../test/support/eventually.ts'

const BASE = '/wp-json/svc/v1/site/2'

type Item = { id: number; parent: number; title: string; object_id: number; url: string }

describe('editing menus in the console', async () => {
  const console_ = await useConsole()
  let menu: number
  let ids: number[]
  let made = 0
  await putPreviewedFrames(console_)
  /** Tests share this tab if they reload nothing. */
  const page = await console_.openAs('alice')
  beforeEach(async () => {
    made += 1
    const { body } = await (await agent()).post(`${BASE}/menus`).send({
      name: `Edited ${made}`,
      items: [
        { url: '/one', title: 'One' },
        { url: '/two', title: 'Two' },
        { url: '/three', title: 'Three', children: [{ url: '/four', title: 'Four' }] },
      ],
    })
    menu = body.menu.id
    ids = body.items.map(({ id }: Item) => id)
  })

  const agent = () => console_.api.as('alice')
  const itemsOf = async (id = menu): Promise<Item[]> =>
    (await (await agent()).get(`${BASE}/menus/${id}`).expect(200)).body.items
  /** Titles of the items, each with that of its parent. */
  const shapeOf = async () => {
    const items = await itemsOf()
    const titles = new Map(items.map(({ id, title }) => [id, title]))
    return items.map(({ title, parent }) =>
      parent === 0 ? title : `${titles.get(parent)}/${title}`,
    )
  }
  const show = async (id = menu) => {
    await console_.show(page, `/sites/2/menus/${id}`)
    await page.getByRole('tree').waitFor()
  }
  const openTab = async () => {
    const tab = await console_.openAs('alice', `/sites/2/menus/${menu}`)
    await tab.getByRole('tree').waitFor()
    return tab
  }
  /** The browser asks before unsaved items are left. */
  const acceptLeaving = (page: Page, asked: string[] = []) => {
    page.removeAllListeners('dialog')
    page.on('dialog', async (dialog) => {
      asked.push(dialog.type())
      await dialog.accept()
    })
  }
  const expectSaid = (page: Page, text: string) =>
    eventually(async () => {
      const last = page.locator('.visually-hidden[role=status] p').last()
      expect(await last.innerText()).toBe(text)
    })
  /** Stores the tree. @returns the changes that the dialog shows first */
  const store = async (page: Page): Promise<string[]> => {
    await page.getByRole('button', { name: 'Save...' }).click()
    const dialog = page.getByRole('dialog')
    const button = dialog.getByRole('button', { name: 'Save' })
    // It can be clicked when the changes are known.
    await button.click({ trial: true, timeout: 20_000 })
    const changes = await dialog.getByRole('listitem').allInnerTexts()
    await button.click()
    await dialog.waitFor({ state: 'detached' })
    return changes
  }

  it('moves items with the keyboard, says where they are, and stores them with their ids and hidden values', async () => {
    const { db, site } = console_.network
    const { postmeta } = (await site(2)).tables
    const hidden = { post_id: ids[1], meta_key: '_menu_item_image', meta_value: '12' }
    await db.sql(postmeta).insert(hidden)
    await show()
    await page.getByRole('tree').focus()
    await page.keyboard.press('End')
    await page.keyboard.press('Home')
    await page.keyboard.press('ArrowDown')
    expect(await page.getByRole('treeitem', { selected: true }).innerText()).toContain('Two')
    await page.keyboard.press('Alt+ArrowDown')
    await expectSaid(page, 'Two, 3 of 3 at the top level.')
    await page.keyboard.press('Alt+ArrowRight')
    await expectSaid(page, 'Two, 2 of 2 below Three.')
    await page.keyboard.press('Alt+ArrowUp')
    await page.keyboard.press('Alt+ArrowUp')
    await expectSaid(page, 'Not moved. It is the first item of its level.')
    await page.keyboard.press('Control+z')
    await expectSaid(page, 'The last step is undone.')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Control+A')
    await page.keyboard.type('Second')
    await page.getByRole('treeitem', { name: /Second/ }).waitFor()
    expect(await shapeOf()).toEqual(['One', 'Two', 'Three', 'Three/Four'])
    await page.getByRole('button', { name: 'Save...' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('Second').first().waitFor()
    // It can be clicked when all of the dialog is there.
    await dialog.getByRole('button', { name: 'Save' }).click({ trial: true })
    await expectAccessible(page)
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByText(`Edited ${made} saved.`).first().waitFor()
    expect(await shapeOf()).toEqual(['One', 'Three', 'Three/Four', 'Three/Second'])
    expect((await itemsOf()).map(({ id }) => id).sort()).toEqual([...ids].sort())
    expect(await db.sql(postmeta).where(hidden)).toHaveLength(1)
    await undo(page)
    await page.getByRole('treeitem', { name: /Two/ }).waitFor()
    expect(await shapeOf()).toEqual(['One', 'Two', 'Three', 'Three/Four'])
    expect(await db.sql(postmeta).where(hidden)).toHaveLength(1)
  })

  it('moves an item by dragging, sideways too, and not after Escape', async () => {
    await show()
    const center = async (name: string) => {
      const box = await page.getByRole('treeitem', { name: new RegExp(name) }).boundingBox()
      if (!box) throw new Error(`no row ${name}`)
      return { x: box.x + 40, y: box.y + box.height / 2 }
    }
    const drag = async (from: string, to: string, { dx = 0, dy = 0 }) => {
      const [start, end] = [await center(from), await center(to)]
      await page.mouse.move(start.x, start.y)
      await page.mouse.down()
      await page.mouse.move(start.x + dx, end.y + dy, { steps: 8 })
    }
    await drag('One', 'Four', { dx: 45, dy: 20 })
    await page.keyboard.press('Escape')
    await page.mouse.up()
    expect(await page.getByText('changed, not stored').count()).toBe(0)
    await drag('One', 'Four', { dx: 45, dy: 20 })
    expect(await page.locator('.drop-line').count()).toBe(1)
    await page.mouse.up()
    await expectSaid(page, 'One, 1 of 1 below Four.')
    await drag('Two', 'Three', { dy: 20 })
    await page.mouse.up()
    await expectSaid(page, 'Two, 1 of 2 below Three.')
    await store(page)
    expect(await shapeOf()).toEqual(['Three', 'Three/Two', 'Three/Four', 'Four/One'])
  })

  it('adds what a search finds and custom links, changes all fields, and removes', async () => {
    await show()
    await page.getByRole('treeitem', { name: /One/ }).click()
    await page.getByRole('button', { name: /^Add: Team/ }).waitFor()
    await expectAccessible(page)
    await page.getByLabel('Search pages, terms and archives').last().fill('legal')
    await page.getByRole('button', { name: /^Add: Legal/ }).click()
    await page.getByLabel('Open in a new tab').check()
    await page.getByLabel('Title attribute').fill('Tip')
    await page.getByLabel('CSS classes').fill('wide tall')
    await page.getByLabel('Link relationship (XFN)').fill('nofollow')
    await page.getByLabel('Description').fill('About the law')
    await page.getByLabel('Address', { exact: true }).last().fill('https://example.com/')
    await page.getByLabel('Label of the link').last().fill('Elsewhere')
    await page.getByRole('button', { name: 'Add this link' }).click()
    await page.getByRole('treeitem', { name: /Two/ }).click()
    await page.keyboard.press('Delete')
    expect(await store(page)).toContain('added Legal')
    expect(await itemsOf()).toMatchObject([
      { title: 'One' },
      {
        title: '',
        type: 'post_type',
        object_id: 13,
        target: '_blank',
        attr_title: 'Tip',
        classes: 'wide tall',
        xfn: 'nofollow',
        description: 'About the law',
      },
      { title: 'Elsewhere', url: 'https://example.com/' },
      { title: 'Three' },
      { title: 'Four' },
    ])
    await page.getByRole('button', { name: 'Undo', exact: true }).click()
    await page.getByRole('dialog').getByText('removed Legal').waitFor()
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('link', { name: 'Show it in the history' }).click()
    await page
      .getByRole('link', { name: /menu Edited/ })
      .first()
      .click()
    await page.getByText('added Legal').waitFor()
  })

  it('keeps what is not stored over a reload, in this tab only', async () => {
    const page = await openTab()
    const asked: string[] = []
    acceptLeaving(page, asked)
    await page.getByRole('treeitem', { name: /Two/ }).click()
    await page.keyboard.press('Alt+ArrowUp')
    await console_.reloadAs('alice', page)
    expect(asked).toEqual(['beforeunload'])
    await page.getByText('changed, not stored').waitFor()
    await console_.show(page, '/sites/2/menus?location=-')
    await page.getByText('changed, not stored').waitFor()
    await console_.show(page, `/sites/2/menus/${menu}`)
    await page.getByText('changed, not stored').waitFor()
    expect(await page.getByRole('treeitem').first().innerText()).toContain('Two')
    const other = await openTab()
    expect(await other.getByRole('treeitem').first().innerText()).toContain('One')
    await page.getByRole('button', { name: 'Discard' }).click()
    await page.getByText('as stored').waitFor()
    expect(await page.getByRole('treeitem').first().innerText()).toContain('One')
  })

  it('says who has stored the menu meanwhile and what, and keeps the own changes beside it', async () => {
    const page = await openTab()
    acceptLeaving(page)
    await page.getByRole('treeitem', { name: /Two/ }).click()
    await page.keyboard.press('Alt+ArrowUp')
    await (await agent())
      .patch(`${BASE}/menus/${menu}/items/${ids[0]}`)
      .send({ title: 'Uno' })
      .expect(200)
    await (await agent()).delete(`${BASE}/menus/${menu}/items/${ids[3]}`).expect(200)
    await page.getByRole('button', { name: 'Save...' }).click()
    await page.getByText('Somebody else has stored this menu').waitFor()
    await page.getByRole('button', { name: 'Read it again, and keep mine' }).click()
    await page.getByText('The menu was stored by somebody else while you edited it').waitFor()
    await page.getByText(/The last write was by alice/i).waitFor()
    const changes = page.getByRole('list', { name: 'What was changed meanwhile' })
    expect(await changes.getByRole('listitem').allInnerTexts()).toEqual([
      'removed Four',
      'edited Uno',
    ])
    await expectAccessible(page)
    await console_.reloadAs('alice', page)
    await page.getByRole('tree', { name: 'Your unsaved items' }).waitFor()
    await page.getByRole('button', { name: 'Go on with mine' }).click()
    await store(page)
    expect(await shapeOf()).toEqual(['Two', 'One', 'Three', 'Three/Four'])
  })

  it('shows a page with the unsaved menu', async () => {
    const header = 23
    await show(header)
    await page.getByLabel('Label of the link').last().fill('Fresh from the editor')
    await page.getByLabel('Address', { exact: true }).last().fill('/fresh')
    await page.getByRole('button', { name: 'Add this link' }).click()
    // A preview on a busy machine may be given up.
    await eventually(async () => {
      await page.getByRole('button', { name: 'Preview', exact: true }).click()
      const shown = page.frameLocator('iframe').getByText('Fresh from the editor').first()
      await shown.waitFor({ timeout: 9000 })
    })
    // The button that stores stays where it is when the preview comes.
    await page.getByRole('button', { name: 'Save...' }).click()
    const button = page.getByRole('dialog').getByRole('button', { name: 'Save' })
    await button.click({ trial: true })
    const box = await button.boundingBox()
    const preview = page.getByRole('dialog').locator('iframe')
    await preview.waitFor()
    expect(await button.boundingBox()).toEqual(box)
    expect(JSON.stringify(await itemsOf(header))).not.toContain('Fresh')
  })

  it('moves an item inwards with the left arrow from right to left, in a narrow window', async () => {
    const location = { location: 'footer_3', lang: 'ar' }
    await (await agent()).put(`${BASE}/menus/${menu}/location`).send(location).expect(200)
    await page.setViewportSize({ width: 360, height: 900 })
    await show()
    await expectAccessible(page)
    expect(await page.getByRole('tree').getAttribute('dir')).toBe('rtl')
    await page.getByRole('tree').focus()
    await page.keyboard.press('Home')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Alt+ArrowLeft')
    expect(await page.getByRole('treeitem', { selected: true }).getAttribute('aria-level')).toBe(
      '2',
    )
  })
})
