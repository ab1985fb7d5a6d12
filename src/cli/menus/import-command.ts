import { basename } from 'node:path'
import { type Command, InvalidArgumentError } from 'commander'
import { type FileProblem, type MenuFile, readMenuFile } from '../../content/menus/menu-file.ts'
import type { PortableAssignment } from '../../content/menus/portable-menu.ts'
import { describeMenu } from '../../network/description/menu-template.ts'
import { menuName } from '../../wordpress/formatting/menu-texts.ts'
import { sanitizeTitle } from '../../wordpress/formatting/slugs.ts'
import { CliCommand } from '../cli-command.ts'
import { type CliContext, CommandError } from '../cli-context.ts'
import { addApplyOptions } from '../network/apply-plan.ts'
import { describeSites, type PlanAndApplyOptions, planAndApply } from '../network/plan-and-apply.ts'
import { type DescribeProblem, sentenceOf } from '../network/plan-groups.ts'
import { atRuns } from '../network/run-client.ts'
import { inputName, readInputText } from '../read-input.ts'
import { findSites } from '../sites/find-sites.ts'
import { addSiteChoice, type SiteOptions } from '../sites/site-options.ts'
import { pluralize, sanitizeForTerminal, warn } from '../terminal.ts'

type ImportOptions = PlanAndApplyOptions &
  Pick<SiteOptions, 'site' | 'network' | 'include'> & {
    readonly name?: string
    readonly slug?: string
    readonly lang?: string
    readonly assign?: true
    readonly location?: readonly PortableAssignment[]
    readonly replace?: true
    readonly allowInvalid?: true
  }

/** `menus import <file>`: brings one or all sites to the menu of a file, as a run that can be rolled back. */
export function importMenuCommand(context: CliContext): Command {
  const command = new CliCommand('import')
    .argument('<file>', 'the file; - for standard input')
    .option('--dry-run', 'show the changes line by line, and write nothing')
    .option('--replace', 'replace the name and items of an existing menu with this slug')
    .option('--assign', 'assign the menu to the locations in the file')
    .option(
      '--location <location[:lang]>',
      'assign the menu to this location instead; may be repeated',
      parseLocation,
    )
    .option(
      '--lang <code>',
      'link to the translations in this language, and assign the menu in this language',
    )
    .option('--slug <slug>', 'replaces the one in the file')
    .option('--name <name>', 'replaces the one in the file')
    .option('--allow-invalid', 'leave out items on unpublished pages')
    .examples(
      'wp-frames menus import main-menu.yaml --site 2 --dry-run',
      'wp-frames menus import main-menu.yaml --network --replace --location header:fr',
    )
  addApplyOptions(addSiteChoice(command))
  return atRuns(context, command, async (session, name: string, options: ImportOptions) => {
    const read = await readMenu(name)
    const file = applyOptions(read, options)
    warn(leftLocations(read, options))
    const bundle = { menus: [describeFile(file, options)] }
    const sites = await findSites(session.service.client, options)
    const wanted = sites.map((site) => ({ site, bundle }))
    const description = describeSites('import', `Import of menu ${file.name}`, wanted)
    const describe: DescribeProblem = ({ at, ...problem }) =>
      at === undefined
        ? sentenceOf(problem)
        : sentenceOf({
            ...problem,
            message: `${basename(inputName(name))}, line ${file.lineAt(at)}, item ${at}: ${problem.message}`,
          })
    await planAndApply(session, { description, advice: ADVICE, describe }, options)
  })
}

/** @throws CommandError with the file and line of each problem */
async function readMenu(name: string): Promise<MenuFile> {
  const text = await readInputText(name, MENU_FILE)
  const file = readMenuFile(text, inputName(name))
  if (file.problems.length === 0) return file
  const lines = formatProblems(inputName(name), file.problems)
  throw new CommandError(
    `${sanitizeForTerminal(lines)}${pluralize(file.problems.length, 'problem')} in the file.`,
  )
}

/** How many problems are printed; the others are counted. */
export const MAX_PROBLEM_LINES = 100

/** Maximum length of a printed message in characters: a message may quote a key of any length from the file. */
const MAX_MESSAGE_LENGTH = 500

/** The problems of a file in one line each, in the order of the file. */
export function formatProblems(file: string, problems: readonly FileProblem[]): string {
  const more = problems.length - MAX_PROBLEM_LINES
  const rest = more > 0 ? `and ${pluralize(more, 'more problem')}\n` : ''
  const sorted = [...problems].sort((a, b) => a.line - b.line)
  const lines = sorted.slice(0, MAX_PROBLEM_LINES).map(({ line, at, message }) => {
    const position = [file, `line ${line}`, ...(at === null ? [] : [`item ${at}`])]
    return `${position.join(', ')}: ${message.slice(0, MAX_MESSAGE_LENGTH)}\n`
  })
  return lines.join('') + rest
}

/** The menu of a file as a description has it: without placeholders of variables, and fitted to each site. */
function describeFile(file: MenuFile, { lang, replace, dryRun, allowInvalid }: ImportOptions) {
  const { name, slug, locations, tree } = file
  // A slug that has no character which slugs can have is made of the name.
  const named = slug !== undefined && sanitizeTitle(slug, 'en_US') !== '' ? slug : menuName(name)
  return {
    ...describeMenu({ name, slug: named, assignments: locations, items: tree.items }),
    adapt: true,
    // A dry run shows what --replace would do.
    may_replace: replace === true || dryRun === true,
    lang,
    allow_invalid: allowInvalid,
  }
}

/** What to do about problems, by their reason. */
const ADVICE = {
  menu_exists: 'Use --dry-run to see the differences, and --replace to write the menu.',
  page_not_published: 'Use --allow-invalid to leave out unpublished pages.',
}

/** Applies the options of the command to the menu of the file. */
function applyOptions(file: MenuFile, options: ImportOptions): MenuFile {
  const { name = file.name, slug = file.slug, lang, assign, location } = options
  const fromFile = assign || file.assign ? file.locations : []
  if (lang === undefined) return { ...file, name, slug, locations: location ?? fromFile }
  // The language of a --location takes precedence over --lang; the language of a location in the file is that of the original menu.
  const locations =
    location?.map((one) => ({ lang, ...one })) ?? fromFile.map((one) => ({ ...one, lang }))
  return { ...file, name, slug, locations }
}

/** Says which locations of the file the import leaves as they are, because no option says what to do about them. */
function leftLocations({ locations, assign }: MenuFile, options: ImportOptions): string[] {
  if (assign || options.assign || options.location || locations.length === 0) return []
  const names = locations.map(({ location, lang }) => (lang ? `${location}:${lang}` : location))
  return [
    `The locations in the file stay as they are (${names.join(', ')}). Add --assign to assign the menu to them.`,
  ]
}

function parseLocation(
  text: string,
  earlier: readonly PortableAssignment[] = [],
): PortableAssignment[] {
  const [, location, lang] = /^([a-z0-9_-]+)(?::([a-z0-9_-]+))?$/i.exec(text) ?? []
  if (location === undefined)
    throw new InvalidArgumentError('Use a location, or a location and a language: header:fr.')
  return [...earlier, { location, ...(lang === undefined ? {} : { lang }) }]
}

/** Enough for the largest menu: 10,000 items of 800 bytes. */
const MENU_FILE = { maxBytes: 8 * 1024 * 1024, what: 'a menu' }
