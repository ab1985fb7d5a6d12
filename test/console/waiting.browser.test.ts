import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startConsole, type TestConsole } from '../support/console.ts'
import { putDemoFrames } from '../support/console-frames.ts'

describe('a read that is refused because there were too many', () => {
  let console_: TestConsole
  beforeAll(async () => {
    console_ = await startConsole()
    await putDemoFrames(console_.network)
  })
  afterAll(() => console_?.stop())

  it('waits as long as the service asks for, says so, and is sent again', async () => {
    const page = await console_.openAs('alice', '/sites/2')
    await page.getByRole('row', { name: /^card/ }).waitFor()
    const asked: number[] = []
    await page.route('**/site/2/menus', (route) => {
      asked.push(Date.now())
      return asked.length > 1
        ? route.continue()
        : route.fulfill({
            status: 429,
            headers: { 'Retry-After': '2' },
            json: { error: 'too_many_requests', message: 'Too many.', retry_after: 2 },
          })
    })
    await page.getByRole('link', { name: 'Menus' }).click()
    await page.getByText('Too many requests: it goes on in 2 seconds.').waitFor()
    await page.locator('.menus').waitFor()
    expect(asked).toHaveLength(2)
    expect((asked[1] ?? 0) - (asked[0] ?? 0)).toBeGreaterThanOrEqual(2000)
    expect(await page.getByText('Too many requests').count()).toBe(0)
  })

  it('gives the numbers of each site to those who may see the network', async () => {
    const page = await console_.openAs('admin', '/')
    await page.locator('.card', { hasText: 'net.test/shop' }).getByText('4 frames').waitFor()
    const site = await console_.openAs('alice', '/')
    await site.locator('.card', { hasText: 'net.test/shop' }).waitFor()
    expect(await site.getByText('4 frames').count()).toBe(0)
  })
})
