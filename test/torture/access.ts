import { Agent } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { generateToken, issueToken, revokeToken } from '../../src/record/auth/tokens.ts'
import { globalTables } from '../../src/wordpress/network/site.ts'
import { findProgram, missingProgram } from '../support/programs.ts'
import { startRedis } from '../support/redis.ts'
import { welchT } from './access/compare-times.ts'
import { exchange, type Received } from './hostile/exchange.ts'
import { Random } from './support/random.ts'
import { startService } from './support/service.ts'
import { quantile } from './support/tally.ts'
import { createTortureFixture, type TortureFixture } from './support/torture-fixture.ts'
import { type Findings, type Trial, Unavailable } from './trial.ts'

const FAILURES = 20
const GUESSES = 400
/** Requests that are sent at the same time. If the shared counters took longer than half a second, each process would count on its own. */
const AT_ONCE = 40
/** Number of requests with each kind of token. */
const TIMED = { short: 150, full: 3000 }
/** Value of t beyond which two samples certainly differ; 4.5 is the limit for suspicion (dudect). */
const CERTAIN_T = 10
const [ALICE, ZOE] = [2, 7]

/** Two processes that share their counters in Redis, and clients at several addresses of the loopback network. */
export const access: Trial = {
  name: 'access',
  tries: `${GUESSES} tokens are guessed at two processes; requests with unknown, revoked and orphaned tokens are timed`,
  async run({ folder, short, seed }) {
    if (!findProgram('redis')) throw new Unavailable(missingProgram('redis'))
    const redis = await startRedis()
    const fixture = await createTortureFixture(folder, { durable: false })
    const start = (env: Record<string, string>) =>
      startService({
        databaseUrl: `${fixture.server.adminUrl}wordpress`,
        staticDir: fixture.staticDir,
        env,
      })
    const limits = { REDIS_URL: redis.url, AUTH_FAILURES_PER_MINUTE: String(FAILURES) }
    const guarded = await Promise.all([start(limits), start(limits)])
    const unguarded = await start({})
    try {
      for (const { apiUrl } of guarded) await untilCountersShared(apiUrl)
      const guessed = await guess(
        guarded.map(({ apiUrl }) => apiUrl),
        fixture.token,
      )
      const timed = await compareTimes(
        fixture,
        unguarded.apiUrl,
        short ? TIMED.short : TIMED.full,
        seed,
      )
      const errorLines = [...guarded, unguarded].flatMap((service) => service.errorLines)
      return {
        figures: { ...guessed.figures, ...timed.figures },
        faults: [
          ...guessed.faults,
          ...timed.faults,
          ...errorLines.map((line) => `it logged ${line}`),
        ],
      }
    } finally {
      await Promise.all([...guarded, unguarded].map((service) => service.kill()))
      await fixture.close()
      await redis.stop()
    }
  },
}

/** Until Redis is connected, each process counts on its own. */
async function untilCountersShared(url: string): Promise<void> {
  for (;;) {
    const { parts } = (await (await fetch(`${url}/readyz`)).json()) as { parts: object }
    if (Object.values(parts).every((state) => state === 'up')) return
    await sleep(500)
  }
}

type Asked = {
  readonly url: string
  readonly token: string
  readonly from: string
  readonly more?: Record<string, string>
}

const ask = ({ url, token, from, more = {} }: Asked, agent?: Agent): Promise<Received> =>
  exchange(
    url,
    {
      method: 'GET',
      path: '/site/2/menus',
      headers: { Authorization: `Bearer ${token}`, ...more },
    },
    agent ?? new Agent({ localAddress: from }),
  )

