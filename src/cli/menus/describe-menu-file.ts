import type { Db } from '../../db/database.ts'
import type { DesiredMenu, DesiredProblem, DesiredSite } from '../../description/desired-site.ts'
import { AppError } from '../../errors.ts'
import { assertLanguage } from '../../menus/locations.ts'
import { chooseName } from '../../menus/menu-names.ts'
import { formatLocation } from '../../menus/portable-menu.ts'
import type { MenuFile } from '../../menus/read-menu-file.ts'
import { resolveTree } from '../../menus/resolve-tree.ts'
import { readWriteContext } from '../../menus/write-context.ts'
import { createPlanContext } from '../../plan/plan-context.ts'
import { menuName, readableMenuName } from '../../wordpress/formatting/menu-texts.ts'
import { sanitizeTitle } from '../../wordpress/formatting/slugs.ts'
import { readLanguages, readLocale } from '../../wordpress/languages/languages.ts'
import { listMenus } from '../../wordpress/nav-menus/nav-menu.ts'
import type { Site } from '../../wordpress/network/site.ts'
import { readOption } from '../../wordpress/options/read-options.ts'
import { describeKnownError } from '../describe-error.ts'

export type ImportSettings = Required<Pick<DesiredMenu, 'allowInvalid' | 'mayReplace'>>

/** Describes a site by the menu of a file. */
export async function describeMenuFile(
  db: Db,
  site: Site,
  file: MenuFile,
  settings: ImportSettings,
): Promise<DesiredSite> {
  const { tree, lineAt } = file
  const slug = await slugOf(db, site, file)
  const problems: DesiredProblem[] = []
  const collect = async (subject: string, read: () => Promise<unknown>): Promise<void> => {
    try {
      await read()
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      const message = `${subject}: ${describeKnownError(error)}`
      problems.push({ kind: 'menu', name: slug, reason: error.code, message })
    }
  }
  let { name } = file
  await collect('Name', async () => {
    name = await freeName(db, site, file)
  })
  const lang = tree.targetLang
  if (lang !== undefined)
    await collect(`Language ${lang}`, async () =>
      assertLanguage(await readLanguages(db, site), lang),
    )
  const { ofTheme: locations } = await groupLocations(db, site, file)
  const nameItem = (at: string): string => `Line ${lineAt(at)}, item ${at}`
  const menu = { ...settings, name, slug, formerly: [], locations, tree, nameItem }
  return {
    manages: 'named',
    frames: [],
    menus: [menu],
    pages: [],
    variables: undefined,
    problems,
  }
}

async function slugOf(db: Db, site: Site, { name, slug = '' }: MenuFile): Promise<string> {
  const locale = await readLocale(db, site)
  return sanitizeTitle(slug, locale) || sanitizeTitle(menuName(name), locale)
}

/**
 * The name of a file, with a number if another menu has it.
 * @throws AppError `rest_invalid_param`
 */
async function freeName(db: Db, site: Site, file: MenuFile): Promise<string> {
  const slug = await slugOf(db, site, file)
  const own = (await listMenus(db, site)).find((menu) => menu.slug === slug)
  const { value, warnings } = await chooseName(db, site, menuName(file.name), own?.id)
  return warnings.length > 0 ? readableMenuName(value) : file.name
}

/** The locations of a file, and those of themes that the site does not use. */
async function groupLocations(db: Db, site: Site, { locations }: MenuFile) {
  const active = await readOption(db, site, 'stylesheet')
  const isOfTheme = ({ theme = active }: (typeof locations)[number]) => theme === active
  return {
    ofTheme: locations.filter(isOfTheme),
    ofOthers: locations.filter((location) => !isOfTheme(location)),
  }
}

async function findInvalid(db: Db, site: Site, { tree }: MenuFile) {
  const context = createPlanContext(0)
  const write = await readWriteContext(db, site, context, context.now)
  return (await resolveTree(db, site, write, tree)).invalid
}

/** What an import leaves out, and what may undo it. */
export async function findImportNotes(
  db: Db,
  site: Site,
  file: MenuFile,
  { allowInvalid }: ImportSettings,
): Promise<readonly string[]> {
  const { ofTheme, ofOthers } = await groupLocations(db, site, file)
  const invalid = allowInvalid ? await findInvalid(db, site, file) : []
  // A name that is too long is a problem.
  const name = await freeName(db, site, file).catch(() => file.name)
  // WordPress completes a theme switch at its next request (wp_map_nav_menu_locations).
  const isSwitching = ((await readOption(db, site, 'theme_switched')) ?? '') !== ''
  return [
    ...(name === file.name ? [] : [`Another menu has the name, so this one is "${name}".`]),
    ...invalid.map(({ at, message }) => `item ${at} is left out: ${message}`),
    ...ofOthers.map((at) => `not assigned to ${formatLocation(at)}: the site uses another theme`),
    ...(isSwitching && ofTheme.length > 0
      ? ['A theme switch is pending; WordPress may then reassign menus.']
      : []),
  ]
}
