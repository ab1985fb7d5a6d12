import type { Command } from 'commander'
import { storedItems } from '../../content/diff/compared-items.ts'
import { diffMenuItems } from '../../content/diff/menu-diff.ts'
import type { MenuItemContent } from '../../content/menus/menu-history.ts'
import { decodeName } from '../../wordpress/formatting/plain-text.ts'
import { CliCommand } from '../cli-command.ts'
import type { CliContext } from '../cli-context.ts'
import { atOption } from '../history/history-options.ts'
import { findSite } from '../sites/find-sites.ts'
import { type SiteRef, siteOption } from '../sites/site-options.ts'
import { jsonLine, sanitizeForTerminal } from '../terminal.ts'
import { addEnvironmentOption, type EnvironmentOptions, withService } from '../with-service.ts'

type ShowMenuOptions = EnvironmentOptions & {
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
  return addEnvironmentOption(command).action((ref: string, options: ShowMenuOptions) =>
    withService(context, options, async ({ client }) => {
      const { at, json } = options
      const site = await findSite(client, options.site)
      const links = at === undefined && !json
      const answer = await client.getMenu({ site_id: site.blogId, ref, at, links })
      process.stdout.write(json ? jsonLine(answer) : sanitizeForTerminal(formatItems(answer.items)))
    }),
  )
}

/** An item of the API, as far as its line needs it. */
type Item = Pick<MenuItemContent, 'id' | 'order' | 'status' | 'title'> & {
  readonly parent: number
  readonly type: string
  readonly object: string
  readonly object_id: number
  readonly url: string
  readonly link?: { readonly title: string; readonly message: string | null }
}

/**
 * One line for each item: its id, the labels from the top level to it, what it links, and why visitors cannot follow it. Each is an addition to
 * nothing.
 */
function formatItems(items: readonly Item[]): string {
  const contents = items.map(({ parent, type, object, object_id, url, link, ...item }) => ({
    ...item,
    // An item without a title has that of what it links.
    title: item.title || decodeName(link?.title ?? ''),
    excerpt: '',
    content: '',
    meta: {
      _menu_item_menu_item_parent: String(parent),
      _menu_item_type: type,
      _menu_item_object: object,
      _menu_item_object_id: String(object_id),
      _menu_item_url: url,
    },
  }))
  const limits = { changes: Number.POSITIVE_INFINITY }
  const { changes } = diffMenuItems([], storedItems(contents), limits)
  const problems = new Map(items.map(({ id, link }) => [id, link?.message]))
  const lineOf = (id: number, ...texts: readonly string[]): string =>
    `${[id, ...texts, ...(problems.get(id) ? [`(${problems.get(id)})`] : [])].join('  ')}\n`
  return changes
    .map(({ id, path, to }) => lineOf(id, path.map(({ text }) => text).join(' / '), `${to?.text}`))
    .join('')
}
