import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { issueToken } from '../../src/auth/tokens.ts'
import { expectAccessible, startConsole, type TestConsole } from '../support/console.ts'
import { putDemoFrames } from '../support/console-frames.ts'

describe('writing in the console', () => {
  let console_: TestConsole
  beforeAll(async () => {
    console_ = await startConsole()
    await putDemoFrames(console_.network)
  })
  afterAll(() => console_?.stop())

  const frames = async () => {
    const agent = await console_.api.as('alice')
    const { body } = await agent.get('/wp-json/svc/v1/site/2/frames?include_html=1').expect(200)
    return body.frames as { slug: string; html: string }[]
  }

  it('renames a frame after it has shown what that changes', async () => {
    const page = await console_.openAs('alice', '/sites/2/frames/site-header')
    await page.getByRole('button', { name: 'Rename' }).click()
    const dialog = page.getByRole('dialog', { name: 'Rename site-header' })
    await dialog.getByLabel('New slug').fill('Not a slug!')
    await dialog.getByRole('button', { name: 'Check' }).click()
    await dialog.getByText('invalid_slug').waitFor()
    expect(await dialog.getByRole('button', { name: 'Rename' }).isDisabled()).toBe(true)
    await dialog.getByLabel('New slug').fill('masthead')
    await page.keyboard.press('Enter')
    await dialog.getByText('site-header becomes masthead.').waitFor()
    await dialog.getByText('1 reference').waitFor()
    await dialog.getByText('Pages published again').waitFor()
    await expectAccessible(page)
    expect((await frames()).map(({ slug }) => slug)).not.toContain('masthead')
    await dialog.getByRole('button', { name: 'Rename' }).click()
    await page.getByRole('heading', { name: 'masthead', level: 1 }).waitFor()
    const written = await frames()
    expect(written.find(({ slug }) => slug === 'page')?.html).toContain('{"name":"masthead"}')
  })

  it('assigns a frame to a page after it has shown what the page has now', async () => {
    const page = await console_.openAs('alice', '/sites/2/frames/page')
    await page.getByRole('button', { name: 'Assign to a page' }).click()
    const dialog = page.getByRole('dialog', { name: 'Assign page to a page' })
    await dialog.getByLabel('Page').fill('legal')
    await dialog.getByRole('button', { name: /^Legal/ }).click()
    await dialog.getByText(/Legal has no frame\. It will be built from page/).waitFor()
    await expectAccessible(page)
    await dialog.getByRole('button', { name: 'Assign' }).click()
    await dialog.waitFor({ state: 'detached' })
    await page.locator('.things').getByRole('link', { name: 'Legal' }).waitFor()
  })

  it('rebakes after it has shown which frames', async () => {
    const page = await console_.openAs('alice', '/sites/2/frames/card')
    await page.getByRole('button', { name: 'Rebake' }).click()
    const dialog = page.getByRole('dialog', { name: 'Rebake what shows card' })
    await dialog.getByText('Frames baked again').waitFor()
    await expectAccessible(page)
    await dialog.getByRole('button', { name: 'Rebake' }).click()
    await dialog.waitFor({ state: 'detached' })
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Rebake')
  })

  it('closes a dialog with Escape, and returns the focus', async () => {
    const page = await console_.openAs('alice', '/sites/2/frames/card')
    await page.getByRole('button', { name: 'Rename' }).click()
    await page.getByRole('dialog').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Rename')
  })

  it('offers no write to a token that may only read', async () => {
    const { db, globals } = console_.network
    const limits = { scope: 'read', sites: [2] } as const
    const { token } = await db.write({}, (tx) =>
      issueToken(tx, globals, { userId: 1, limits, now: new Date() }),
    )
    const page = await console_.open()
    await page.goto(`${console_.url}#/sites/2/frames/card`)
    await page.getByLabel('API token').fill(token)
    await page.keyboard.press('Enter')
    await page.getByRole('link', { name: 'Edit and preview' }).waitFor()
    expect(await page.getByRole('button', { name: /Rename|Assign|Rebake/ }).count()).toBe(0)
    await page.goto(`${console_.url}#/`)
    await page.locator('.pager').getByText('1 site').waitFor()
  })

  it('runs nothing but its own files', () => {
    expect(console_.faults).toEqual([])
  })
})
