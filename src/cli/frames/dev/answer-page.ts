import { type Client, isServiceError } from '#client'
import type { AddressedSite } from '../../sites/site-options.ts'
import { withClient } from './dev-client.ts'
import type { DevAnswer } from './dev-server.ts'
import { previewFolder } from './preview-folder.ts'

export type DevSite = {
  readonly client: Client
  readonly site: AddressedSite
  /** The language whose host the dev server serves; undefined for the default language. */
  readonly lang: string | undefined
  /** Path of the folder. */
  readonly folder: string
}

/** What is at a path of the site. @param target path and query */
export const findAt = ({ client, site, lang }: DevSite, target: string) =>
  client.getAddress({
    site_id: site.blogId,
    url: target,
    ...(lang === undefined ? {} : { lang }),
  })

/**
 * The page at a path of the site, with the frames of the folder. What is no page (images, posts, other sites) is fetched from the site itself.
 * @param target path and query
 */
export async function answerPage(
  dev: DevSite,
  target: string,
  revision: string,
): Promise<DevAnswer> {
  try {
    return await findAndPreview(dev, target, revision)
  } catch (error) {
    const { describeError, describeKnownError } = await import('../../describe-error.ts')
    const known = describeKnownError(error)
    if (known === undefined) process.stderr.write(`${describeError(error)}\n`)
    const message = known ?? 'The page could not be built; the reason is in the terminal.'
    const status = isServiceError(error, 'page_has_no_frame') ? 404 : 500
    const data = { revision, problems: [{ file: '', message }], origins: [] }
    return { status, html: withClient(EMPTY_PAGE, data) }
  }
}

async function findAndPreview(dev: DevSite, target: string, revision: string): Promise<DevAnswer> {
  const found = await findAt(dev, target)
  const { host, pathname } = new URL(found.home)
  if (!found.page) {
    const isAbove = target === '/' && pathname !== '/'
    return { location: isAbove ? pathname : found.url }
  }
  const { html, problems } = await previewFolder(dev.client, dev.site, dev.folder, found.page.id)
  const origins = ['http:', 'https:'].map((scheme) => `${scheme}//${host}`)
  return { status: 200, html: withClient(html, { revision, problems, origins }) }
}

const EMPTY_PAGE = '<!doctype html><html lang="en"><title>Not built</title></html>'
