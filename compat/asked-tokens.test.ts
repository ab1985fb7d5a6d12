import { afterAll, beforeAll, expect, it } from 'vitest'
import { askEndpoint } from '../packages/migration/src/old-endpoint/ask-about-token.ts'
import { TokensOfOldEndpoint } from '../packages/migration/src/old-endpoint/asked-tokens.ts'
import { createLog } from '../src/host/log.ts'
import { TIMINGS } from '../src/host/timings.ts'
import { startApi, type TestApi } from '../test/support/api.ts'
import { type CompatFixture, createCompatFixture } from './support/compat-fixture.ts'
import { oldEndpoint } from './support/old-endpoint.ts'

const log = createLog('silent')
let fixture: CompatFixture
let other: CompatFixture
let api: TestApi
let clock = Date.now()

beforeAll(async () => {
  fixture = await createCompatFixture()
  other = await createCompatFixture()
  const now = () => new Date(clock)
  const { db, globals } = fixture.network
  const ask = askEndpoint(oldEndpoint().url, TIMINGS.legacy.askMs)
  const asked = new TokensOfOldEndpoint({ db, globals, log, now, ask, login: undefined })
  api = await startApi(fixture.network, { asked, now })
})
afterAll(async () => {
  await api?.close()
  await other?.close()
  await fixture?.close()
})

/** The status of a request to wp-frames with a token. */
async function statusOf(token: string, path: string, init: RequestInit = {}): Promise<number> {
  const headers = { 'X-Svc-Key': token, 'Content-Type': 'application/json' }
  return (await fetch(`${api.url}${path}`, { ...init, headers })).status
}

it('accepts a token of the PHP endpoint for its sites, without the right to write markup, until it is revoked there', async () => {
  const token = await oldEndpoint().token(fixture.admin)
  const site = `/site/${fixture.site.blogId}`
  expect(await statusOf(token, `${site}/menus`)).toBe(200)
  expect(await statusOf(token, `/menus?blog_id=${fixture.site.blogId}`)).toBe(200)
  expect(await statusOf(token, `/site/${other.site.blogId}/menus`)).toBe(404)
  const menu = { method: 'POST', body: JSON.stringify({ name: 'Asked' }) }
  expect(await statusOf(token, `${site}/menus`, menu)).toBe(200)
  const frame = { method: 'POST', body: JSON.stringify({ slug: 'asked', html: '<p>' }) }
  expect(await statusOf(token, `${site}/frames`, frame)).toBe(403)

  await oldEndpoint().revoke(token)
  expect(await statusOf(token, `${site}/menus`)).toBe(200)
  clock += (TIMINGS.auth.maxCheckAgeMinutes + 1) * 60_000
  expect(await statusOf(token, `${site}/menus`)).toBe(401)
})

it('refuses what the PHP endpoint does not know', async () => {
  expect(await statusOf(`op_${'Ab3'.repeat(21)}x`, `/site/${fixture.site.blogId}/menus`)).toBe(401)
})
