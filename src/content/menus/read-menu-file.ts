import { isAlias, isMap, isScalar, type ParsedNode } from 'yaml'
import {
  DEFAULT_SWITCHER_FLAGS,
  SWITCHER_FLAGS,
  SWITCHER_URL,
} from '../../wordpress/nav-menus/switcher.ts'
import {
  type ItemFields,
  type ItemTree,
  MAX_LEVELS,
  type ParsedItem,
  type ReportProblem,
  readText,
  walkTree,
} from './item-tree.ts'
import { isThemeName } from './location-names.ts'
import type { ObjectRef } from './object-refs.ts'
import {
  ALIASES_UNSUPPORTED,
  parseYaml,
  type ReportField,
  readFields,
  readList,
  readScalar,
} from './parse-yaml.ts'
import type { PortableAssignment } from './portable-menu.ts'

/** A problem in a menu file, with its position. */
export type FileProblem = {
  /** Counted from 1; null if the problem is not in the file. */
  readonly line: number | null
  /** Position of the item in the tree, see `ItemInput`; null if the problem is not in an item. */
  readonly at: string | null
  readonly message: string
}

/** The contents of a menu file. */
export type MenuFile = {
  readonly name: string
  /** Undefined if the file has none. */
  readonly slug: string | undefined
  readonly locations: readonly PortableAssignment[]
  /** Whether the menu is assigned to the locations of the file without `--assign`. */
  readonly assign: boolean
  /** Its problems are also in `problems`. */
  readonly tree: ItemTree
  /** The problems that can be found without a site. */
  readonly problems: readonly FileProblem[]
  /** The line of an item. */
  lineAt(at: string): number
}

/** Each level of items is a list in a mapping. */
const MAX_YAML_DEPTH = 2 * MAX_LEVELS + 10

/**
 * Reads a menu from YAML or JSON.
 * @param file its name, for messages
 * @throws AppError `bad_description` with the line number if the text is neither
 */
