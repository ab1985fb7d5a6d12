import { escapeUTF8 } from 'entities'
import type { Response } from 'express'
import type { Db } from '../../db/database.ts'
import { groupBy } from '../../host/group-by.ts'
import { listSites } from '../../wordpress/network/find-sites.ts'
import { type GlobalTables, isClosed } from '../../wordpress/network/site.ts'
import { sendMessagePage } from './page-responses.ts'

/** Further hosts are counted. */
const MAX_HOSTS = 100

/** Whether only this machine or its own network can reach a server that listens at this host. */
export function isLocalHost(host: string): boolean {
  return /^(?:localhost$|127\.|10\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.|::1$|f[cd][0-9a-f]{2}:)/i.test(
    host,
  )
}

/** The answer at a host of no site to an operator who tries the front: the hosts that sites have. */
export async function sendHostsPage(
  response: Response,
  db: Db,
  globals: GlobalTables,
  host: string,
): Promise<void> {
  const sites = (await listSites(db, globals)).filter((site) => !isClosed(site))
  const hosts = [...groupBy(sites, ({ domain }) => domain)]
  const items = hosts.slice(0, MAX_HOSTS).map(([domain, ofHost]) => {
    const [first] = ofHost
    const name = escapeUTF8(domain)
    const count = ofHost.length === 1 ? '' : ` (${ofHost.length} sites)`
    return `<li><a href="http://${name}${escapeUTF8(first?.path ?? '/')}">${name}</a>${count}</li>`
  })
  const rest = hosts.length - items.length
  const more = rest > 0 ? `<li>and ${rest} more</li>` : ''
  const list = items.length > 0 ? `<ul>${items.join('\n')}${more}</ul>` : ''
  const said = items.length > 0 ? 'The hosts of this network:' : 'This network has no site yet.'
  sendMessagePage(response, 404, {
    title: 'No site has this host',
    html: `<p>No site has the host <code>${escapeUTF8(host)}</code>. ${said}</p>${list}
<p>You see this list because the service runs on a terminal and listens at an address that is not public. Visitors get "Not found".</p>`,
  })
}
