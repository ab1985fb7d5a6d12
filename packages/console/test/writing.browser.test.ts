import { describe, expect, it } from 'vitest'
import type { Page } from '../../../test/packages/playwright.ts'
import { issueTokenFor } from '../../../test/support/api.ts'
import { expectAccessible, undo, useConsole } from '../../../test/support/console.ts'
import { putDemoFrames } from '../../../test/support/console-frames.ts'

const BASE = '/wp-json/svc/v1/site/2'
const FIRST_PAGE = 770_000
/** One more than a batch takes. */
const PAGES = 51

describe('writing in the console, and undoing it', async () => {
  const console_ = await useConsole()
  await putDemoFrames(console_.network)

  const agent = (login = 'alice') => console_.api.as(login)
  const slugs = async (): Promise<string[]> => {
    const { body } = await (await agent()).get(`${BASE}/frames`).expect(200)
    return body.frames.map(({ slug }: { slug: string }) => slug)
  }
  const openWith = async (scope: 'frames' | 'menus'): Promise<Page> => {
    const limits = { scope, sites: null }
    return console_.openWith(await issueTokenFor(console_.network, 'alice', { limits }))
  }
  const page = await console_.openAs('alice')
  const ofFrames = await openWith('frames')
  const showFrame = (slug: string) => console_.show(page, `/sites/2/frames/${slug}`)
  const dialogOf = (page: Page) => page.getByRole('dialog', { name: 'Undo this' })

  it('renames a frame after it has shown what that changes', async () => {
    await showFrame('site-header')
    await page.getByRole('button', { name: 'Rename' }).click()
    const dialog = page.getByRole('dialog', { name: 'Rename site-header' })
    await dialog.getByLabel('Name').fill('card')
    await dialog.getByText('This name is taken').waitFor()
    expect(await dialog.getByRole('button', { name: 'Rename' }).isDisabled()).toBe(true)
    await dialog.getByLabel('Name').fill('Masthead')
    await dialog.getByText('site-header becomes masthead.').waitFor()
    await dialog.getByText('1 reference').waitFor()
    await dialog.getByText('Pages published again').waitFor()
    await expectAccessible(page)
    expect(await slugs()).not.toContain('masthead')
    // Enter confirms what is shown, not a name whose consequences are still to come.
    await dialog.getByLabel('Name').press('End')
    await page.keyboard.type('x')
    await page.keyboard.press('Enter')
    await dialog.getByText('site-header becomes mastheadx.').waitFor()
    expect(await slugs()).not.toContain('masthead')
    await page.keyboard.press('Backspace')
    await dialog.getByText('site-header becomes masthead.').waitFor()
    await dialog.getByText('Pages published again').waitFor()
    await dialog.getByLabel('Name').press('Enter')
    await page.getByRole('heading', { name: 'masthead', level: 1 }).waitFor()
    const { body } = await (await agent()).get(`${BASE}/frames/page`).expect(200)
    expect(body.frame.html).toContain('{"name":"masthead"}')
  })

  it('assigns a frame to a page, and unassigns it, after it has shown what the page has then', async () => {
    await showFrame('page')
    await page.getByRole('button', { name: 'Assign to a page' }).click()
    const dialog = page.getByRole('dialog', { name: 'Assign page to a page' })
    await dialog.getByLabel('Page').fill('legal')
    await dialog
      .getByRole('button', { name: /^Legal/ })
      .first()
      .waitFor()
    await page.keyboard.press('Enter')
    await dialog.getByText(/Legal gets its first frame/).waitFor()
    await expectAccessible(page)
    await dialog.getByRole('button', { name: 'Assign' }).click()
    await dialog.waitFor({ state: 'detached' })
    await page.locator('.things').getByRole('link', { name: 'Legal' }).waitFor()
    await page.getByRole('button', { name: 'Unassign: Legal' }).click()
    const removal = page.getByRole('dialog', { name: 'Unassign the frame of Legal' })
    await removal.getByText(/Visitors could not open Legal any more/).waitFor()
    await removal.getByRole('button', { name: 'Unassign' }).click()
    await page.getByRole('button', { name: 'Unassign: Legal' }).waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Unassign: Home' }).waitFor()
  })

  it('rebakes after it has shown which frames', async () => {
    await showFrame('card')
    await page.getByRole('button', { name: 'Build again' }).click()
    const dialog = page.getByRole('dialog', { name: 'Build what shows card again' })
    await dialog.getByText('Frames built again').waitFor()
    await dialog.getByRole('button', { name: 'Build again' }).click()
    await dialog.waitFor({ state: 'detached' })
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Build again')
  })

  it('undoes a deletion of a frame in the list that is shown then', async () => {
    const page = ofFrames
    await console_.show(page, '/sites/2/frames/site-footer')
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('dialog').getByText('Frames in which it is missing').waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('heading', { name: 'Frames', level: 1 }).waitFor()
    await page.getByText('site-footer is deleted.').first().waitFor()
    expect(await slugs()).not.toContain('site-footer')
    await undo(page)
    await page
      .getByText(/^Undone: \d+ things?\./)
      .first()
      .waitFor()
    await page.getByRole('row', { name: /^site-footer/ }).waitFor()
    expect(await slugs()).toContain('site-footer')
  })

  it('shows what somebody has changed since, and overwrites it only if that is asked for', async () => {
    const admin = await agent('admin')
    const { body } = await admin.post(`${BASE}/menus`).send({ name: 'Shared', items: [] })
    const { id } = body.menu
    const nameOf = async (): Promise<string> =>
      (await admin.get(`${BASE}/menus/${id}`).expect(200)).body.menu.name
    const page = await openWith('menus')
    await console_.show(page, '/sites/2/menus?location=-')
    await page.getByRole('button', { name: 'Rename Shared' }).click()
    await page.getByLabel('New name').fill('Ours')
    const dialog = page.getByRole('dialog')
    await dialog.locator('.diff').waitFor()
    await page.keyboard.type('!')
    await page.keyboard.press('Enter')
    expect(await nameOf()).toBe('Shared')
    await page.keyboard.press('Backspace')
    await dialog.locator('.diff').waitFor()
    await page.keyboard.press('Enter')
    await page.getByText('Shared is now Ours.').first().waitFor()
    await admin.patch(`${BASE}/menus/${id}`).send({ name: 'Theirs' }).expect(200)
    await page.getByRole('button', { name: 'Undo', exact: true }).click()
    await dialogOf(page).getByText('would undo later changes of 1 thing').waitFor()
    await dialogOf(page)
      .getByText(/by admin.*just now/i)
      .waitFor()
    expect(await dialogOf(page).locator('.diff').innerText()).toContain('Theirs')
    const confirm = dialogOf(page).getByRole('button', { name: 'Undo', exact: true })
    expect(await confirm.isDisabled()).toBe(true)
    await expectAccessible(page)
    expect(await nameOf()).toBe('Theirs')
    await dialogOf(page).getByLabel('Undo these later changes, too').check()
    await confirm.click()
    await dialogOf(page).waitFor({ state: 'detached' })
    expect(await nameOf()).toBe('Shared')
  })

  it('says that only some batches of pages are stored, and undoes all of them at once', async () => {
    const { network } = console_
    const { posts } = (await network.site(2)).tables
    await network.db.sql(posts).insert(
      Array.from({ length: PAGES }, (_, at) => ({
        ID: FIRST_PAGE + at,
        post_title: `Many ${at}`,
        post_name: `many-${at}`,
        post_type: 'page',
        post_status: 'publish',
        post_content: '',
        post_excerpt: '',
        to_ping: '',
        pinged: '',
        post_content_filtered: '',
      })),
    )
    const assigned = async (): Promise<number> =>
      (await (await agent()).get(`${BASE}/pages?search=Many&frame=card`).expect(200)).body.total
    const page = ofFrames
    await console_.show(page, '/sites/2/pages?q=Many')
    await page.getByRole('button', { name: `Select all ${PAGES}` }).click()
    await page.getByText(`${PAGES} pages selected`).first().waitFor()
    await page.getByRole('button', { name: 'Assign a frame' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: /^card/ }).click()
    await dialog.getByText('It is stored in 2 batches').waitFor({ timeout: 60_000 })
    let batches = 0
    await page.route('**/batch', (route) => {
      batches += 1
      return batches === 2 ? route.abort() : route.continue()
    })
    await dialog.getByRole('button', { name: 'Assign', exact: true }).click()
    await page
      .getByText(`Only 50 of ${PAGES} pages are changed.`)
      .first()
      .waitFor({ timeout: 60_000 })
    await page.getByText('The next batch was refused').waitFor()
    await expectAccessible(page)
    expect(await assigned()).toBe(50)
    await page.unrouteAll()
    await undo(page)
    expect(await assigned()).toBe(0)
  }, 120_000)
})
