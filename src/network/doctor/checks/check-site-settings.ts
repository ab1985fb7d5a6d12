import { listCopyUrls } from '../../../build/publishing/copies-table.ts'
import { homeDifference, homeDifferenceText } from '../../../wordpress/network/site-address.ts'
import { found, type Problem } from '../finding.ts'
import type { SiteSnapshot } from '../site-snapshot.ts'

/** Checks that the site's home is the address at which WordPress finds the site. */
export async function checkHome(snapshot: SiteSnapshot): Promise<Problem[]> {
  const { site } = snapshot
  const { home } = await snapshot.data.links()
  const difference = homeDifference(site, home)
  if (difference === undefined) return []
  const details = difference === 'path' ? OTHER_PATH : {}
  return [found('home_differs', homeDifferenceText(site, home), details)]
}

/** A home at a path that the site does not have. */
const OTHER_PATH = {
  severity: 'error',
  impact:
    'Pages have no copies, and redirects lead to addresses that the site does not have. A filter in PHP that corrects the home is not known here.',
} as const

/** Values by which a frame follows whether search engines may index the site. */
const ROBOTS_SOURCES = ['site.robots', 'settings.blog_public']

/** Checks that copies tell search engines what the site's setting tells them. */
export async function checkSearchEngines(snapshot: SiteSnapshot): Promise<Problem[]> {
  const { site, db, data } = snapshot
  const { robots } = await data.siteFields(null)
  if (!String(robots).includes('noindex')) return []
  const copies = (await listCopyUrls(db, site)).size
  const graph = await snapshot.graph()
  const isPrinted = graph
    .all()
    .some(({ meta }) => meta.sources.some((source) => ROBOTS_SOURCES.includes(source)))
  if (copies === 0 || isPrinted) return []
  return [
    found(
      'search_engines_invited',
      `The site asks search engines not to index it (option blog_public), and no frame prints that. ${copies} pages have copies.`,
    ),
  ]
}

/** Checks that no setting of Polylang makes an answer depend on the visitor where a copy is served. */
export async function checkBrowserLanguage(snapshot: SiteSnapshot): Promise<Problem[]> {
  const { active, list, settings } = await snapshot.data.languages()
  if (!active || list.length < 2 || !settings.browser || settings.forceLang === 3) return []
  return [
    found(
      'browser_language_ignored',
      'Polylang is set to detect the language of the browser, so WordPress redirects visitors of the home page to their language.',
    ),
  ]
}
