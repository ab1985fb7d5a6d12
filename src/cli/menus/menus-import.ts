import { createReadStream } from 'node:fs'
import type { Readable } from 'node:stream'
import { Command, InvalidArgumentError } from 'commander'
import type { PortableAssignment } from '../../menus/portable-menu.ts'
import { type CliContext, CommandError } from '../cli-context.ts'
import { runOverSites } from '../sites/run-over-sites.ts'
import { addSiteOptions, type SiteOptions } from '../sites/site-options.ts'
import { pluralize, sanitizeForTerminal } from '../terminal.ts'
import { getUserByLogin } from '../tokens/token-arguments.ts'
import { withServices } from '../with-services.ts'
import { importMenu } from './import-menu.ts'
import { formatProblems } from './menu-lines.ts'
import { type MenuFile, readMenuFile } from './read-menu-file.ts'

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
const NO_AUTHOR = { id: 0, login: '', isBlocked: false }

/** The menu as it is to be written. */
function applyOptions(file: MenuFile, options: ImportOptions): MenuFile {
  const { name = file.name, slug = file.slug, lang, assign, location } = options
  const fromFile = assign || file.assign ? file.locations : []
  if (lang === undefined) return { ...file, name, slug, locations: location ?? fromFile }
  // A language that is named with a location is meant there; one in the file is that of the old menu.
  const places =
    location?.map((place) => ({ lang, ...place })) ?? fromFile.map((place) => ({ ...place, lang }))
  return { ...file, name, slug, locations: places, tree: { ...file.tree, targetLang: lang } }
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

/** More than the largest menu takes: 10,000 items of 800 bytes. */
const MAX_MENU_FILE_BYTES = 8 * 1024 * 1024

/**
 * The text of a file, or of standard input where the name is `-`.
 * @throws CommandError where it can't be read, is too large, or is not UTF-8
 */
export async function readMenuText(file: string): Promise<string> {
  const name = file === '-' ? 'Standard input' : file
  const bytes = await readAll(file === '-' ? process.stdin : createReadStream(file), name)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw new CommandError(`${name} is not UTF-8. Save it in that encoding.`)
  }
}

async function readAll(stream: Readable, name: string): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  try {
    for await (const chunk of stream) {
      chunks.push(chunk)
      size += chunk.length
      if (size > MAX_MENU_FILE_BYTES) break
    }
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    const why =
      code === 'ENOENT' ? 'there is no such file' : code === 'EISDIR' ? 'it is a folder' : code
    throw new CommandError(`${name} can't be read: ${why}.`)
  }
  if (size > MAX_MENU_FILE_BYTES)
    throw new CommandError(
      `${name} has more than ${MAX_MENU_FILE_BYTES} bytes, more than any menu takes.`,
    )
  return Buffer.concat(chunks)
}
