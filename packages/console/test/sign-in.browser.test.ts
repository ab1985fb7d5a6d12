import { describe, expect, it } from 'vitest'
import { tokensTable } from '../../../src/record/auth/tokens.ts'
import { findUserByLogin } from '../../../src/wordpress/users/users.ts'
import { expectAccessible, useConsole } from '../../../test/support/console.ts'

describe('the sign-in of the console', async () => {
  const console_ = await useConsole()

  it('says what is wrong with a token', async () => {
    const page = await console_.open()
    await page.goto(console_.url)
    for (const [token, message] of [
      ['', 'Enter a token'],
      ['sk_1234', 'A token begins with op_.'],
      ['op_1234', 'This token has 7 characters instead of 67'],
      [`op_${'0'.repeat(64)}`, 'it is unknown, has expired or was revoked'],
    ] as const) {
      await page.getByLabel('API token').fill(token)
      await page.getByRole('button', { name: 'Sign in' }).click()
      await page.getByText(message).waitFor()
    }
    await expectAccessible(page)
    expect(await page.evaluate('sessionStorage.length')).toBe(0)
  })

  it('says that it did not load, and is there after a reload', async () => {
    const page = await console_.open()
    await page.route('**/assets/main-*.js', (route) => route.abort())
    await page.goto(console_.url)
    await page.getByText('The console did not load. Reload the page.').waitFor()
    await page.unroute('**/assets/main-*.js')
    await page.reload()
    await page.getByLabel('API token').waitFor()
    expect(await page.getByText('did not load').count()).toBe(0)
  })

  it('keeps the token in the memory of the page, out of all storage and all addresses', async () => {
    const page = await console_.open()
    const token = await console_.api.token('alice')
    const addresses: string[] = []
    page.on('request', (request) => addresses.push(request.url()))
    await page.goto(console_.url)
    await page.getByLabel('API token').fill(token)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Sites' }).waitFor()
    const kept = () => page.evaluate('JSON.stringify([{ ...sessionStorage }, { ...localStorage }])')
    expect(await kept()).not.toContain(token)
    await page.reload()
    await page.getByRole('heading', { name: 'Sign in to the console' }).waitFor()
    await page.getByLabel('API token').fill(token)
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('heading', { name: 'Sign in to the console' }).waitFor()
    expect(await kept()).toBe('[{},{}]')
    addresses.push(page.url())
    expect(addresses.filter((address) => address.includes(token))).toEqual([])
  })

  it('takes the token of a link out of the address, and asks before it uses it', async () => {
    const page = await console_.open()
    const token = await console_.api.token('alice')
    await page.goto(`${console_.url}#token=${token}`)
    await page.getByLabel('API token').waitFor()
    expect(await page.getByLabel('API token').inputValue()).toBe(token)
    expect(page.url()).toBe(console_.url)
    expect(await page.evaluate('sessionStorage.length')).toBe(0)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('heading', { name: 'Sites' }).waitFor()
    await page.getByRole('button', { name: 'Sign out' }).click()
    expect(await page.getByLabel('API token').inputValue()).toBe('')
    // Into a tab where the console is open.
    await page.evaluate(`location.hash = "token=${token}"`)
    await page.waitForFunction('document.querySelector("#token")?.value !== ""')
    expect(await page.getByLabel('API token').inputValue()).toBe(token)
    expect(page.url()).toBe(console_.url)
  })

  it('keeps what is entered while the page is still busy', async () => {
    const page = await console_.open()
    // Everything that the page puts off is delayed, as on a busy machine.
    await page.addInitScript(`
      const delayed = []
      window.requestAnimationFrame = (work) => delayed.push(work)
      window.setTimeout = (work) => delayed.push(work)
      window.release = () => { while (delayed.length > 0) delayed.shift()() }`)
    await page.goto(console_.url)
    await page.getByLabel('API token').fill('op_1234')
    await page.evaluate('release()')
    expect(await page.getByLabel('API token').inputValue()).toBe('op_1234')
  })

  it('ends when the token expires', async () => {
    const { network } = console_
    const page = await console_.openAs('bob')
    // The list is loaded: a token that expires before would end the session at once.
    await page.getByRole('main').getByRole('link').first().waitFor()
    const owner = await findUserByLogin(network.db, network.globals, 'bob')
    await network.db
      .sql(tokensTable(network.globals))
      .where({ user_id: owner?.id })
      .update({ expires_at: '2026-01-01 00:00:00' })
    await page.getByLabel('Search sites').fill('shop')
    await page.getByText('The token is no longer valid').waitFor()
    expect(await page.evaluate('sessionStorage.length')).toBe(0)
  })
})
