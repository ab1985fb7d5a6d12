import { expect, it } from 'vitest'
import { encodePhp } from '../../src/wordpress/serialized/encode-php.ts'
import { startFront } from '../support/front.ts'
import { addSites } from '../support/many-sites.ts'
import { statementsOf } from '../support/statements.ts'
import { use } from '../support/use.ts'

const SHOP = 2
/** The front pages in English, French and German. */
const PAGES = [3, 4, 5]

const front = await use(startFront())
await front.frame(SHOP, 'page', '<h1 data-op-bind="page.title"></h1>')
await front.assign(SHOP, 'page', PAGES)

/** Sets the domains of the shop's languages; without domains, languages are folders. */
async function setDomains(domains: Readonly<Record<string, string>>): Promise<void> {
  const { tables } = await front.network.site(SHOP)
  const isUsed = Object.keys(domains).length > 0
  const polylang = new Map<string, string | number | Map<string, string>>([
    ['force_lang', isUsed ? 3 : 1],
    ['domains', new Map(Object.entries(domains))],
    ['default_lang', 'en'],
  ])
  await front.network.db
    .sql(tables.options)
    .where({ option_name: 'polylang' })
    .update({ option_value: encodePhp(polylang) })
}

/** The number of statements of a build of the three pages: the lowest of three, because the process sends others meanwhile. */
async function countStatements(): Promise<number> {
  // The first build reads what later ones find in caches.
  await front.assign(SHOP, 'page', PAGES)
  const counts: number[] = []
  for (let build = 0; build < 3; build += 1) {
    const statements = await statementsOf(front.network.db, async () => {
      const { statics } = await front.assign(SHOP, 'page', PAGES)
      expect(PAGES.map((page) => statics.get(page)?.published)).toEqual([true, true, true])
    })
    counts.push(statements.length)
  }
  return Math.min(...counts)
}

it('a build for language domains takes one more statement than others, for any number of sites', async () => {
  await setDomains({})
  const without = await countStatements()
  await setDomains({ fr: 'http://laden.fr', de: 'http://laden.de' })
  expect(await countStatements()).toBeLessThanOrEqual(without + 1)
  const added = await addSites(front.network, 60)
  expect(await countStatements()).toBeLessThanOrEqual(without + 1)
  await added.remove()
})
