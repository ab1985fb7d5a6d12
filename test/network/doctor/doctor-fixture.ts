import type { CopyStoreSettings } from '../../../src/build/publishing/open-copy-store.ts'
import type { CheckCode } from '../../../src/network/doctor/check-codes.ts'
import { examineNetwork, examineSite } from '../../../src/network/doctor/examine.ts'
import type { DoctorServices, Finding } from '../../../src/network/doctor/finding.ts'
import { fixSite } from '../../../src/network/doctor/fix.ts'
import {
  deleteMenuItems,
  readRelatedMenus,
} from '../../../src/wordpress/nav-menus/delete-menu-items.ts'
import { recountMenus } from '../../../src/wordpress/nav-menus/menu-term.ts'
import { createTestExecutor } from '../../support/local-executor.ts'
import { type NetworkOptions, useNetwork } from '../../support/network.ts'
import { createSiteFixture } from '../../support/site-fixture.ts'
import { use, useFolder } from '../../support/use.ts'

const FOOTER = 26
const ITEM_ON_TRASH = 46
/** A draft, a private, a future and a protected page, which items of the dump link. */
const HIDDEN_PAGES = [19, 20, 21, 22]
const PUBLIC_PAGE = 13

/**
 * A cloned network with its own folder of static copies, or another target, and the doctor on its site `shop`;
 * all end with the tests.
 */
export async function useDoctorFixture(
  { target, ...options }: NetworkOptions & { readonly target?: CopyStoreSettings } = {},
  blogId = 2,
) {
  const network = await useNetwork(options)
  const { db, globals } = network
  const site = await network.site(blogId)
  // The dump contains one kind of problem: links that visitors cannot follow.
  await db.write({}, async (tx) => {
    const menus = await readRelatedMenus(tx, site, FOOTER)
    deleteMenuItems(tx, site, [ITEM_ON_TRASH], menus)
    recountMenus(tx, site, menus)
  })
  await db
    .sql(site.tables.postmeta)
    .where({ meta_key: '_menu_item_object_id' })
    .whereIn('meta_value', HIDDEN_PAGES)
    .update({ meta_value: PUBLIC_PAGE })
  // Its sites are hidden from search engines, which is a finding where a page has a copy.
  await db
    .sql(site.tables.options)
    .where({ option_name: 'blog_public' })
    .update({ option_value: '1' })
  const staticDir = await useFolder('doctor')
  const folder = target ?? { staticDir }
  const executor = await use(createTestExecutor({ db, globals, ...folder }))
  // Later than everything that a test has just written.
  const now = () => new Date(Date.now() + 5000)
  const { copies } = executor
  const services: DoctorServices = { db, globals, executor, copies, now }
  const { frame, assign, idOf, option, setOption, deleteOption } = createSiteFixture(db, site, {
    executor,
  })
  /** The findings on the shop with these codes; without codes, all findings but those on character sets. */
  const examine = async (...checks: readonly CheckCode[]) =>
    (await examineSite(services, site)).filter(({ check }) =>
      checks.length > 0 ? checks.includes(check) : check !== 'charset_narrow',
    )
  return {
    network,
    site,
    services,
    executor,
    staticDir,
    examine,
    /** These findings in one line each: `severity check: message`. */
    found: async (...checks: readonly CheckCode[]) => (await examine(...checks)).map(lineOf),
    /** All findings on the shop, read with connections of the pool, whose statements can be counted, instead of a snapshot. */
    examineOnPool: () =>
      examineSite({ ...services, db: { ...db, snapshot: (work) => work(db) } }, site),
    /** The codes of the findings on the shop, sorted and unique. */
    codes: async () => [...new Set((await examine()).map(({ check }) => check))].sort(),
    examineNetwork: () => examineNetwork(services),
    /** Applies the fixes of the shop. */
    fix: () => fixSite(services, site),
    /** Creates a frame, assigns it to pages, bakes and publishes it. Returns its id. */
    publish: async (slug: string, html: string, pages: readonly number[] = []) => {
      await frame(slug, html)
      await assign(slug, pages)
      return idOf(slug)
    },
    idOf,
    option,
    /** Writes an option without the service. */
    setOption,
    deleteOption,
  }
}

/** A finding in one line. */
export const lineOf = ({ severity, check, message }: Finding): string =>
  `${severity} ${check}: ${message}`
