import {
  findBlog,
  findBlogByAddress,
  listManageableSites,
  siteIfInstalled,
} from '../../wordpress/network/find-sites.ts'
import { type Site, siteAddress } from '../../wordpress/network/site.ts'
import { type CliServices, CommandError } from '../cli-context.ts'
import { findNamedSite, suggestSite } from './named-site.ts'
import type { SiteRef } from './site-options.ts'

/** @throws CommandError if the site does not exist or is deleted, or several have this name */
export async function getSite({ db, globals }: CliServices, name: SiteRef): Promise<Site> {
  const row =
    'blogId' in name
      ? await findBlog(db, globals, name.blogId)
      : await findBlogByAddress(db, globals, name.host, [name.path])
  const site = row && (await siteIfInstalled(db, globals, row))
  if (site?.deleted)
    throw new CommandError(
      `Site ${site.blogId} (${siteAddress(site)}) is deleted or was never activated. Restore it in wp-admin first.`,
    )
  if (site) return site
  if ('blogId' in name) throw noSite(`with the id ${name.blogId}`)
  const text = `${name.host}${name.path}`.replace(/\/$/, '')
  const sites = await listManageableSites(db, globals)
  const named = findNamedSite(sites, text)
  if (named) return named
  throw noSite(`at ${name.text}`, suggestSite(sites, text))
}

const noSite = (description: string, suggestion = ''): CommandError =>
  new CommandError(
    `There is no site ${description}.${suggestion} "wp-frames sites" lists the sites.`,
  )
