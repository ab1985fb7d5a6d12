import type { Command } from 'commander'
import type { Output } from '#client'
import { storedLink } from '../../content/diff/compared-items.ts'
import { diffMenuItems } from '../../content/diff/menu-diff.ts'
import { decodeName } from '../../wordpress/formatting/plain-text.ts'
import { CliCommand } from '../cli-command.ts'
import type { CliContext } from '../cli-context.ts'
import { atOption } from '../history/history-options.ts'
import { findSite } from '../sites/find-sites.ts'
import { type SiteRef, siteOption } from '../sites/site-options.ts'
import { jsonLine, sanitizeForTerminal } from '../terminal.ts'
import { atService } from '../with-service.ts'

type ShowMenuOptions = {
  readonly site: SiteRef
  readonly at?: string
  readonly json?: true
}

/** `menus show <ref>`: prints the items of a menu as they are stored, now or at a former time. */
export function showMenuCommand(context: CliContext): Command {
  const command = new CliCommand('show')
    .argument('<ref>', 'its id, slug or name, or a location, as in ~header')
    .addOption(siteOption().makeOptionMandatory())
    .addOption(atOption())
    .option('--json', 'print what GET /site/<id>/menus/<ref> answers')
    .examples(
      'wp-frames menus show ~header --site 2',
      'wp-frames menus show main-menu --site 2 --at 1207',
    )
  return atService(context, command, async ({ client }, ref: string, options: ShowMenuOptions) => {
    const { at, json } = options
    const site = await findSite(client, options.site)
    const links = at === undefined && !json
    const answer = await client.getMenu({ site_id: site.blogId, ref, at, links })
    process.stdout.write(json ? jsonLine(answer) : sanitizeForTerminal(formatItems(answer.items)))
  })
}

type Item = Output<'getMenu'>['items'][number]

/**
 * One line for each item: its id, the labels from the top level to it, what it links, and why visitors cannot follow it. Each is an addition to
 * nothing.
 */
function formatItems(items: readonly Item[]): string {
  const indexes = new Map(items.map(({ id }, index) => [id, index]))
  const compared = items.map(({ id, parent, title, type, object, object_id, url, link }) => ({
    id,
    parent: indexes.get(parent) ?? -1,
    // An item without a title has that of what it links.
    title: title || decodeName(link?.title ?? ''),
    link: storedLink(type, object, String(object_id), url),
    others: {},
  }))
  const { changes } = diffMenuItems([], compared)
  const problems = new Map(items.map(({ id, link }) => [id, link?.message]))
  const lineOf = (id: number, ...texts: readonly string[]): string =>
    `${[id, ...texts, ...(problems.get(id) ? [`(${problems.get(id)})`] : [])].join('  ')}\n`
  return changes
    .map(({ id, path, to }) => lineOf(id, path.map(({ text }) => text).join(' / '), `${to?.text}`))
    .join('')
}
