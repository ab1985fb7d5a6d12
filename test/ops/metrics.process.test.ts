import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { issueTokenFor } from '../support/api.ts'
import { eventually } from '../support/eventually.ts'
import { freePort } from '../support/free-port.ts'
import { useNetwork } from '../support/network.ts'
import { startServeProcesses } from '../support/serve-processes.ts'
import { use, useFolder } from '../support/use.ts'
import { expressionsOf, readAlerts, readDashboards, textOf } from './rules.ts'

const network = await useNetwork()
const folder = await useFolder('metrics')
const inDays = (days: number) => new Date(Date.now() + days * 86_400_000)

/** Starts a process as operators run it. @returns its API and its metrics */
async function startMeasured(env: Record<string, string>) {
  const common = {
    TABLE_PREFIX: network.globals.basePrefix,
    FRONT_PORT: String(await freePort()),
    METRICS_PORT: String(await freePort()),
  }
  const service = await use(startServeProcesses(1, network.url, { ...common, ...env }, ''))
  const { metrics } = JSON.parse(service.logs().match(/^.*"listening".*$/m)?.[0] ?? '')
  return {
    url: service.urls[0] ?? '',
    scrape: async (): Promise<string> => (await fetch(`${metrics}/metrics`)).text(),
  }
}

const whole = await startMeasured({
  STATIC_DIR: join(folder, 'static'),
  FEED_DATABASE_URL: network.url,
  PAGE_CACHE_PURGE: 'http://127.0.0.1:9',
})

/** The types of the metrics in a scrape, by name. */
const typesOf = (scrape: string): [string, string][] =>
  [...scrape.matchAll(/^# TYPE (\w+) (\w+)$/gm)].map(([, name = '', type = '']) => [name, type])
const scrape = await whole.scrape()
const emitted = new Map(typesOf(scrape))
/** Histograms have three series. */
const series = new Set(
  [...emitted].flatMap(([name, type]) =>
    type === 'histogram' ? ['_bucket', '_sum', '_count'].map((end) => name + end) : [name],
  ),
)
const seriesIn = (expression: string): string[] =>
  expression.match(/\b(?:wp_frames|process|nodejs)_\w+/g) ?? []

/** The rows of the table in the guide. */
const documented = [
  ...textOf('docs/operating.md').matchAll(/^\| `(wp_frames_\w+)` \| (\w+) \| (.*?) \|/gm),
].map(([, name = '', type = '', labels = '']) => ({
  name,
  type,
  labels: [...labels.matchAll(/`(\w+)`/g)].map(([, label]) => label),
}))

describe('each metric', () => {
  it('of an alert is emitted', () => {
    const used = readAlerts().flatMap(({ expr }) => seriesIn(expr))
    expect(used.length).toBeGreaterThan(20)
    expect(used.filter((name) => !series.has(name))).toEqual([])
  })

  it.each(readDashboards())('of $file is emitted', (dashboard) => {
    const queries = dashboard.templating.list.map(({ query }) => query)
    const used = [...expressionsOf(dashboard), ...queries].flatMap(seriesIn)
    expect(used.length).toBeGreaterThan(10)
    expect(used.filter((name) => !series.has(name))).toEqual([])
  })

  it('of the service is documented, with its type', () => {
    const own = [...emitted].filter(([name]) => name.startsWith('wp_frames_'))
    const described = documented.map(({ name, type }) => [name, type])
    expect(described.toSorted()).toEqual(own.toSorted())
  })

  it('of the service is on a dashboard', () => {
    const shown = readDashboards().flatMap(expressionsOf).flatMap(seriesIn)
    const ends = new Set(shown.map((name) => name.replace(/_bucket$/, '')))
    expect(documented.map(({ name }) => name).filter((name) => !ends.has(name))).toEqual([])
  })

  it('has no other labels than the documented ones', async () => {
    const token = await issueTokenFor(network, 'alice')
    await fetch(`${whole.url}/site/2/frames`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      body: '{"slug":"measured","html":"<p>measured</p>"}',
    })
    const scrape = await whole.scrape()
    const samples = [...scrape.matchAll(/^(wp_frames_\w+?)(?:_bucket|_sum|_count)?\{(.+)\} /gm)]
    expect(samples.length).toBeGreaterThan(20)
    for (const [, name = '', labels = ''] of samples) {
      const found = [...labels.matchAll(/(\w+)="/g)].map(([, label]) => label)
      const { labels: known } = documented.find((row) => row.name === name) ?? { labels: [] }
      expect(known, name).toEqual(expect.arrayContaining(found.filter((label) => label !== 'le')))
    }
  })
})

it('the versions of a process are those of the package and of Node.js', () => {
  const { version } = JSON.parse(textOf('package.json'))
  const line = `wp_frames_build_info{version="${version}",node="${process.versions.node}"} 1`
  expect(scrape).toContain(line)
})

it('the parts of /readyz are up, also those that are listed only while they are down', () => {
  for (const part of ['database', 'static', 'migrations', 'work', 'exposed_pages', 'copies'])
    expect(scrape).toContain(`wp_frames_readiness{part="${part}"} 1`)
})

it('the expiry of tokens is that of the first one that is used', async () => {
  const { sql } = network.db
  const expiry = async () =>
    (await whole.scrape()).match(/^wp_frames_token_expiry_timestamp_seconds (\S+)$/m)?.[1]
  const table = `${network.globals.basePrefix}svc_tokens`
  const used = { last_used_at: new Date().toISOString().slice(0, 19).replace('T', ' ') }
  const expiring = async (days: number, set: object = used): Promise<number> => {
    const expiresAt = inDays(days)
    const label = `in ${days} days`
    await issueTokenFor(network, 'alice', { expiresAt, label })
    await sql(table).where({ label }).update(set)
    return Math.floor(expiresAt.getTime() / 1000)
  }
  await eventually(async () => expect(await expiry()).toBeUndefined())
  await expiring(1, { last_used_at: null })
  await expiring(2, { ...used, revoked_at: used.last_used_at })
  await expiring(3, { last_used_at: '2020-01-01 00:00:00' })
  const first = await expiring(4)
  await expiring(5)
  expect(Number(await expiry())).toBe(first)
})
