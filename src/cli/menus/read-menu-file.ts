import { type ParsedNode, isMap } from 'yaml'
import { isThemeName } from '../../menus/locations.ts'
import type { PortableAssignment } from '../../menus/portable-menu.ts'
import { type ItemTree, MAX_LEVELS, walkTree } from '../../menus/item-tree.ts'
import { readFileItem } from './file-item.ts'
import { parseYaml } from './parse-yaml.ts'
import { type ReportField, readFields, readList, readScalar } from './yaml-fields.ts'

/** Something wrong with a file, and where. */
export type FileProblem = {
  /** From 1; null for what does not stand in the file. */
  readonly line: number | null
  /** Where the item stands in the tree, see `ItemInput`; null for what is no item. */
  readonly at: string | null
  readonly message: string
}

/** A menu as a file has it. */
export type MenuFile = {
  readonly name: string
  /** Undefined where the file has none. */
  readonly slug: string | undefined
  readonly places: readonly PortableAssignment[]
  /** The file asks that the menu be set at its places. */
  readonly assign: boolean
  /** Its problems are among those of the file. */
  readonly tree: ItemTree
  /** All that is wrong with the form of the file. */
  readonly problems: readonly FileProblem[]
  /** The line of an item. */
  lineAt(at: string): number
}

/** A level of items is a list in a mapping. */
const MAX_YAML_DEPTH = 2 * MAX_LEVELS + 10

/**
 * Reads a menu from YAML or JSON.
 * @throws CommandError naming the line where it is neither
 */
export function readMenuFile(text: string): MenuFile {
  const { root, lineOf } = parseYaml(text, MAX_YAML_DEPTH)
  const problems: FileProblem[] = []
  const rootLine = root ? lineOf(root) : 1
  const report: ReportField = (node, message) =>
    void problems.push({ line: node ? lineOf(node) : rootLine, at: null, message })
  if (!isMap(root)) report(root, 'A menu is a mapping with a "name" and "items".')
  const fields = readFields(root, ['name', 'slug', 'locations', 'assign', 'items'], report)
  const textOf = (key: 'name' | 'slug' | 'assign') =>
    readScalar(fields.get(key), `"${key}"`, report)
  const name = textOf('name') ?? ''
  if (isMap(root) && /^[\t-\r ]*$/.test(name)) report(root, 'A menu has a "name".')
  const assign = textOf('assign') ?? 'false'
  if (!/^(?:true|false)$/.test(assign))
    report(fields.get('assign') ?? root, '"assign" is true or false.')

  const lines = new Map<string, number>()
  let line = rootLine
  const items = readList(fields.get('items'), '"items"', report)
  const tree = walkTree(items, (node: ParsedNode | null, tell, at) => {
    if (node) line = lineOf(node)
    lines.set(at, line)
    return readFileItem(node, tell)
  })
  const lineAt = (at: string): number => lines.get(at) ?? line
  return {
    name,
    slug: textOf('slug'),
    places: readList(fields.get('locations'), '"locations"', report).map((node) =>
      readFileLocation(node, report),
    ),
    assign: assign === 'true',
    tree,
    problems: [
      ...problems,
      ...tree.problems.map(({ at, message }) => ({ line: lineAt(at), at, message })),
    ],
    lineAt,
  }
}

function readFileLocation(node: ParsedNode | null, report: ReportField): PortableAssignment {
  if (!isMap(node)) report(node, 'A place is a mapping with a "location".')
  const fields = readFields(node, ['location', 'lang', 'theme'], report)
  const text = (key: 'location' | 'lang' | 'theme') =>
    readScalar(fields.get(key), `"${key}"`, report)
  const [location = '', lang, theme] = [text('location'), text('lang'), text('theme')]
  if (isMap(node) && location === '') report(node, 'A place has a "location".')
  if (theme !== undefined && !isThemeName(theme)) report(node, '"theme" is the name of a folder.')
  return {
    location,
    ...(lang === undefined ? {} : { lang }),
    ...(theme === undefined ? {} : { theme }),
  }
}
