import { AppError } from '../../../errors.ts'
import type { Site } from '../../../wordpress/network/site.ts'
import {
  type Address,
  parseAddress,
  parsePageUrl,
  queryValue,
} from '../../../wordpress/permalinks/address.ts'
import { findPageAt } from '../../../wordpress/permalinks/find-page-at.ts'
import { readLinkSettings } from '../../../wordpress/permalinks/link-settings.ts'
import { homeUrl } from '../../../wordpress/permalinks/urls.ts'
import type { CliServices } from '../../cli-context.ts'
import { describeError, describeKnownError } from '../../describe-error.ts'
import { withClient } from './dev-client.ts'
import type { DevAnswer } from './dev-server.ts'
import { previewFolder } from './preview-folder.ts'

export type DevSite = {
  readonly site: Site
  /** The language whose host the dev server serves; undefined for the default language. */
  readonly lang: string | undefined
  /** Path of the folder. */
  readonly folder: string
}

type DevServices = Pick<CliServices, 'db' | 'bakery' | 'log'>

/** The home of the site in its language. */
export async function homeOf({ db }: DevServices, { site, lang }: DevSite): Promise<URL> {
  const links = await readLinkSettings(db, site)
  return new URL(homeUrl(links, lang ?? links.languages.default))
}

/**
 * The page at a path of the site, with the frames of the folder. What is no page (images, posts, other sites) is fetched from the site itself.
 * @param target path and query
 */
export async function answerPage(
  services: DevServices,
  dev: DevSite,
  target: string,
  revision: string,
): Promise<DevAnswer> {
  try {
    return await findAndPreview(services, dev, target, revision)
  } catch (error) {
    const known = describeKnownError(error)
    if (known === undefined) process.stderr.write(`${describeError(error)}\n`)
    const message = known ?? 'The page could not be built; the reason is in the terminal.'
    const status = error instanceof AppError && error.code === 'page_has_no_frame' ? 404 : 500
    const data = { revision, problems: [{ file: '', message }], origins: [] }
    return { status, html: withClient(EMPTY_PAGE, data) }
  }
}

async function findAndPreview(
  services: DevServices,
  dev: DevSite,
  target: string,
  revision: string,
): Promise<DevAnswer> {
  const home = await homeOf(services, dev)
  const address = parseAddress(home.host, target)
  const page = address && (await findPage(services, dev, address))
  if (page === undefined) {
    const isAbove = target === '/' && home.pathname !== '/'
    return { location: isAbove ? home.pathname : `${home.origin}${target}` }
  }
  const { html, problems } = await previewFolder(services, dev.site, dev.folder, page)
  const origins = ['http:', 'https:'].map((scheme) => `${scheme}//${home.host}`)
  return { status: 200, html: withClient(html, { revision, problems, origins }) }
}

const EMPTY_PAGE = '<!doctype html><html lang="en"><title>Not built</title></html>'

/** The id of the page at an address of the site. Drafts have the address `?page_id=12`. */
async function findPage(
  { db }: DevServices,
  { site }: DevSite,
  address: Address,
): Promise<number | undefined> {
  const links = await readLinkSettings(db, site)
  const base = parsePageUrl(`${links.home}/`)?.segments ?? []
  const isOfSite = base.every((segment, index) => address.segments[index] === segment)
  if (!isOfSite) return undefined
  const id = queryValue(address, 'page_id') ?? ''
  if (/^\d{1,15}$/.test(id)) return Number(id)
  return (await findPageAt(db, site, links, address))?.page.id
}
