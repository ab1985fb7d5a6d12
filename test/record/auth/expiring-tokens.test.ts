import { afterEach, expect, it } from 'vitest'
import { gmtText } from '../../../src/db/gmt.ts'
import { parseConfig } from '../../../src/host/config/config.ts'
import { examineNetwork } from '../../../src/network/doctor/examine.ts'
import { ASKED_SCOPE, scopesTable } from '../../../src/record/auth/token-scopes.ts'
import { issueToken, tokensTable } from '../../../src/record/auth/tokens.ts'
import { openServices } from '../../../src/services.ts'
import { findUserByLogin } from '../../../src/wordpress/users/users.ts'
import { freePort } from '../../support/free-port.ts'
import { createTestExecutor } from '../../support/local-executor.ts'
import { useNetwork } from '../../support/network.ts'
import { FAST } from '../../support/timings.ts'
import { use } from '../../support/use.ts'

const DAY_MS = 86_400_000
const network = await useNetwork()
const { db, globals } = network
const executor = await use(createTestExecutor({ db, globals }))
const alice = await findUserByLogin(db, globals, 'alice')
const now = new Date(Math.floor(Date.now() / 1000) * 1000)
const inDays = (days: number) => new Date(now.getTime() + days * DAY_MS)
afterEach(async () => {
  await db.sql(tokensTable(globals)).delete()
  await db.sql(scopesTable(globals)).delete()
})

/** A token that expires and was used so many days from now. */
async function token(label: string, expires: number | undefined, used: number | undefined) {
  const { id } = await db.write({}, (tx) =>
    issueToken(tx, globals, {
      userId: alice?.id ?? 0,
      label,
      now: inDays(-60),
      ...(expires === undefined ? {} : { expiresAt: inDays(expires) }),
    }),
  )
  if (used !== undefined)
    await db
      .sql(tokensTable(globals))
      .where({ id })
      .update({ last_used_at: gmtText(inDays(used)) })
  return id
}

const findings = async () => {
  const { copies } = executor
  const found = await examineNetwork({ db, globals, executor, copies, now: () => now })
  return found.filter(({ check }) => check === 'token_expiring').map(({ message }) => message)
}

/** The sample of a service on the network. */
async function scrape(): Promise<string | undefined> {
  const port = await freePort()
  const services = await openServices(
    parseConfig({
      DATABASE_URL: network.url,
      TABLE_PREFIX: globals.basePrefix,
      STATIC_DIR: '',
      PORT: '0',
      FRONT_PORT: '0',
      METRICS_PORT: String(port),
      LOG_LEVEL: 'silent',
    }),
    { timings: FAST },
  )
  const listening = await services.listen({ api: true, front: false, executor: false })
  const response = await fetch(`http://127.0.0.1:${port}/metrics`)
  const text = await response.text()
  await listening.close()
  await services.close()
  expect(text).toContain('wp_frames_work_pending 0')
  return /^wp_frames_token_expiry_timestamp_seconds (\S+)$/m.exec(text)?.[1]
}

it('a token that was used lately and expires soon is reported, and its expiry is a metric', async () => {
  const soon = await token('nightly import', 13, -29)
  await token('later', 15, -1)
  await token('sooner, but expired', -1, -2)
  await token('sooner, but not used', 1, undefined)
  await token('sooner, but not used lately', 1, -31)
  await token('without an expiry', undefined, -1)
  const revoked = await token('sooner, but revoked', 1, -1)
  await db
    .sql(tokensTable(globals))
    .where({ id: revoked })
    .update({ revoked_at: gmtText(now) })
  const asked = await token('its expiry moves while it is used', 1, -1)
  await db.sql(scopesTable(globals)).insert({ token_id: asked, scope: ASKED_SCOPE, sites: '2' })
  expect(await findings()).toEqual([
    `The token ${soon} "nightly import" of alice expires at ${gmtText(inDays(13))} GMT, and was used at ${gmtText(inDays(-29))} GMT.`,
  ])
  expect(await scrape()).toBe(String(inDays(13).getTime() / 1000))
})

it('without such a token there is no finding and no sample', async () => {
  await token('later', 15, -31)
  await token('without an expiry', undefined, -1)
  expect(await findings()).toEqual([])
  expect(await scrape()).toBeUndefined()
})

it('a token that expires later is a metric only', async () => {
  await token('later', 100, -1)
  expect(await findings()).toEqual([])
  expect(await scrape()).toBe(String(inDays(100).getTime() / 1000))
})
