import type { Db } from '../../db/database.ts'
import { AppError } from '../../errors.ts'
import type { WriteContext } from '../../menus/write-context.ts'
import { assertLanguage, readAssignment } from '../../menus/locations.ts'
import type { PortableAssignment } from '../../menus/portable-menu.ts'
import { resolveTree } from '../../menus/resolve-tree.ts'
import type { MenuAssignment } from '../../wordpress/nav-menus/assign-menu.ts'
import type { Site } from '../../wordpress/network/site.ts'
import { readOption } from '../../wordpress/options/read-options.ts'
import { formatLocation } from './place-text.ts'
import type { FileProblem, MenuFile } from './read-menu-file.ts'

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
  { tree, places: sent, lineAt }: MenuFile,
  authorship: WriteContext,
  { allowInvalid }: { readonly allowInvalid: boolean },
): Promise<ResolvedFile> {
  const { languages } = authorship.links
  const problems: FileProblem[] = []
  const places: MenuAssignment[] = []
  const collect = async (what: string, look: () => Promise<void>): Promise<void> => {
    try {
      await look()
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      problems.push({ line: null, at: null, message: `${what}: ${error.message}` })
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
  const { bad, unresolved, invalid } = await resolveTree(db, site, authorship, tree)
  for (const { at, message } of [...bad, ...unresolved, ...(allowInvalid ? [] : invalid)])
    problems.push({ line: lineAt(at), at, message })
  return { places, ofOtherThemes, problems, hasUnpublished: !allowInvalid && invalid.length > 0 }
}
