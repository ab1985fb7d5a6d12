import { useApi } from '../../../test/support/api.ts'
import { type CommandResult, runCommand } from '../../../test/support/cli.ts'
import { createSiteFixture } from '../../../test/support/site-fixture.ts'
import { use, useFolder } from '../../../test/support/use.ts'
import type { ComparisonReport } from '../src/compare/comparison-report.ts'
import {
  type Deviation,
  type ReceivedRequest,
  startDeviatingEndpoint,
} from './deviating-endpoint.ts'

type CodedReport = ComparisonReport & { readonly code: number; readonly stderr: string }

/** Two endpoints of the same API, which `wp-frames compare` compares. Starts them for the tests of a file. */
export async function useComparison() {
  const { network, api } = await useApi()
  const shop = createSiteFixture(network.db, await network.site(2))
  await shop.frame('card', '<p>one</p>')
  await shop.frame('card__title', '<h2>Tïtle</h2>')
  await shop.frame('site-header', '<header><!-- svc/menu {"location":"header"} /--></header>')
  await shop.assign('card', [await shop.page({ slug: 'p1' }), await shop.page({ slug: 'p2' })])
  const old = await use(startDeviatingEndpoint(api.url))
  const ours = await use(startDeviatingEndpoint(api.url))
  const token = await api.token('admin')
  const folder = await useFolder('compare')
  const env = { XDG_CONFIG_HOME: folder, LOG_LEVEL: 'silent', WP_FRAMES_OLD_TOKEN: token }
  const run = (...args: string[]) =>
    runCommand(['compare', '--old', old.url, '--new', ours.url, ...args], env)
  return {
    network,
    api,
    /** Site 2, with frames on its pages. */
    shop,
    old,
    ours,
    env,
    /** Folder of the logins and states. */
    folder,
    token,
    run,
    /** The report on the shop, or on other sites, while the old endpoint deviates. */
    compareWith: async (deviation: Deviation | undefined, ...args: string[]) => {
      for (const side of [old, ours]) side.reset()
      old.deviate(deviation)
      return reportIn(await run(...(args.includes('--network') ? [] : SHOP), '--json', ...args))
    },
    /** Whether a request is about the shop, and not one of those without a site. */
    isOfShop: ({ path, token: sent }: ReceivedRequest) =>
      /\/site\/2\/|blog_id=2\b/.test(path) &&
      sent === `Bearer ${token}` &&
      !/q=wp-frames-compare|site\/2\/wp-frames-compare/.test(path),
  }
}

const SHOP = ['--site', '2']

/** The report that a command has printed. */
export function reportIn({ code, stdout, stderr }: CommandResult): CodedReport {
  if (stdout === '') throw new Error(stderr)
  return { ...JSON.parse(stdout), code, stderr }
}

/** What differs, as `route field kind`. */
export const fieldsOf = ({ differences }: ComparisonReport): string[] =>
  differences.map(({ route, field, kind }) => `${route} ${field} ${kind}`).sort()
