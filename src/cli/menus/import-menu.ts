import type { Db } from '../../db/database.ts'
import type { Tx } from '../../db/transaction.ts'
import { diffMenus } from '../../diff/diff-menus.ts'
import { AppError, DomainError } from '../../errors.ts'
import { assertLanguage, readAssignment } from '../../menus/locations.ts'
import { readMenuName } from '../../menus/menu-names.ts'
import type { PortableAssignment } from '../../menus/portable-menu.ts'
import { formatLocation } from '../../menus/portable-menu.ts'
import { putMenu } from '../../menus/put-menu.ts'
import type { FileProblem, MenuFile } from '../../menus/read-menu-file.ts'
import { resolveTree } from '../../menus/resolve-tree.ts'
import {
  MENU_CHANGE,
  NOTHING_SHOWN,
  readWriteContext,
  type WriteContext,
} from '../../menus/write-context.ts'
import type { MenuAssignment } from '../../wordpress/nav-menus/assign-menu.ts'
import type { Site } from '../../wordpress/network/site.ts'
import { readOption } from '../../wordpress/options/read-options.ts'
import type { User } from '../../wordpress/users/users.ts'
import { writeChange } from '../../work/record-work.ts'
import { type CliServices, CommandError } from '../cli-context.ts'
import { describeKnownError } from '../describe-error.ts'
import type { SiteReport } from '../sites/run-over-sites.ts'
import { summarizeEffects } from '../summarize-effects.ts'
import { pluralize, sanitizeForTerminal } from '../terminal.ts'
import { firstProblems, formatProblems } from './menu-lines.ts'
import { differenceText, reportOnImport } from './report-on-import.ts'

/** The options of an import. */
export type ImportSettings = {
  /** Replace a menu with the same slug. */
  readonly replace: boolean
  /** Leave out items on unpublished pages. */
  readonly allowInvalid: boolean
  /** Write nothing. */
  readonly dryRun: boolean
  /** The author of the items. */
  readonly user: User
}

/**
 * Writes the menu of a file to a site in one transaction, and applies the change. Everything that is missing on the site is reported before
 * anything is written.
 * @throws CommandError if a different menu with this slug exists and `replace` is not set
 */
export async function importMenu(
  { db, executor }: CliServices,
  site: Site,
  file: MenuFile,
  settings: ImportSettings,
): Promise<SiteReport> {
  const { replace, allowInvalid, dryRun, user } = settings
  // An operator with access to the database may store any HTML, as with WP-CLI.
  const writer = { userId: user.id, unfilteredHtml: true }
  const context = await readWriteContext(db, site, writer, () => new Date())
  const resolved = await resolveFile(db, site, file, context, { allowInvalid })
  const { assignments, ofOtherThemes, problems, hasUnpublished } = resolved
  if (problems.length > 0) {
    return {
      state: 'failed',
      outcome: `${pluralize(problems.length, 'problem')}, nothing was written${hasUnpublished ? '; use --allow-invalid to leave out unpublished pages' : ''}`,
      detail: sanitizeForTerminal(formatProblems(problems)),
      data: {
        result: 'refused',
        problems: firstProblems(problems),
        problems_total: problems.length,
      },
    }
  }
  const wanted = { ...file, name: readMenuName(file.name), assignments, allowInvalid }
  const write = async (tx: Tx) => {
    const put = await putMenu(tx, site, wanted, context)
    const diff = diffMenus(put.before, put.after)
    if (put.result === 'replaced' && !replace && !dryRun) {
      throw new CommandError(
        `The menu "${put.after.slug}" already exists and differs: ${differenceText(diff)}. Use --dry-run to see the differences, and --replace to write the menu.`,
      )
    }
    const isWritten = put.result !== 'unchanged' || assignments.length > 0
    return { put, diff, change: isWritten ? MENU_CHANGE : NOTHING_SHOWN }
  }
  const { put, diff, change } = await writeChange(db, { site, dryRun }, write)
  const isBuilt = !dryRun && change.bake
  const effects = isBuilt ? summarizeEffects(await executor.apply(site, change)) : undefined
  return reportOnImport({ put, diff, effects, ofOtherThemes, dryRun, replace })
}

type ResolvedFile = {
  readonly assignments: readonly MenuAssignment[]
  /** Locations of themes that the site does not use; they are skipped. */
  readonly ofOtherThemes: readonly PortableAssignment[]
  /** Everything that is missing on the site. */
  readonly problems: readonly FileProblem[]
  /** Some of the problems are unpublished pages, which could be left out. */
  readonly hasUnpublished: boolean
}

/** Finds the pages, terms, languages and locations of a menu file on a site. */
async function resolveFile(
  db: Db,
  site: Site,
  { tree, locations, lineAt }: MenuFile,
  context: WriteContext,
  { allowInvalid }: { readonly allowInvalid: boolean },
): Promise<ResolvedFile> {
  const { languages } = context.links
  const problems: FileProblem[] = []
  const assignments: MenuAssignment[] = []
  const collect = async (subject: string, resolve: () => Promise<void>): Promise<void> => {
    try {
      await resolve()
    } catch (error) {
      if (!(error instanceof AppError || error instanceof DomainError)) throw error
      problems.push({ line: null, at: null, message: `${subject}: ${describeKnownError(error)}` })
    }
  }
  const activeTheme = await readOption(db, site, 'stylesheet')
  const ofOtherThemes = locations.filter(
    ({ theme }) => theme !== undefined && theme !== activeTheme,
  )
  for (const location of locations) {
    if (ofOtherThemes.includes(location)) continue
    await collect(`location ${formatLocation(location)}`, async () => {
      assignments.push(await readAssignment(db, site, languages, location))
    })
  }
  if (tree.targetLang !== undefined)
    await collect(`language ${tree.targetLang}`, async () =>
      assertLanguage(languages, tree.targetLang),
    )
  const { bad, unresolved, invalid } = await resolveTree(db, site, context, tree)
  for (const { at, message } of [...bad, ...unresolved, ...(allowInvalid ? [] : invalid)])
    problems.push({ line: lineAt(at), at, message })
  return {
    assignments,
    ofOtherThemes,
    problems,
    hasUnpublished: !allowInvalid && invalid.length > 0,
  }
}
