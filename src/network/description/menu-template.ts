import { type ItemFields, type ItemInput, MAX_TEXT_BYTES } from '../../content/menus/item-tree.ts'
import { LOCATIONS } from '../../content/menus/location-names.ts'
import { type MenuContent, menuContent, parseMenuFile } from '../../content/menus/menu-file.ts'
import type { PortableMenu } from '../../content/menus/portable-menu.ts'
import { didYouMean } from '../../host/similar.ts'
import { MAX_NAME_LENGTH, menuName } from '../../wordpress/formatting/menu-texts.ts'
import { sanitizeTitle } from '../../wordpress/formatting/slugs.ts'
import type { Bundle } from './description.ts'
import type { DesiredMenu } from './desired-site.ts'
import type { Problems } from './problems.ts'
import { escapeText, fillText, hasPlaceholder, type Variables, variablesIn } from './variables.ts'

/** A menu of a bundle, whose texts may contain variables. */
export type MenuTemplate = {
  /** The position of the menu in the description, see `DescriptionProblem`. */
  readonly at: string
  /** Its placeholders are not replaced yet. */
  readonly menu: DesiredMenu
  /** Indexes of the items whose texts contain placeholders. */
  readonly variableItems: readonly number[]
  /** The names of the variables that its texts contain. */
  readonly variables: readonly string[]
}

/** Reports a problem of a menu. */
type ReportMenuProblem = (message: string) => void

/** The texts of an item that may contain variables, besides a URL that is stored as it is. */
const VARIABLE_FIELDS = ['title', 'url', 'attr_title', 'description', 'classes'] as const

/**
 * Reads a menu of a bundle.
 * @returns undefined if it has a problem
 */
export function readMenuTemplate(
  { formerly, lang, allow_invalid, may_replace, adapt, ...content }: Bundle['menus'][number],
  at: string,
  problems: Problems,
): MenuTemplate | undefined {
  const report: ReportMenuProblem = (message) => problems.report(at, message)
  const file = parseMenuFile(content)
  const slug = file.slug ?? ''
  for (const problem of file.problems)
    report(problem.at === null ? problem.message : `item ${problem.at}: ${problem.message}`)
  if (sanitizeTitle(slug, 'en_US') === '') report(`"${slug}" cannot be the slug of a menu.`)
  for (const { location } of file.locations) {
    if (!LOCATIONS.some((known) => known === location))
      report(
        `Unknown location "${location}". Expected: ${LOCATIONS.join(', ')}.${didYouMean(location, LOCATIONS)}`,
      )
  }
  if (file.problems.length > 0) return undefined
  const { name, tree, locations } = file
  const options = { allowInvalid: allow_invalid, mayReplace: may_replace, adapts: adapt }
  const texts = tree.items.map(variableTextsOf)
  return {
    at,
    menu: { ...options, slug, formerly, name, locations, tree: { ...tree, targetLang: lang } },
    variableItems: texts.flatMap((own, index) => (own.some(hasPlaceholder) ? [index] : [])),
    variables: [...new Set([name, ...texts.flat()].flatMap(variablesIn))],
  }
}

function variableTextsOf(item: ItemFields): string[] {
  const { object } = item
  const texts = VARIABLE_FIELDS.map((field) => item[field] ?? '')
  return object?.kind === 'address' ? [...texts, object.url] : texts
}

/** Fills in the variables of a menu. Items without variables are not copied. */
export function fillMenu(
  { menu, variableItems }: MenuTemplate,
  variables: Variables,
  report: ReportMenuProblem,
): DesiredMenu {
  const fill = (text: string, where: string): string => {
    const filled = fillText(text, variables, (problem) => report(`${where}: ${problem}`))
    if (Buffer.byteLength(filled) > MAX_TEXT_BYTES)
      report(`${where}: With its variables, the text has more than ${MAX_TEXT_BYTES} bytes.`)
    return filled
  }
  const name = fill(menu.name, 'name')
  const length = Buffer.byteLength(name) > MAX_TEXT_BYTES ? 0 : [...menuName(name)].length
  if (length === 0 || length > MAX_NAME_LENGTH)
    report(`name: It must have between 1 and ${MAX_NAME_LENGTH} characters.`)
  if (variableItems.length === 0) return { ...menu, name }
  const items = [...menu.tree.items]
  for (const index of variableItems) {
    const item = items[index]
    if (item) {
      items[index] = replaceTexts(item, (text, field) => fill(text, `item ${item.at}, ${field}`))
    }
  }
  return { ...menu, name, tree: { ...menu.tree, items } }
}

/** Replaces the texts of an item that may contain variables. `replace` also gets the name of the field. */
function replaceTexts(
  item: ItemInput,
  replace: (text: string, field: string) => string,
): ItemInput {
  const texts = VARIABLE_FIELDS.flatMap((field): [string, string][] => {
    const text = item[field]
    return text === undefined ? [] : [[field, replace(text, field)]]
  })
  const { object } = item
  return {
    ...item,
    ...Object.fromEntries(texts),
    ...(object?.kind === 'address'
      ? { object: { ...object, url: replace(object.url, 'url') } }
      : {}),
  }
}

/** A menu as a bundle contains it, so that filling in variables gives its texts. */
export function describeMenu({
  name,
  items,
  ...menu
}: Pick<PortableMenu, 'name' | 'slug' | 'assignments' | 'items'>): MenuContent {
  return menuContent({
    ...menu,
    name: escapeText(name),
    items: items.map((item) => replaceTexts(item, escapeText)),
  })
}
