import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { issueToken } from '../../src/auth/tokens.ts'
import { expectAccessible, startConsole, type TestConsole } from '../support/console.ts'

describe('tokens in the console', () => {
  let console_: TestConsole
  beforeAll(async () => {
    console_ = await startConsole()
  })
  afterAll(() => console_?.stop())

  it('issues a token, reveals it once, and revokes it', async () => {
    const page = await console_.openAs('admin', '/network?as=tokens')
    await page.getByRole('button', { name: 'Issue a token' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('User').fill('nobody')
    await dialog.getByLabel('Purpose').fill('deploy <b>')
    await dialog.getByLabel('It may').selectOption('frames')
    await dialog.getByLabel('Sites').fill('2, 3')
    await dialog.getByRole('button', { name: 'Issue' }).click()
    await dialog.getByText('user_not_found').waitFor()
    await expectAccessible(page)
    await dialog.getByLabel('User').fill('alice')
    await dialog.getByRole('button', { name: 'Issue' }).click()
    await dialog.getByText('It is shown only now').waitFor()
    await expectAccessible(page)
    const token = await dialog.getByLabel('Token').inputValue()
    await dialog.getByRole('button', { name: 'Done' }).click()
    expect(await page.content()).not.toContain(token)
    const call = () =>
      fetch(`${console_.url}../me`, { headers: { Authorization: `Bearer ${token}` } })
    const { token: limits } = (await (await call()).json()) as { token: object }
    expect(limits).toMatchObject({ label: 'deploy <b>', scope: 'frames', sites: [2, 3] })
    await page.reload()
    const row = page.getByRole('row', { name: /deploy <b>/ })
    await row.getByText('just now').first().waitFor()
    await row
      .getByText('in 3 months')
      .or(row.getByText(/\d{4}$/))
      .first()
      .waitFor()
    await row.getByRole('button', { name: /^Revoke token/ }).click()
    await page.getByRole('dialog').getByText('It was last used').waitFor()
    await expectAccessible(page)
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click()
    await row.waitFor({ state: 'detached' })
    expect((await call()).status).toBe(401)
    await page.getByLabel('Show revoked and expired tokens').check()
    await row.getByText('revoked').waitFor()
  })

  it('shows tokens to a reader without the ways to change them', async () => {
    const page = await console_.openAs('admin', '/network?as=tokens', {
      width: 360,
      colorScheme: 'dark',
    })
    await page.getByText('this one').first().waitFor()
    await expectAccessible(page)
    const { db, globals } = console_.network
    const limits = { scope: 'read', sites: null } as const
    const { token } = await db.write({}, (tx) =>
      issueToken(tx, globals, { userId: 1, limits, now: new Date() }),
    )
    const reader = await console_.open()
    await reader.goto(`${console_.url}#/network?as=tokens`)
    await reader.getByLabel('API token').fill(token)
    await reader.keyboard.press('Enter')
    await reader.getByText('this one').first().waitFor()
    expect(await reader.getByRole('button', { name: /Issue|Revoke/ }).count()).toBe(0)
  })

  it('runs nothing but its own files', () => {
    expect(console_.faults).toEqual([])
  })
})
