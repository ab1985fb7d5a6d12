import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { DesiredSite } from '../../../src/network/description/desired-site.ts'
import type { Site } from '../../../src/wordpress/network/site.ts'
import { readRestorableState } from '../../support/restorable-state.ts'
import { runsOf } from '../../support/runs-of.ts'
import { createSiteFixture } from '../../support/site-fixture.ts'
import { useTruth } from '../../wordpress/clone-truth.ts'
import { createPlannedSite, menu } from './planned-site.ts'

const network = await useTruth()

const RUNS = runsOf(60)

const SLUGS = ['a', 'b', 'c', 'd']
const slug = fc.constantFrom(...SLUGS)
const html = fc.oneof(
  fc.constantFrom('<br>', '<p>1</p>', '<p>Größe</p>'),
  slug.map((name) => `<!-- svc/frame {"name":"${name}"} /-->`),
)
/** Mostly the first: a plan with a problem is not applied, so the law would be about little. */
const mostly = <T>(usual: fc.Arbitrary<T>, rare: fc.Arbitrary<T>): fc.Arbitrary<T> =>
  fc.oneof({ weight: 15, arbitrary: usual }, { weight: 1, arbitrary: rare })

const frames = fc.uniqueArray(
  fc.record({ slug, html, formerly: fc.array(slug, { maxLength: 2 }) }),
  { selector: (one) => one.slug, maxLength: 3 },
)
const item = fc.oneof(
  fc.record({
    url: fc.constantFrom('/x', 'https://elsewhere.test/'),
    title: fc.constantFrom('X', '<b>Y</b>', ''),
  }),
  fc.record({ page: mostly(fc.constantFrom('law-1', 'law-2'), fc.constant('no-such-page')) }),
)
/** One for each menu: two with the same name are a problem. */
const NAMES = ['Main', 'Größe', 'R&D', 'Others']
const LOCATIONS = ['header', 'footer_1']
/** @param languages of the site */
const menusIn = (languages: readonly string[]) =>
  fc
    .tuple(
      fc.uniqueArray(
        fc.tuple(
          slug,
          fc.array(item, { maxLength: 3 }),
          fc.record({
            name: mostly(fc.constant(undefined), fc.constant('main')),
            formerly: fc.array(slug, { maxLength: 1 }),
          }),
        ),
        { selector: ([name]) => name, maxLength: 3 },
      ),
      // A location has one menu.
      fc.uniqueArray(
        fc.record({
          at: fc.nat(2),
          location: fc.constantFrom(...LOCATIONS),
          lang: fc.constantFrom(undefined, ...languages),
        }),
        { selector: ({ location }) => location },
      ),
    )
    .map(([described, assigned]) =>
      described.map(([name, items, more], index) =>
        menu(`law-${name}`, items, {
          name: more.name ?? NAMES[SLUGS.indexOf(name)] ?? name,
          formerly: more.formerly.map((one) => `law-${one}`),
          locations: assigned.flatMap(({ at, location, lang }) =>
            at === index ? [{ location, ...(lang === undefined ? {} : { lang }) }] : [],
          ),
        }),
      ),
    )
const pagesOf = (slugs: readonly string[]) =>
  fc.uniqueArray(
    fc.record({
      path: fc.constantFrom('law-1', 'law-2'),
      frame: fc.option(slugs.length === 0 ? slug : mostly(fc.constantFrom(...slugs), slug)),
    }),
    { selector: ({ path }) => path },
  )
const desiredOf = (languages: readonly string[]): fc.Arbitrary<DesiredSite> =>
  frames.chain((described) =>
    fc.record({
      manages: fc.constantFrom('all' as const, 'named' as const),
      frames: fc.constant(described),
      menus: menusIn(languages),
      pages: pagesOf(described.map((one) => one.slug)),
      removedFrames: fc
        .subarray(SLUGS, { maxLength: 2 })
        .map((slugs) => slugs.map((slug) => ({ slug }))),
      variables: fc.option(fc.dictionary(fc.constantFrom('a', 'b'), fc.string()), {
        nil: undefined,
      }),
    }),
  )

/** Applies random desired states one after the other, each to what the one before left. */
async function assertLaw(
  site: Site,
  languages: readonly string[],
  numRuns: number,
): Promise<number> {
  const fixture = createSiteFixture(network.db, site)
  for (const path of ['law-1', 'law-2']) await fixture.page({ slug: path })
  const planned = createPlannedSite(network, site)
  const read = async () => ({
    ...(await readRestorableState(network.db, site)),
    variables: await fixture.option('svc_data_variables'),
  })
  let applied = 0
  await fc.assert(
    fc.asyncProperty(desiredOf(languages), fc.boolean(), async (wanted, takeBack) => {
      const before = await read()
      const plan = await planned.plan(wanted)
      const runId = randomUUID()
      const { outcome, steps } = await planned.apply(wanted, { runId, expectedDigest: plan.digest })
      if (plan.problems.length > 0) {
        expect(outcome).toBe('blocked')
        expect(await read()).toEqual(before)
        return
      }
      expect([outcome, steps]).toEqual(['applied', plan.steps])
      expect(await planned.plan(wanted)).toMatchObject({ steps: [], problems: [] })
      if (plan.steps.length === 0) expect(await read()).toEqual(before)
      else applied += 1
      if (!takeBack) return
      const { obstacles } = await planned.rollBack(runId)
      // Of what is there again, but has led nowhere before.
      const led = new Set(['item_target_missing', 'reference_missing'])
      expect(obstacles.filter(({ reason }) => !led.has(reason))).toEqual([])
      expect(await read()).toEqual(before)
    }),
    { numRuns },
  )
  return applied
}

it('a plan has nothing left to do after it was applied, and can be taken back', {
  timeout: 300_000,
}, async () => {
  expect(await assertLaw(await network.site(3), [], RUNS)).toBeGreaterThan(RUNS / 3)
})

it('a plan keeps the same law on a site with languages', { timeout: 300_000 }, async () => {
  expect(await assertLaw(await network.site(2), ['en', 'fr'], RUNS)).toBeGreaterThan(RUNS / 3)
})
