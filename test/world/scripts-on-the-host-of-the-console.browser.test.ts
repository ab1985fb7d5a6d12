import { describe, expect, it } from 'vitest'
import { startConsole } from '../support/console.ts'
import { use } from '../support/use.ts'

/**
 * A page of a site runs a script on the host on which the console is, and its reader came from the console.
 * Right: HTML, "Session storage" belongs to a tab and an origin, and "noopener": so the token is in neither, and the page has no way back.
 */
describe('scripts on the host of the console', async () => {
  const console_ = await use(startConsole())

  it('find no token in a page that a link of the console opens, nor in one of the same tab', async () => {
    const page = await console_.openAs('admin', '/sites/2/pages/7')
    const token = await console_.api.token('admin')
    const steal =
      'JSON.stringify([{ ...sessionStorage }, { ...localStorage }, document.cookie, window.name, window.opener === null, history.state])'
    const link = page.getByRole('definition').getByRole('link').first()
    expect(await link.getAttribute('target')).toBe('_blank')
    expect(await link.getAttribute('rel')).toContain('noopener')
    // An address of the same origin, in the tab of the console.
    await page.goto(new URL('/openapi.json', console_.api.url).href)
    expect(await page.evaluate(steal)).not.toContain(token)
    await page.goBack()
    await page.getByRole('heading', { name: 'Sign in to the console' }).waitFor()
  })
})