export function readMenuFile(text: string, file?: string): MenuFile {
  const { root, lineOf } = parseYaml(text, { maxDepth: MAX_YAML_DEPTH, subject: 'menu', file })
  const problems: FileProblem[] = []
  const rootLine = root ? lineOf(root) : 1
  const report: ReportField = (node, message) =>
    void problems.push({ line: node ? lineOf(node) : rootLine, at: null, message })
  if (!isMap(root)) report(root, 'A menu must be a mapping with "name" and "items".')
  const fields = readFields(root, ['name', 'slug', 'locations', 'assign', 'items'], report)
  const textOf = (key: 'name' | 'slug' | 'assign') =>
    readScalar(fields.get(key), `"${key}"`, report)
  const name = textOf('name') ?? ''
  if (isMap(root) && /^[\t-\r ]*$/.test(name)) report(root, 'A menu must have a "name".')
  const assign = textOf('assign') ?? 'false'
  if (!/^(?:true|false)$/.test(assign))
    report(fields.get('assign') ?? root, '"assign" must be true or false.')

  const lines = new Map<string, number>()
  let line = rootLine
  const items = readList(fields.get('items'), '"items"', report)
  const tree = walkTree(items, (node: ParsedNode | null, reportItem, at) => {
    if (node) line = lineOf(node)
    lines.set(at, line)
    return readFileItem(node, reportItem)
  })
  const lineAt = (at: string): number => lines.get(at) ?? line
  return {
    name,
    slug: textOf('slug'),
    locations: readList(fields.get('locations'), '"locations"', report).map((node) =>
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
  if (!isMap(node)) report(node, 'An entry of "locations" must be a mapping with a "location".')
  const fields = readFields(node, ['location', 'lang', 'theme'], report)
  const text = (key: 'location' | 'lang' | 'theme') =>
    readScalar(fields.get(key), `"${key}"`, report)
  const [location = '', lang, theme] = [text('location'), text('lang'), text('theme')]
  if (isMap(node) && location === '')
    report(node, 'An entry of "locations" must have a "location".')
  if (theme !== undefined && !isThemeName(theme))
    report(node, '"theme" must be the name of a theme folder.')
  return {
    location,
    ...(lang === undefined ? {} : { lang }),
    ...(theme === undefined ? {} : { theme }),
  }
}

/** The fields that name the target of an item, of which each item has one, and the additional fields of each. */
const TARGET_DETAILS = {
  page: ['lang'],
  post: ['type', 'lang'],
  term: ['taxonomy', 'lang'],
  archive: [],
  url: ['as_is'],
  switcher: [],
} satisfies Record<string, (typeof DETAIL_FIELDS)[number][]>

const DETAIL_FIELDS = ['type', 'taxonomy', 'lang', 'as_is'] as const
const TEXT_FIELDS = ['title', 'target', 'classes', 'xfn', 'attr_title', 'description'] as const
const TARGET_FIELDS = ['page', 'post', 'term', 'archive', 'url', 'switcher'] as const
const ITEM_FIELDS = [...TARGET_FIELDS, ...DETAIL_FIELDS, ...TEXT_FIELDS, 'children'] as const

/** Reads one item of a file without its position. A plain string is the path of a page. */
function readFileItem(
  node: ParsedNode | null,
  report: ReportProblem,
): ParsedItem<ParsedNode | null> {
  if (isScalar(node) && node.value !== '') {
    const object: ObjectRef = { kind: 'post', type: 'page', path: String(node.value) }
    return { fields: { object }, children: [] }
  }
  if (!isMap(node)) {
    report(
      'not_an_item',
      isAlias(node) ? ALIASES_UNSUPPORTED : 'An item must be a mapping, or the path of a page.',
    )
    return { fields: {}, children: [] }
  }
  const item = new ItemNode(node, report)
  const texts = TEXT_FIELDS.flatMap((name) => {
    const text = readText(name, item.text(name), report)
    return text === undefined ? [] : [[name === 'attr_title' ? 'attrTitle' : name, text]]
  })
  return {
    fields: { ...item.link(), ...Object.fromEntries(texts) },
    children: item.list('children'),
  }
}

/** The mapping of an item. Reading a field reports its problems. */
class ItemNode {
  readonly #fields: ReadonlyMap<(typeof ITEM_FIELDS)[number], ParsedNode>
  readonly #report: ReportProblem
  #hasUnknown = false

  constructor(node: ParsedNode, report: ReportProblem) {
    this.#report = report
    this.#fields = readFields(node, ITEM_FIELDS, (_, message) => {
      this.#hasUnknown = true
      report('bad_item', message)
    })
  }

  text(key: (typeof ITEM_FIELDS)[number]): string | undefined {
    return readScalar(this.#fields.get(key), `"${key}"`, (_, message) =>
      this.#report(`bad_${key}`, message),
    )
  }

  list(key: 'children' | 'switcher'): readonly (ParsedNode | null)[] {
    return readList(this.#fields.get(key), `"${key}"`, (_, message) =>
      this.#report(`bad_${key}`, message),
    )
  }

  link(): Pick<ItemFields, 'url' | 'object'> {
    const [kind, ...others] = TARGET_FIELDS.filter((name) => this.#fields.has(name))
    // A misspelt target is reported as an unknown field.
    if (kind === undefined && this.#hasUnknown) return {}
    if (kind === undefined || others.length > 0) {
      this.#report(
        'target_required',
        `An item must have exactly one of the fields ${TARGET_FIELDS.join(', ')}.`,
      )
      return {}
    }
    const details: readonly string[] = TARGET_DETAILS[kind]
    for (const name of DETAIL_FIELDS.filter(
      (one) => this.#fields.has(one) && !details.includes(one),
    ))
      this.#report('bad_item', `"${name}" does not apply to "${kind}" items.`)
    if (kind === 'url') return this.#address()
    const object = this.#object(kind)
    return object ? { object } : {}
  }

  #object(kind: Exclude<keyof typeof TARGET_DETAILS, 'url'>): ObjectRef | undefined {
    if (kind === 'switcher') return { kind, flags: this.#flags() }
    if (kind === 'archive') {
      const type = this.#key('archive')
      return type === undefined ? undefined : { kind, type }
    }
    const path = this.text(kind)
    if (path === '') this.#report(`bad_${kind}`, `"${kind}" must be a path of slugs and slashes.`)
    if (!path) return undefined
    const lang = this.text('lang')
    const ref = { path, ...(lang === undefined ? {} : { lang }) }
    if (kind === 'page') return { kind: 'post', type: 'page', ...ref }
    if (kind === 'post') return { kind, type: this.#key('type') ?? 'post', ...ref }
    return { kind, taxonomy: this.#key('taxonomy') ?? 'category', ...ref }
  }

  /** The key of a post type or a taxonomy (sanitize_key). */
  #key(name: 'archive' | 'type' | 'taxonomy'): string | undefined {
    const key = this.text(name)
    if (key === undefined || /^[a-z0-9_-]{1,32}$/.test(key)) return key
    this.#report(
      `bad_${name}`,
      `"${name}" must have at most 32 lower case letters, digits, "-" and "_".`,
    )
    return undefined
  }

  #address(): Pick<ItemFields, 'url' | 'object'> {
    const url = readText('url', this.text('url'), this.#report)
    const asIs = this.text('as_is')
    if (asIs !== undefined && asIs !== 'true' && asIs !== 'false')
      this.#report('bad_as_is', '"as_is" must be true or false.')
    if (url === undefined) return {}
    if (url === SWITCHER_URL && asIs !== 'true')
      return { object: { kind: 'switcher', flags: DEFAULT_SWITCHER_FLAGS } }
    return asIs === 'true' ? { object: { kind: 'address', url } } : { url }
  }

  #flags() {
    const named = this.list('switcher').map((node) => (isScalar(node) ? String(node.value) : ''))
    if (named.some((name) => !SWITCHER_FLAGS.some((flag) => flag === name)))
      this.#report(
        'bad_switcher',
        `"switcher" must be a list of flags: ${SWITCHER_FLAGS.join(', ')}.`,
      )
    return SWITCHER_FLAGS.filter((flag) => named.includes(flag))
  }
}
