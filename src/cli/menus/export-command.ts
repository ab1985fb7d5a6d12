import { join } from 'node:path'
import { type Command, Option } from 'commander'
import type { Client, Output } from '#client'
import { FILE_FORMATS, type FileFormat, formatMenuFile } from '../../content/menus/menu-file.ts'
import { writeFileAtomically } from '../atomic-write.ts'
import { CliCommand } from '../cli-command.ts'
import type { CliContext } from '../cli-context.ts'
import { findSite, findSites } from '../sites/find-sites.ts'
import { runOnSites, type SiteReport, type SiteRun } from '../sites/run-over-sites.ts'
import {
  type AddressedSite,
  addSiteOptions,
  parseFolder,
  type SiteOptions,
  siteFolder,
} from '../sites/site-options.ts'
import { pluralize, sanitizeForTerminal, textForOutput } from '../terminal.ts'
import {
  addEnvironmentOption,
  type EnvironmentOptions,
  type Service,
  withService,
} from '../with-service.ts'

type ExportedMenu = Output<'getMenuFile'>

type ExportOptions = SiteOptions &
  EnvironmentOptions & { readonly folder?: string; readonly format: FileFormat }

/** `menus export [menu...]`: prints one menu, or writes several to files. */
export function exportMenusCommand(context: CliContext): Command {
  const command: Command = new CliCommand('export')
    .argument('[menu...]', 'their ids, slugs, names or ~locations; all menus if omitted')
    .option(
      '--folder <folder>',
      'the target folder; with --network, each site gets a subfolder site-<id>',
      parseFolder,
    )
    .addOption(
      new Option('--format <format>', 'the file format').choices(FILE_FORMATS).default('yaml'),
    )
    .examples(
      'wp-frames menus export main-menu --site 2 > main-menu.yaml',
      'wp-frames menus export --folder menus --network',
    )
  addSiteOptions(command, 'folder, menus')
  return addEnvironmentOption(command).action((refs: string[], options: ExportOptions) => {
    const { folder, site, format, json } = options
    const [ref, ...others] = refs
    const isOne = site !== undefined && ref !== undefined && others.length === 0
    if (folder === undefined && !isOne)
      command.error('error: name one menu and one site, or use --folder for several menus')
    const work = async (service: Service): Promise<void> => {
      const { client } = service
      if (folder === undefined && site !== undefined && ref !== undefined) {
        const { blogId } = await findSite(client, site)
        const exported = await client.getMenuFile({ site_id: blogId, ref })
        process.stderr.write(sanitizeForTerminal(formatLeftOut(exported)))
        // Only the tree, so that it can be redirected.
        process.stdout.write(textForOutput(formatMenuFile(exported.menu, json ? 'json' : format)))
        return
      }
      const sites = await findSites(client, options)
      await runOnSites(service, sites, options, (one, run) =>
        exportSite(client, one, run, refs, { ...options, folder: folder ?? '.' }),
      )
    }
    return withService(context, options, work, { tables: false })
  })
}

async function exportSite(
  client: Client,
  site: AddressedSite,
  { signal, progress }: SiteRun,
  refs: readonly string[],
  { folder: root, format, ...options }: ExportOptions & { readonly folder: string },
): Promise<SiteReport> {
  const folder = siteFolder(root, site, options)
  const site_id = site.blogId
  const wanted =
    refs.length > 0 ? refs : (await client.listMenus({ site_id })).menus.map(({ id }) => String(id))
  progress.expect(wanted.length)
  const files = new Map<string, ExportedMenu>()
  let done = 0
  for (const ref of wanted) {
    if (signal.aborted) break
    const exported = await client.getMenuFile({ site_id, ref })
    const file = join(folder, `${menuFileName(exported)}.${format}`)
    await writeFileAtomically(file, Buffer.from(formatMenuFile(exported.menu, format)))
    files.set(file, exported)
    done += 1
    progress.tick()
  }
  const isStopped = done < wanted.length
  return {
    state: isStopped ? 'stopped' : 'done',
    outcome: isStopped
      ? `${done} of ${wanted.length} menus written`
      : `${pluralize(files.size, 'menu')}${files.size > 0 ? ` in ${folder}` : ''}`,
    detail: sanitizeForTerminal([...files.values()].map(formatLeftOut).join('')),
    data: {
      folder,
      menus: [...files].map(([file, { id, menu, left_out }]) => {
        const { name, slug, items } = menu
        return { id, name, slug, file, items: countItems(items), left_out }
      }),
    },
  }
}

type ExportedItems = readonly { readonly children?: unknown }[]

const countItems = (items: ExportedItems): number =>
  items.reduce((sum, { children = [] }) => sum + 1 + countItems(children as ExportedItems), 0)

/** The decoded slug of the menu, or its id if the slug is not a valid file name: with a point, which no slug has. */
function menuFileName({ id, menu: { slug } }: ExportedMenu): string {
  return /^[\p{L}\p{N}_-]{1,80}$/u.test(slug) ? slug : `menu.${id}`
}

/** One line for each item that is not in the file. */
function formatLeftOut({ menu: { slug }, left_out }: ExportedMenu): string {
  return left_out
    .map(
      ({ id, title, reason }) =>
        `${slug}: left out "${title}" (item ${id}): ${LEFT_OUT_REASONS[reason]}.\n`,
    )
    .join('')
}

const LEFT_OUT_REASONS: Record<ExportedMenu['left_out'][number]['reason'], string> = {
  draft: 'the item is a draft',
  gone: 'its target does not exist or is in the trash',
  unnamed: 'its target has no path that identifies it on other sites',
}
