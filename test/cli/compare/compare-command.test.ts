import { describe, expect, it } from 'vitest'
import type { ComparisonReport } from '../../../src/compare/comparison-report.ts'
import { useApi } from '../../support/api.ts'
import { runCommand } from '../../support/cli.ts'
import {
  changingJson,
  type Deviation,
  delaying,
  startDeviatingEndpoint,
} from '../../support/deviating-endpoint.ts'
import { createSiteFixture } from '../../support/site-fixture.ts'
import { use, useFolder } from '../../support/use.ts'

const { network, api } = await useApi()
const shop = createSiteFixture(network.db, await network.site(2))
await shop.frame('card', '<p>one</p>')
await shop.frame('card__title', '<h2>Tïtle</h2>')
await shop.frame('header', '<header><!-- svc/menu {"location":"header"} /--></header>')
const old = await use(startDeviatingEndpoint(api.url))
const ours = await use(startDeviatingEndpoint(api.url))
const token = await api.token('admin')
const folder = await useFolder('compare')
const env = { XDG_CONFIG_HOME: folder, LOG_LEVEL: 'silent', WP_FRAMES_OLD_TOKEN: token }

const run = (...args: string[]) =>
  runCommand(['compare', '--old', old.url, '--new', ours.url, ...args], env)

/** The report on the shop, or on other sites, while the old endpoint deviates. */
async function compareWith(
  deviation: Deviation | undefined,
  ...args: string[]
): Promise<ComparisonReport & { readonly code: number }> {
  for (const side of [old, ours]) side.reset()
  old.deviate(deviation)
  const sites = args.includes('--network') ? [] : ['--site', '2']
  const { code, stdout, stderr } = await run(...sites, '--json', ...args)
  if (stdout === '') throw new Error(stderr)
  return { ...JSON.parse(stdout), code }
}

const fieldsOf = ({ differences }: ComparisonReport): string[] =>
  differences.map(({ route, field, kind }) => `${route} ${field} ${kind}`).sort()

describe('compare', () => {
  it('finds nothing where both answer alike', async () => {
    const report = await compareWith(undefined)
    expect(fieldsOf(report)).toEqual([])
    expect(report.sites).toMatchObject([
      { site_id: 0, state: 'equal' },
      { site_id: 2, state: 'equal' },
    ])
    expect([report.code, report.noise, report.apart]).toEqual([0, [], []])
  })

  it('finds nothing in the whole network, and in every resource', async () => {
    const report = await compareWith(undefined, '--network', '--deep')
    expect([report.code, fieldsOf(report), report.noise]).toEqual([0, [], []])
    expect(report.sites.length).toBeGreaterThan(3)
  })
})
