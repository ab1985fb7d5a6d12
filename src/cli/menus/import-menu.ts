import type { Db } from '../../db/database.ts'
import type { Tx } from '../../db/transaction.ts'
import { AppError, DomainError } from '../../errors.ts'
import { assertLanguage, readAssignment } from '../../menus/locations.ts'
import { readMenuName } from '../../menus/menu-names.ts'
import type { PortableAssignment } from '../../menus/portable-menu.ts'
import { putMenu } from '../../menus/put-menu.ts'
import { resolveTree } from '../../menus/resolve-tree.ts'
import { MENU_CHANGE, readWriteContext, type WriteContext } from '../../menus/write-context.ts'
import type { MenuAssignment } from '../../wordpress/nav-menus/assign-menu.ts'
import type { Site } from '../../wordpress/network/site.ts'
import { readOption } from '../../wordpress/options/read-options.ts'
import { type CliServices, CommandError } from '../cli-context.ts'
import { describeKnownError } from '../describe-error.ts'
import type { SiteReport } from '../sites/run-over-sites.ts'
import { summarizeEffects } from '../summarize-effects.ts'
import { pluralize, sanitizeForTerminal } from '../terminal.ts'
import { diffMenus } from './diff-menus.ts'
import { firstProblems, formatLocation, formatProblems } from './menu-lines.ts'
import type { FileProblem, MenuFile } from './read-menu-file.ts'
import { differenceText, type ImportSettings, reportOnImport } from './report-on-import.ts'

/**
 * Writes the menu of a file to a site, in one transaction, and has built what shows it. All that the site lacks for it is told at once,
 * before anything is written.
 * @throws CommandError where the menu is there already, differs, and is not to be replaced
 */
export async function importMenu(
  { db, executor }: CliServices,
  site: Site,
  file: MenuFile,
  settings: ImportSettings,
): Promise<SiteReport> {
  const { replace, allowInvalid, dryRun, user } = settings
  // Whoever holds the database may store any HTML, as with WP-CLI.
  const writer = { userId: user.id, unfilteredHtml: true }
  const context = await readWriteContext(db, site, writer, () => new Date())
  const resolved = await resolveFile(db, site, file, context, { allowInvalid })
  const { places, ofOtherThemes, problems, hasUnpublished } = resolved
  if (problems.length > 0) {
    return {
      state: 'failed',
      outcome: `${pluralize(problems.length, 'problem')}, nothing was written${hasUnpublished ? '; --allow-invalid leaves out what is not published' : ''}`,
      detail: sanitizeForTerminal(formatProblems(problems)),
      data: {
        result: 'refused',
        problems: firstProblems(problems),
        problems_total: problems.length,
      },
    }
  }
  const wanted = { ...file, name: readMenuName(file.name), assignments: places, allowInvalid }
  const write = async (tx: Tx) => {
    const put = await putMenu(tx, site, wanted, context)
    const diff = diffMenus(put.before, put.after)
    if (put.result === 'replaced' && !replace && !dryRun) {
      throw new CommandError(
        `The menu "${put.after.slug}" is there already and differs: ${differenceText(diff)}. Look with --dry-run, write with --replace.`,
      )
    }
    return { put, diff }
  }
  const { put, diff } = await db.write({ site, dryRun }, write)
  const isWritten = !dryRun && (put.result !== 'unchanged' || places.length > 0)
  const built = isWritten ? summarizeEffects(await executor.apply(site, MENU_CHANGE)) : undefined
  return reportOnImport({ put, diff, built, ofOtherThemes, settings })
}

export type ResolvedFile = {
  readonly places: readonly MenuAssignment[]
  /** Places in themes that the site does not show, where nothing is set. */
  readonly ofOtherThemes: readonly PortableAssignment[]
  /** All that the site lacks for the menu. */
  readonly problems: readonly FileProblem[]
  /** Some of these are items that could be left out. */
  readonly hasUnpublished: boolean
}

/** Looks for all that a menu of a file needs on a site: pages, terms, languages, locations. */
export async function resolveFile(
  db: Db,
  site: Site,
  { tree, locations: sent, lineAt }: MenuFile,
  context: WriteContext,
  { allowInvalid }: { readonly allowInvalid: boolean },
): Promise<ResolvedFile> {
  const { languages } = context.links
  const problems: FileProblem[] = []
  const places: MenuAssignment[] = []
  const collect = async (what: string, look: () => Promise<void>): Promise<void> => {
    try {
      await look()
    } catch (error) {
      if (!(error instanceof AppError || error instanceof DomainError)) throw error
      problems.push({ line: null, at: null, message: `${what}: ${describeKnownError(error)}` })
    }
  }
  const shown = await readOption(db, site, 'stylesheet')
  const ofOtherThemes = sent.filter(({ theme }) => theme !== undefined && theme !== shown)
  for (const place of sent) {
    if (ofOtherThemes.includes(place)) continue
    await collect(`location ${formatLocation(place)}`, async () => {
      places.push(await readAssignment(db, site, languages, place))
    })
  }
  if (tree.targetLang !== undefined)
    await collect(`language ${tree.targetLang}`, async () =>
      assertLanguage(languages, tree.targetLang),
    )
  const { bad, unresolved, invalid } = await resolveTree(db, site, context, tree)
  for (const { at, message } of [...bad, ...unresolved, ...(allowInvalid ? [] : invalid)])
    problems.push({ line: lineAt(at), at, message })
  return { places, ofOtherThemes, problems, hasUnpublished: !allowInvalid && invalid.length > 0 }
}
