import { listCopyUrls } from '../../../build/publishing/copies-table.ts'
import { homeDifference, homeDifferenceText } from '../../../wordpress/network/site-address.ts'
import type { Problem } from '../finding.ts'
import type { SiteSnapshot } from '../site-snapshot.ts'

/** Checks that the site's home is the address at which WordPress finds the site. */
export async function checkHome(snapshot: SiteSnapshot): Promise<Problem[]> {
  const { site } = snapshot
  const { home } = await snapshot.data.links()
  const difference = homeDifference(site, home)
  if (difference === undefined) return []
  return [
    {
      check: 'home_differs',
      severity: difference === 'path' ? 'error' : 'warning',
      message: homeDifferenceText(site, home),
      impact:
        difference === 'path'
          ? 'Pages have no copies, and redirects lead to addresses that the site does not have. A filter in PHP that corrects the home is not known here.'
          : 'Pages are published at the host of the home. WordPress serves them there only if a plugin maps the host to the site.',
      fixHint: `Set both to the same address, such as with "wp option update home" and "wp option update siteurl".`,
    },
  ]
}

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
    {
      check: 'search_engines_invited',
      severity: 'info',
      message: `The site asks search engines not to index it (option blog_public), and no frame prints that. ${copies} pages have copies.`,
      impact:
        'The front sends "X-Robots-Tag: noindex, nofollow". A web server or a store that serves the copies itself does not.',
      fixHint:
        'Add <meta name="robots" data-op-bind="content:site.robots"> to the head of the frames of pages.',
    },
  ]
}

/** Checks that no setting of Polylang makes an answer depend on the visitor where a copy is served. */
export async function checkBrowserLanguage(snapshot: SiteSnapshot): Promise<Problem[]> {
  const { active, list, settings } = await snapshot.data.languages()
  if (!active || list.length < 2 || !settings.browser || settings.forceLang === 3) return []
  return [
    {
      check: 'browser_language_ignored',
      severity: 'warning',
      message:
        'Polylang is set to detect the language of the browser, so WordPress redirects visitors of the home page to their language.',
      impact:
        'Copies and the front show the home page in the default language to everybody, because a copy does not depend on the visitor.',
      fixHint:
        'Switch "Detect browser language" off in Languages > Settings, or let the web server redirect the home page.',
    },
  ]
}
