import { Command } from 'commander'
import { diffMenuItems } from '../../diff/menu-diff.ts'
import type { Moment } from '../../history/read-history.ts'
import { menuText } from '../../menus/menu-history.ts'
import { findThingAt, readState } from '../../restore/thing-at.ts'
import { findMenus } from '../../wordpress/nav-menus/nav-menu.ts'
import { readStoredMenu } from '../../wordpress/nav-menus/read-menu.ts'
import type { Site } from '../../wordpress/network/site.ts'
import { type CliContext, type CliServices, CommandError } from '../cli-context.ts'
import { atOption } from '../history/history-options.ts'
import { getSite, type SiteRef, siteOption } from '../sites/site-options.ts'
import { jsonLine, sanitizeForTerminal } from '../terminal.ts'
import { assertMigrated, withServices } from '../with-services.ts'

type ShowOptions = { readonly site: SiteRef; readonly at?: Moment; readonly json?: true }

/** `menus show <ref>`: prints the items of a menu as they are stored, now or at a former time. */
export function showMenuCommand(context: CliContext): Command {
  return new Command('show')
    .description('print the items of a menu as they are stored, now or at a former time')
    .argument('<ref>', 'its id, slug or name')
    .addOption(siteOption().makeOptionMandatory())
    .addOption(atOption())
    .option('--json', 'print {id, items}')
    .action((ref: string, options: ShowOptions) =>
      withServices(context, async (services) => {
        await assertMigrated(services)
        const site = await getSite(services, options.site)
        const { id, text } = await readMenuText(services, site, ref, options.at)
        const items = JSON.parse(text)
        const { changes } = diffMenuItems([], items, { changes: Number.POSITIVE_INFINITY })
        const paths = changes.map(({ path, to }) => `${path.join(' / ')}  ${to}\n`)
        process.stdout.write(
          options.json ? jsonLine({ id, items }) : sanitizeForTerminal(paths.join('')),
        )
      }),
    )
}

/** @throws CommandError if there is or was no such menu, or the history no longer has its items */
async function readMenuText(
  { db }: CliServices,
  site: Site,
  ref: string,
  at: Moment | undefined,
): Promise<{ readonly id: string; readonly text: string }> {
  const [menu] = await findMenus(db, site, ref)
  const current = menu && String(menu.id)
  const found = at
    ? await findThingAt(db, site, { kind: 'menu', ref, current }, at)
    : current === undefined
      ? undefined
      : { id: current }
  if (!found) throw new CommandError(`Site ${site.blogId} has or had no menu "${ref}".`)
  const { id } = found
  if ('entry' in found && found.entry) {
    const text = (await readState(db, site, found.entry))?.content
    if (text !== undefined) return { id, text }
    throw new CommandError(`The history no longer has the items of entry ${found.entry.id}.`)
  }
  const stored = await readStoredMenu(db, site, Number(id))
  return { id, text: stored ? await menuText(stored) : '[]' }
}
