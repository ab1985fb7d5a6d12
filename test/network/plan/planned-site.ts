import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import { INLINE_ANALYZER } from '../../../src/content/frames/frame-markup.ts'
import { readTree } from '../../../src/content/menus/item-tree.ts'
import { writeAs } from '../../../src/db/database.ts'
import type { DesiredSite } from '../../../src/network/description/desired-site.ts'
import {
  type AppliedSite,
  type ApplySiteOptions,
  applySite,
} from '../../../src/network/plan/apply-site.ts'
import {
  DiffCache,
  MarkupCache,
  type PlanContext,
  type RefusedProblems,
} from '../../../src/network/plan/plan-context.ts'
import { planSite } from '../../../src/network/plan/plan-site.ts'
import type { SitePlan, Step } from '../../../src/network/plan/site-plan.ts'
import type { Site } from '../../../src/wordpress/network/site.ts'
import { createRestoredSite } from '../../content/restore/restored-site.ts'
import type { TestNetwork } from '../../support/network.ts'

const planContext = (refuses?: RefusedProblems): PlanContext => ({
  userId: 1,
  unfilteredHtml: true,
  now: () => new Date(),
  markup: new MarkupCache(INLINE_ANALYZER),
  refuses,
  diffs: new DiffCache(),
})

/** Nothing, unless it is given. */
export const desiredSite = (desired: Partial<DesiredSite>): DesiredSite => ({
  manages: 'named',
  frames: [],
  menus: [],
  pages: [],
  variables: undefined,
  ...desired,
})

export const frame = (slug: string, html: string, formerly: readonly string[] = []) => ({
  slug,
  html,
  formerly,
})

export const menu = (
  slug: string,
  items: readonly unknown[],
  more: Partial<DesiredSite['menus'][number]> = {},
) => ({
  slug,
  name: `Menu ${slug}`,
  formerly: [],
  locations: [],
  tree: readTree(items),
  ...more,
})

/** One line for each step: `created frame header`. */
export const linesOf = (steps: readonly Step[]): string[] =>
  steps.map(({ kind, name, action, from, to }) =>
    [action, kind, name, ...(from ? ['from', from] : []), ...(to ? ['to', to] : [])].join(' '),
  )

/** Plans and applies on one site. */
export function createPlannedSite(network: TestNetwork, site: Site) {
  const plan = (desired: Partial<DesiredSite>, refuses?: RefusedProblems): Promise<SitePlan> =>
    planSite(network.db, site, desiredSite(desired), planContext(refuses))
  /** Applies as a run with this id. */
  const apply = (
    desired: Partial<DesiredSite>,
    { runId = randomUUID(), ...options }: ApplySiteOptions & { readonly runId?: string } = {},
  ): Promise<AppliedSite> => {
    const author = { userId: 1, tokenId: null, label: 'cli', requestId: runId }
    const db = writeAs(network.db, author)
    return applySite(db, site, desiredSite(desired), planContext(), options)
  }
  const { restore } = createRestoredSite(network, site)
  const rollBack = (requestId: string) => restore({ requestId }, { bake: false })
  /** Plans, applies, and expects that nothing is left to do. @returns the lines of the steps */
  const settle = async (desired: Partial<DesiredSite>): Promise<string[]> => {
    const { steps, problems, digest } = await plan(desired)
    expect(problems).toEqual([])
    const applied = await apply(desired, { expectedDigest: digest })
    expect(applied).toMatchObject({ outcome: 'applied', problems: [], steps })
    expect(await plan(desired)).toMatchObject({ steps: [], problems: [] })
    return linesOf(steps)
  }
  return { plan, apply, settle, rollBack }
}