/** Both processes together check no more guesses than one address may send. */
async function guess(urls: readonly string[], token: string): Promise<Findings> {
  const url = (at: number) => urls[at % urls.length] ?? ''
  const [guesser, neighbour] = ['127.0.0.7', '127.0.0.8']
  const guesses: Received[] = []
  while (guesses.length < GUESSES) {
    const sent = Array.from({ length: AT_ONCE }, (_, at) => {
      const address = `203.0.113.${(guesses.length + at) % 250}`
      const more = { 'X-Forwarded-For': address, Forwarded: `for=${address}` }
      return ask({ url: url(at), token: generateToken(), from: guesser, more })
    })
    guesses.push(...(await Promise.all(sent)))
  }
  const checked = guesses.filter(({ status }) => status === 401).length
  const refused = guesses.filter(({ status }) => status === 429)
  const faults = [
    ...(checked === FAILURES ? [] : [`${checked} guesses were checked instead of ${FAILURES}`]),
    ...(checked + refused.length === GUESSES ? [] : ['some guesses got another answer']),
    ...(refused.every(({ headers }) => Number(headers['retry-after']) > 0)
      ? []
      : ['no Retry-After']),
  ]
  for (const at of urls.keys()) {
    const right = await ask({ url: url(at), token, from: guesser })
    if (right.status !== 429)
      faults.push(`process ${at + 1} accepted the right token: ${right.status}`)
    const other = await ask({ url: url(at), token, from: neighbour })
    if (other.status !== 200)
      faults.push(`process ${at + 1} refused another address: ${other.status}`)
  }
  return { figures: { 'guesses from one address, checked': `${GUESSES}, ${checked}` }, faults }
}

/** Sends tokens that are refused for different reasons, in random order, so that noise of the machine affects all kinds equally. */
async function compareTimes(
  fixture: TortureFixture,
  url: string,
  count: number,
  seed: number,
): Promise<Findings> {
  const kinds = await refusedTokens(fixture)
  const random = new Random(seed)
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const times = new Map<string, number[]>(Object.keys(kinds).map((kind) => [kind, []]))
  const texts = new Set<string>()
  for (let round = 0; round < count; round += 1) {
    const order = Object.entries(kinds).toSorted(() => random.next() - 0.5)
    for (const [kind, tokens] of order) {
      const began = performance.now()
      const { status, text } = await ask({ url, token: tokens(), from: '' }, agent)
      times.get(kind)?.push(performance.now() - began)
      texts.add(`${status} ${text}`)
    }
  }
  agent.destroy()
  const [[, unknown = []] = [], ...others] = times
  const compared = others.map(([kind, sample]) => ({ kind, sample, t: welchT(unknown, sample) }))
  return {
    figures: {
      'an unknown token is refused in (median)': `${quantile(unknown, 0.5).toFixed(3)} ms of ${count}`,
      ...Object.fromEntries(
        compared.map(({ kind, sample, t }) => [
          `${kind}`,
          `${quantile(sample, 0.5).toFixed(3)} ms, t = ${t.toFixed(1)}`,
        ]),
      ),
    },
    faults: [
      ...(texts.size === 1 ? [] : [`refusals differ: ${[...texts].join(' / ')}`]),
      ...compared
        .filter(({ t }) => Math.abs(t) > CERTAIN_T)
        .map(({ kind, t }) => `${kind} differs from an unknown token in time: t = ${t.toFixed(1)}`),
    ],
  }
}

/** Tokens by the reason of the refusal. The others are compared with the first kind. */
async function refusedTokens({ db }: TortureFixture): Promise<Record<string, () => string>> {
  const globals = globalTables('wp_')
  const now = new Date()
  const issue = (userId: number) => db.write({}, (tx) => issueToken(tx, globals, { userId, now }))
  const [revoked, orphan, barred] = [await issue(ALICE), await issue(1_000_000), await issue(ZOE)]
  await db.write({}, (tx) => revokeToken(tx, globals, revoked.id, now))
  await db.sql(globals.users).where({ ID: ZOE }).update({ deleted: 1 })
  const almost = `${revoked.token.slice(0, -1)}${revoked.token.endsWith('A') ? 'B' : 'A'}`
  return {
    'an unknown token': generateToken,
    'a token with a wrong end': () => almost,
    'a revoked token': () => revoked.token,
    'a token of a missing user': () => orphan.token,
    'a token of a deleted user': () => barred.token,
  }
}
