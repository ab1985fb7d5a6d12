import { Command, InvalidArgumentError } from 'commander'
import type { PortableAssignment } from '../../menus/portable-menu.ts'
import { type CliContext, CommandError } from '../cli-context.ts'
import { pluralize, sanitizeForTerminal } from '../terminal.ts'
import { runOverSites } from '../sites/run-over-sites.ts'
import { type SiteOptions, addSiteOptions } from '../sites/site-options.ts'
import { getUserByLogin } from '../tokens/token-arguments.ts'
import { withServices } from '../with-services.ts'
import { importMenu } from './import-menu.ts'
import { formatProblems } from './problem-lines.ts'
import { type MenuFile, readMenuFile } from './read-menu-file.ts'
import { readMenuText } from './read-menu-text.ts'

type ImportOptions = SiteOptions & {
  readonly name?: string
  readonly slug?: string
  readonly lang?: string
  readonly assign?: true
  readonly location?: readonly PortableAssignment[]
  readonly replace?: true
  readonly allowInvalid?: true
  readonly dryRun?: true
  readonly user?: string
}

/** `menus import <file>`: writes a menu of a file to sites. */
export function importMenuCommand(context: CliContext): Command {
  const command = new Command('import')
    .description('make a menu of a file that "menus export" wrote, in YAML or JSON')
    .argument('<file>', 'the file; - for standard input')
    .option('--dry-run', 'show what would change, line by line, and write nothing')
    .option('--replace', 'give a menu that bears the slug already the names and items of the file')
    .option('--assign', 'set it at the locations that the file names')
    .option('--location <location[:lang]>', 'set it there instead; may be repeated', parseLocation)
    .option(
      '--lang <code>',
      'link the translations into this language, and set it at its locations',
    )
    .option('--slug <slug>', 'instead of the one in the file')
    .option('--name <name>', 'instead of the one in the file')
    .option('--allow-invalid', 'leave out items on pages that are not published')
    .option('--user <login>', 'who is to be the author of the items; nobody if left out')
  return addSiteOptions(command, 'menu, result, diff, problems').action(
    (file: string, options: ImportOptions) =>
      withServices(context, async (services) => {
        const menu = applyOptions(readMenuFile(await readMenuText(file)), options)
        if (menu.problems.length > 0) {
          const count = pluralize(menu.problems.length, 'problem')
          throw new CommandError(
            `${sanitizeForTerminal(formatProblems(menu.problems))}${count} in the file.`,
          )
        }
        const { replace = false, allowInvalid = false, dryRun = false } = options
        const user =
          options.user === undefined ? NO_AUTHOR : await getUserByLogin(services, options.user)
        await runOverSites(services, options, (site) =>
          importMenu(services, site, menu, { replace, allowInvalid, dryRun, user }),
        )
      }),
  )
}

/** The author of what nobody is named for, as with WP-CLI. */
const NO_AUTHOR = { id: 0, login: '', barred: false }

/** The menu as it is to be written. */
function applyOptions(file: MenuFile, options: ImportOptions): MenuFile {
  const { name = file.name, slug = file.slug, lang, assign, location } = options
  const fromFile = assign || file.assign ? file.places : []
  if (lang === undefined) return { ...file, name, slug, places: location ?? fromFile }
  // A language that is named with a location is meant there; one in the file is that of the old menu.
  const places =
    location?.map((place) => ({ lang, ...place })) ?? fromFile.map((place) => ({ ...place, lang }))
  return { ...file, name, slug, places, tree: { ...file.tree, targetLang: lang } }
}

function parseLocation(
  text: string,
  places: readonly PortableAssignment[] = [],
): PortableAssignment[] {
  const [, location, lang] = /^([a-z0-9_-]+)(?::([a-z0-9_-]+))?$/i.exec(text) ?? []
  if (location === undefined)
    throw new InvalidArgumentError('Write a location, or a location and a language: header:fr.')
  return [...places, { location, ...(lang === undefined ? {} : { lang }) }]
}
