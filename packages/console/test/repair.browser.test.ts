import { describe, expect, it } from 'vitest'
import { issueTokenFor } from '../../../test/support/api.ts'
import { expectAccessible, undo, useConsole } from '../../../test/support/console.ts'
import { putDemoFrames } from '../../../test/support/console-frames.ts'
import { eventually } from '../../../test/support/eventually.ts'
import { buildElsewhere, endElsewhere, putWork } from '../../../test/support/work-rows.ts'

const HOSTILE = '"><img src=x onerror=alert(1)><script>alert(2)</script>'

describe('history, work and findings in the console', async () => {
  const console_ = await useConsole()
  const send = async (method: 'post' | 'put' | 'patch', path: string, body: object) => {
    const agent = await console_.api.as('alice')
    const { status, body: answer } = await agent[method](`/wp-json/svc/v1/site/2${path}`).send(body)
    expect({ path, status, answer }).toMatchObject({ status: 200 })
    return answer
  }
  const frameHtml = async (slug: string): Promise<string> => {
    const agent = await console_.api.as('alice')
    return (await agent.get(`/wp-json/svc/v1/site/2/frames/${slug}`)).body.frame.html
  }
  await putDemoFrames(console_.network)
  await send('post', '/frames', { slug: 'note', html: '<p>first</p>\n<p>same</p>' })
  await send('put', '/frames/note', { html: `<p>second ${HOSTILE}</p>\n<p>same</p>` })
  const made = await send('post', '/menus', {
    name: 'Hostile',
    items: [{ url: '/a/', title: 'Item' }],
  })
  const menuId = made.menu.id
  // The API would not store these texts.
  const { db } = console_.network
  const { terms, posts } = (await console_.network.site(2)).tables
  await db.sql(terms).where({ term_id: menuId }).update({ name: HOSTILE })
  await db.sql(posts).where({ ID: made.items[0].id }).update({ post_title: HOSTILE })
  // The title of page 7 is "About us".
  const items = [{ url: '/b/', title: 'page 7' }, { page: 7 }]
  await send('put', `/menus/${menuId}/items`, { items })

  /** The tests share this tab. */
  const page = await console_.openAs('alice')
  /** The parts of a diff: `-<p>first</p>`. */
  const linesOf = (name: string) => page.locator(`.diff .${name}`).allTextContents()

  it('shows what an entry changed, and restores the state before behind a confirmation', async () => {
    await console_.show(page, '/sites/2/history?kind=frame')
    await page
      .getByRole('row', { name: /^replaced frame note / })
      .getByRole('link')
      .click()
    await page.getByRole('heading', { name: 'Frame note', level: 1 }).waitFor()
    await expectAccessible(page)
    expect(await linesOf('diff-removed')).toEqual(['-<p>first</p>'])
    expect(await linesOf('diff-added')).toEqual([`+<p>second ${HOSTILE}</p>`])
    await page.getByRole('link', { name: 'all entries of note' }).click()
    await page
      .getByRole('row', { name: /^created frame note / })
      .getByRole('link')
      .click()
    await page.getByRole('button', { name: 'Restore this state' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('This would change 1 thing.').waitFor()
    expect(await dialog.locator('.diff-added').allTextContents()).toEqual(['+<p>first</p>'])
    await expectAccessible(page)
    expect(await frameHtml('note')).toContain('second')
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    expect(await frameHtml('note')).toContain('second')
    await page.getByRole('button', { name: 'Restore this state' }).click()
    await dialog.getByRole('button', { name: 'Restore', exact: true }).click()
    await page.getByRole('heading', { name: 'History', level: 1 }).waitFor()
    expect(await frameHtml('note')).toBe('<p>first</p>\n<p>same</p>')
    const first = page.locator('tbody tr').first()
    await expect.poll(() => first.innerText()).toContain('note')
  })

  it('shows the changes of a menu item by item, and undoes a whole request', async () => {
    await console_.show(page, `/sites/2/history?kind=menu&ref=${menuId}`)
    await page.locator('tbody tr').first().getByRole('link').click()
    const changes = page.locator('.changes li')
    await changes.first().waitFor()
    const texts = await changes.allTextContents()
    expect(texts.join('\n')).toContain(HOSTILE)
    // A label that looks like a link to a page has not its title.
    expect(texts).toContainEqual(expect.stringMatching(/^added page 7 to .*\/b\/$/))
    expect(texts).toContain('added About us')
    await page.getByRole('button', { name: 'Undo the whole request' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Undo', exact: true }).click()
    await page.getByRole('heading', { name: 'History', level: 1 }).waitFor()
    const agent = await console_.api.as('alice')
    const { body } = await agent.get(`/wp-json/svc/v1/site/2/menus/${menuId}`)
    expect(body.items).toMatchObject([{ url: expect.stringContaining('/a/') }])
  })

  it('shows a request as one row, with its things, and filters by kind, user, time and name', async () => {
    const agent = await console_.api.as('alice')
    const requests = ['one', 'two'].map((slug) => ({
      method: 'POST',
      path: '/frames',
      body: { slug: `batch-${slug}`, html: '<p>batch</p>' },
    }))
    await agent.post('/wp-json/svc/v1/site/2/batch').send({ requests }).expect(200)
    const { db, globals } = console_.network
    await db
      .sql(`${globals.basePrefix}svc_history`)
      .where({ name: 'batch-one' })
      .update({ user_id: null, token_id: null, label: 'cli deploy@web1' })
    await db
      .sql(`${globals.basePrefix}svc_history`)
      .where({ name: 'note', action: 'created' })
      .update({ created_at: '2020-01-01 00:00:00' })
    await console_.show(page, '/sites/2/history')
    const row = page.getByRole('row', { name: /^created 2 frames: batch-two, batch-one/ })
    await row.waitFor()
    const created = page.getByRole('row', { name: /^created frame note/ })
    await created.waitFor()
    await page.getByLabel('Time').selectOption('Last hour')
    await created.waitFor({ state: 'detached' })
    await page.getByLabel('Kind').selectOption('Menu')
    await row.waitFor({ state: 'detached' })
    await page.getByLabel('Kind').selectOption('All')
    await page.getByLabel('Name').fill('batch-one')
    await page.keyboard.press('Enter')
    const one = page.getByRole('row', { name: /^created frame batch-one a command of deploy@web1/ })
    await one.waitFor()
    await page.getByLabel(/^By/).selectOption('alice')
    await one.waitFor({ state: 'detached' })
    await console_.show(page, '/sites/2/history')
    await row.getByRole('link').click()
    await page.getByText('All that one request wrote.').waitFor()
    await page
      .getByRole('row', { name: /^created frame batch-two/ })
      .getByRole('link')
      .click()
    await page.getByRole('heading', { name: 'Frame batch-two', level: 1 }).waitFor()
    // A link with a choice that the list does not have.
    await console_.show(page, '/sites/2/history?period=Yesterday')
    await page.getByRole('option', { name: 'Yesterday' }).waitFor({ state: 'attached' })
    expect(await page.getByLabel('Time').inputValue()).toBe('Yesterday')
  })

  it('shows what is pending and what fails', async () => {
    const { network } = console_
    await console_.show(page, '/sites/2/health')
    await page.getByText('Everything is built.').waitFor()
    await buildElsewhere(network, 2)
    await putWork(network, 2, [
      { name: '7', since: -900, tries: 3, due: 200, error: `The disk is full. ${HOSTILE}` },
      { kind: 'dataset', name: HOSTILE, tries: 1, due: 200, error: 'No reason.' },
      { name: '8', due: -1 },
      { kind: 'menus' },
    ])
    await page.getByRole('button', { name: 'Check again' }).click()
    await page.getByRole('link', { name: 'About us' }).waitFor()
    const figures = await page.locator('.figure').allInnerTexts()
    expect(figures.map((text) => text.replace(/\s+/g, ' '))).toEqual([
      'Pending 2 pages, 2 frames',
      'Running now 1 page, 0 frames',
      'Failing 1 page, 1 frame',
      expect.stringMatching(/^Oldest 1[56] minutes ago$/),
    ])
    expect(await page.locator('tbody').innerText()).toContain(`The disk is full. ${HOSTILE}`)
    await putWork(network, 2, [])
    await endElsewhere(network, 2)
  })

  const breakCounts = async () => {
    const { termTaxonomy } = (await console_.network.site(2)).tables
    const menus = console_.network.db.sql(termTaxonomy).where({ taxonomy: 'nav_menu' })
    await menus.whereIn('term_id', [23, menuId]).update({ count: 77 })
  }

  it('shows findings, and fixes one behind a confirmation that shows it', async () => {
    await breakCounts()
    await console_.show(page, '/sites/2/health')
    const group = page.locator('.panel', { hasText: 'A menu has a wrong number of items' }).first()
    await group.waitFor()
    expect(await group.innerText()).toContain(HOSTILE)
    const before = await page.locator('.findings li').count()
    await group.getByRole('button', { name: 'Apply 2 fixes' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('heading', { name: 'Corrects the count of menu 23.' }).waitFor()
    await expectAccessible(page)
    await dialog.getByRole('button', { name: 'Apply' }).click()
    await dialog.waitFor({ state: 'detached' })
    await eventually(async () =>
      expect(await page.locator('.findings li').count()).toBe(before - 2),
    )
    expect(
      await page.locator('.panel', { hasText: 'A menu has a wrong number of items' }).count(),
    ).toBe(0)
  })

  it('says in plain language what visitors see, leads to the thing, and removes an item of a menu', async () => {
    await console_.show(page, '/sites/2/health')
    const group = page.locator('.panel', { hasText: 'A menu item leads to something that is gone' })
    await group.getByText('Visitors do not see the item').waitFor()
    expect(await page.locator('main').innerText()).not.toMatch(
      /\b(?:GET|POST|PUT|PATCH|DELETE)\b|\/(?:frames|menus|site)\//,
    )
    const before = await group.locator('.findings li').count()
    await group.getByRole('button', { name: 'Remove the item' }).first().click()
    const dialog = page.getByRole('dialog', { name: 'Remove the item' })
    await dialog.getByText('removed').first().waitFor()
    await expectAccessible(page)
    await dialog.getByRole('button', { name: 'Remove' }).click()
    await page.getByText('The item is removed.').first().waitFor()
    await eventually(async () =>
      expect(await group.locator('.findings li').count()).toBe(before - 1),
    )
    await undo(page)
    await eventually(async () => expect(await group.locator('.findings li').count()).toBe(before))
    await group.getByRole('link', { name: 'Open the menu' }).first().click()
    await page.getByRole('tree').waitFor()
  })

  it('does not apply a fix when the findings have changed', async () => {
    await breakCounts()
    await console_.show(page, '/sites/2/health')
    const group = page.locator('.panel', { hasText: 'A menu has a wrong number of items' }).first()
    await group.getByRole('button').click()
    const dialog = page.getByRole('dialog')
    await dialog
      .getByRole('heading', { name: /Corrects the count/ })
      .first()
      .waitFor()
    const { termTaxonomy } = (await console_.network.site(2)).tables
    const row = () => console_.network.db.sql(termTaxonomy).where({ term_id: 23 })
    await row().update({ count: 78 })
    await dialog.getByRole('button', { name: 'Apply' }).click()
    await page.getByText('1 fix applied. 1 fix not applied: the findings have changed.').waitFor()
    await page.getByText('stored count of 78 items').waitFor()
    expect((await row().first('count')).count).toBe(78)
  })

  it('offers no writes to a token for reading', async () => {
    const agent = await console_.api.as('alice')
    const { body } = await agent.get('/wp-json/svc/v1/site/2/history?kind=menu').expect(200)
    const token = await issueTokenFor(console_.network, 'admin', {
      limits: { scope: 'read', sites: null },
    })
    const page = await console_.openWith(token)
    for (const [address, shown, write] of [
      ['/sites/2/frames/card', 'iframe', /^Save|Rename|Assign|Build again|Delete/],
      ['/sites/2/health', '.findings', /[Ff]ix/],
      [`/sites/2/history/${body.entries[0].id}`, 'h2', /Restore|Undo/],
      ['/network?as=tokens', '.list', /Issue|Revoke/],
      ['/sites/1', 'text=This site has no frames.', /Show the layout/],
    ] as const) {
      await console_.show(page, address)
      await page.locator(shown).first().waitFor()
      expect(await page.getByRole('button', { name: write }).count()).toBe(0)
    }
  })
})
