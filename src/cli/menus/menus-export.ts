import { join } from 'node:path'
import { Command, Option } from 'commander'
import type { Db } from '../../db/database.ts'
import { FILE_FORMATS, type FileFormat, formatMenuFile } from '../../menus/format-menu-file.ts'
import { isMenuSize, MAX_ITEMS, MAX_LEVELS } from '../../menus/item-tree.ts'
import type { LeftOutItem } from '../../menus/portable-items.ts'
import { type PortableMenu, readPortableMenu } from '../../menus/portable-menu.ts'
import { writeFileAtomically } from '../../publishing/atomic-write.ts'
import { getMenu } from '../../wordpress/nav-menus/find-menu.ts'
import { listMenus, type Menu } from '../../wordpress/nav-menus/nav-menu.ts'
import type { Site } from '../../wordpress/network/site.ts'
import { type LinkSettings, readLinkSettings } from '../../wordpress/permalinks/link-settings.ts'
import { type CliContext, type CliServices, CommandError } from '../cli-context.ts'
import { examples } from '../examples.ts'
import { getSite } from '../sites/requested-sites.ts'
import { runOverSites, type SiteReport, type SiteRun } from '../sites/run-over-sites.ts'
import {
  addSiteOptions,
  parseFolder,
  type SiteOptions,
  type SiteRef,
  siteFolder,
} from '../sites/site-options.ts'
import { pluralize, sanitizeForTerminal, textForOutput } from '../terminal.ts'
import { withServices } from '../with-services.ts'

type ExportOptions = SiteOptions & { readonly folder?: string; readonly format: FileFormat }

/** `menus export [menu...]`: prints one menu, or writes several to files. */
export function exportMenusCommand(context: CliContext): Command {
  const command: Command = new Command('export')
    .argument('[menu...]', 'their ids, slugs, names or ~locations; all menus if omitted')
    .option(
      '--folder <folder>',
      'the target folder; with --network, each site gets a subfolder site-<id>',
      parseFolder,
    )
    .addOption(
      new Option('--format <format>', 'the file format').choices(FILE_FORMATS).default('yaml'),
    )
    .addHelpText(
      'after',
      examples(
        'wp-frames menus export main-menu --site 2 > main-menu.yaml',
        'wp-frames menus export --folder menus --network',
      ),
    )
  return addSiteOptions(command, 'folder, menus').action(
    (refs: string[], options: ExportOptions) => {
      const { folder, site, format } = options
      if (folder !== undefined) {
        return withServices(context, (services) =>
          runOverSites(services, options, (one, run) =>
            exportSite(services, one, run, refs, { folder, ...options }),
          ),
        )
      }
      const [ref, ...others] = refs
      if (site === undefined || ref === undefined || others.length > 0)
        command.error('error: name one menu and one site, or use --folder for several menus')
      return withServices(context, (services) =>
        printMenu(services, site, ref, options.json ? 'json' : format),
      )
    },
  )
}

/** Prints only the tree to standard output, so that it can be redirected. */
async function printMenu(
  services: CliServices,
  name: SiteRef,
  ref: string,
  format: FileFormat,
): Promise<void> {
  const site = await getSite(services, name)
  const links = await readLinkSettings(services.db, site)
  const menu = await getMenu(services.db, site, links.languages, ref)
  const exported = await exportMenu(services.db, site, links, menu)
  process.stderr.write(sanitizeForTerminal(formatLeftOut(exported)))
  process.stdout.write(textForOutput(formatMenuFile(exported, format)))
}

async function exportSite(
  { db }: CliServices,
  site: Site,
  { signal, progress }: SiteRun,
  refs: readonly string[],
  { folder: root, format, ...options }: ExportOptions & { readonly folder: string },
): Promise<SiteReport> {
  const folder = siteFolder(root, site, options)
  const links = await readLinkSettings(db, site)
  const menus = await findRequestedMenus(db, site, links, refs)
  progress.expect(menus.length)
  const done: { menu: PortableMenu & Pick<Menu, 'id'>; file: string }[] = []
  for (const menu of menus) {
    if (signal.aborted) break
    const exported = await exportMenu(db, site, links, menu)
    const name = `${menuFileName({ id: menu.id, slug: exported.slug })}.${format}`
    const file = join(folder, name)
    await writeFileAtomically(file, Buffer.from(formatMenuFile(exported, format)))
    done.push({ menu: { id: menu.id, ...exported }, file })
    progress.tick()
  }
  const isStopped = done.length < menus.length
  return {
    state: isStopped ? 'stopped' : 'done',
    outcome: isStopped
      ? `${done.length} of ${menus.length} menus written`
      : `${pluralize(done.length, 'menu')}${done.length > 0 ? ` in ${folder}` : ''}`,
    detail: sanitizeForTerminal(done.map(({ menu }) => formatLeftOut(menu)).join('')),
    data: {
      folder,
      menus: done.map(({ menu: { id, name, slug, items, leftOut }, file }) => ({
        id,
        name,
        slug,
        file,
        items: items.length,
        left_out: leftOut,
      })),
    },
  }
}

async function findRequestedMenus(
  db: CliServices['db'],
  site: Site,
  { languages }: LinkSettings,
  refs: readonly string[],
): Promise<Menu[]> {
  if (refs.length === 0) return listMenus(db, site)
  const menus = new Map<number, Menu>()
  for (const ref of refs) {
    const menu = await getMenu(db, site, languages, ref)
    menus.set(menu.id, menu)
  }
  return [...menus.values()]
}

/** The decoded slug of the menu, or its id if the slug is not a valid file name. */
function menuFileName({ id, slug }: Pick<Menu, 'id' | 'slug'>): string {
  return /^[\p{L}\p{N}_-]{1,80}$/u.test(slug) ? slug : `menu-${id}`
}

/**
 * Reads a menu for a file.
 * @throws CommandError if it is too large to be imported
 */
async function exportMenu(
  db: Db,
  site: Site,
  links: LinkSettings,
  menu: Menu,
): Promise<PortableMenu> {
  const portable = await readPortableMenu(db, site, links, menu)
  if (isMenuSize(portable.items)) return portable
  const levels = portable.items.reduce((most, { at }) => Math.max(most, at.split('.').length), 0)
  throw new CommandError(
    `The menu "${portable.slug}" has ${portable.items.length} items on ${levels} levels; a menu file can contain at most ${MAX_ITEMS} items on ${MAX_LEVELS} levels.`,
  )
}

/** One line for each item that is not in the file. */
function formatLeftOut({ slug, leftOut }: PortableMenu): string {
  return leftOut
    .map(
      ({ id, title, reason }) =>
        `${slug}: left out "${title}" (item ${id}): ${LEFT_OUT_REASONS[reason]}.\n`,
    )
    .join('')
}

const LEFT_OUT_REASONS: Record<LeftOutItem['reason'], string> = {
  draft: 'the item is a draft',
  gone: 'its target does not exist or is in the trash',
  unnamed: 'its target has no path that identifies it on other sites',
}
