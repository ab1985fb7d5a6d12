import { stringify } from 'yaml'
import { didYouMean } from '../../host/similar.ts'
import { readYamlData, type YamlData } from '../../host/yaml-data.ts'
import {
  DEFAULT_SWITCHER_FLAGS,
  SWITCHER_FLAGS,
  SWITCHER_URL,
} from '../../wordpress/nav-menus/switcher.ts'
import {
  type ItemFields,
  type ItemInput,
  type ItemTree,
  MAX_LEVELS,
  type ParsedItem,
  type ReportProblem,
  readText,
  TEXT_FIELDS,
  walkTree,
} from './item-tree.ts'
import { isThemeName } from './location-names.ts'
import type { ObjectRef } from './object-refs.ts'
import type { PortableAssignment, PortableMenu } from './portable-menu.ts'

/** A problem in a menu file, with its position. */
export type FileProblem = {
  /** Counted from 1. */
  readonly line: number
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
  const data = readYamlData(text, { maxDepth: MAX_YAML_DEPTH, subject: 'menu', file })
  return parseMenuFile(data.value, data)
}

/**
 * Reads a menu from the contents of a file as plain values.
 * @param source where they are in the file [none]
 */
export function parseMenuFile(
  value: unknown,
  { problems: wrong, lineAt }: Omit<YamlData, 'value'> = NO_SOURCE,
): MenuFile {
  const problems: FileProblem[] = wrong.map((problem) => ({ ...problem, at: null }))
  const reportAt =
    (path: readonly PropertyKey[]): ReportField =>
    (message, name) =>
      void problems.push({
        line: lineAt(name === undefined ? path : [...path, name]),
        at: null,
        message,
      })
  const report = reportAt([])
  if (!isMapping(value)) report('A menu must be a mapping with "name" and "items".')
  const fields = new FileFields(value, ['name', 'slug', 'locations', 'assign', 'items'], report)
  const name = fields.text('name') ?? ''
  if (isMapping(value) && /^[\t-\r ]*$/.test(name)) report('A menu must have a "name".')
  const assign = fields.text('assign') ?? 'false'
  if (!isFlag(assign)) report('"assign" must be true or false.', 'assign')
  const locations = fields
    .list('locations')
    .map((location, index) => readFileLocation(location, reportAt(['locations', index])))
  const tree = walkTree(fields.list('items'), parseFileItem)
  const lineOfItem = (at: string): number =>
    lineAt(at.split('.').flatMap((index, level) => [level === 0 ? 'items' : 'children', index]))
  const ofItems = tree.problems.map(({ at, message }) => ({ line: lineOfItem(at), at, message }))
  return {
    name,
    slug: fields.text('slug'),
    locations,
    assign: assign === 'true',
    tree,
    problems: [...problems, ...ofItems],
    lineAt: lineOfItem,
  }
}

const NO_SOURCE: Omit<YamlData, 'value'> = { problems: [], lineAt: () => 1 }

const isMapping = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isFlag = (text: string): boolean => text === 'true' || text === 'false'

/** @param name of the field that has the problem [what contains it] */
type ReportField = (message: string, name?: string) => void

/** The fields of a mapping. Unknown fields are reported, and when a field is read, what is wrong with it. */
class FileFields<Name extends string> {
  readonly #values = new Map<Name, unknown>()
  readonly #report: ReportField
  /** Whether an unknown field was reported. */
  readonly hasUnknown: boolean

  constructor(value: unknown, known: readonly Name[], report: ReportField) {
    this.#report = report
    const sent = isMapping(value) ? Object.entries(value) : []
    for (const [name, own] of sent) {
      const field = known.find((one) => one === name)
      const hint = `${didYouMean(name, known)} Allowed: ${known.join(', ')}.`
      if (field === undefined) report(`Unknown field "${name}".${hint}`, name)
      else if (own !== null && own !== undefined) this.#values.set(field, own)
    }
    this.hasUnknown = sent.some(([name]) => !known.some((one) => one === name))
  }

  has(name: Name): boolean {
    return this.#values.has(name)
  }

  /** A scalar as a text; undefined for any other value. */
  text(name: Name): string | undefined {
    const value = this.#values.get(name)
    if (value === undefined || isScalar(value)) return value?.toString()
    this.#report(`"${name}" must be a string.`, name)
    return undefined
  }

  /** The values of a list; none for any other value. */
  list(name: Name): readonly unknown[] {
    const value = this.#values.get(name) ?? []
    if (Array.isArray(value)) return value
    this.#report(`"${name}" must be a list.`, name)
    return []
  }
}

const isScalar = (value: unknown): value is string | number | boolean =>
  ['string', 'number', 'boolean'].includes(typeof value)

function readFileLocation(value: unknown, report: ReportField): PortableAssignment {
  if (!isMapping(value)) report('An entry of "locations" must be a mapping with a "location".')
  const fields = new FileFields(value, ['location', 'lang', 'theme'], report)
  const location = fields.text('location') ?? ''
  const lang = fields.text('lang')
  const theme = fields.text('theme')
  if (isMapping(value) && location === '') report('An entry of "locations" must have a "location".')
  if (theme !== undefined && !isThemeName(theme))
    report('"theme" must be the name of a theme folder.')
  return { location, lang, theme }
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
const TARGET_FIELDS = ['page', 'post', 'term', 'archive', 'url', 'switcher'] as const
const ITEM_FIELDS = [...TARGET_FIELDS, ...DETAIL_FIELDS, ...TEXT_FIELDS, 'children'] as const

/** Reads one item of a file without its position. A plain string is the path of a page. */
function parseFileItem(value: unknown, report: ReportProblem): ParsedItem {
  if (isScalar(value) && value !== '') {
    const object: ObjectRef = { kind: 'post', type: 'page', path: String(value) }
    return { fields: { object }, children: [] }
  }
  if (!isMapping(value)) {
    report('not_an_item', 'An item must be a mapping, or the path of a page.')
    return { fields: {}, children: [] }
  }
  const fields: ItemFieldsOfFile = new FileFields(value, ITEM_FIELDS, (message, name = '') =>
    report(ITEM_FIELDS.some((one) => one === name) ? `bad_${name}` : 'bad_item', message),
  )
  const texts = TEXT_FIELDS.flatMap((name) => {
    const text = readText(name, fields.text(name), report)
    return text === undefined ? [] : [[name, text]]
  })
  return {
    fields: { ...readLink(fields, report), ...Object.fromEntries(texts) },
    children: fields.list('children'),
  }
}

type ItemFieldsOfFile = FileFields<(typeof ITEM_FIELDS)[number]>

function readLink(
  fields: ItemFieldsOfFile,
  report: ReportProblem,
): Pick<ItemFields, 'url' | 'object'> {
  const [kind, ...others] = TARGET_FIELDS.filter((name) => fields.has(name))
  // A misspelt target is reported as an unknown field.
  if (kind === undefined && fields.hasUnknown) return {}
  if (kind === undefined || others.length > 0) {
    report(
      'target_required',
      `An item must have exactly one of the fields ${TARGET_FIELDS.join(', ')}.`,
    )
    return {}
  }
  const details: readonly string[] = TARGET_DETAILS[kind]
  for (const name of DETAIL_FIELDS.filter((one) => fields.has(one) && !details.includes(one)))
    report('bad_item', `"${name}" does not apply to "${kind}" items.`)
  if (kind === 'url') return readAddress(fields, report)
  const object = readObject(kind, fields, report)
  return object ? { object } : {}
}

function readObject(
  kind: Exclude<keyof typeof TARGET_DETAILS, 'url'>,
  fields: ItemFieldsOfFile,
  report: ReportProblem,
): ObjectRef | undefined {
  /** The key of a post type or a taxonomy (sanitize_key). */
  const keyIn = (name: 'archive' | 'type' | 'taxonomy'): string | undefined => {
    const key = fields.text(name)
    if (key === undefined || /^[a-z0-9_-]{1,32}$/.test(key)) return key
    const rule = 'must have at most 32 lower case letters, digits, "-" and "_"'
    report(`bad_${name}`, `"${name}" ${rule}.`)
    return undefined
  }
  if (kind === 'switcher') return { kind, flags: readFlags(fields, report) }
  if (kind === 'archive') {
    const type = keyIn('archive')
    return type === undefined ? undefined : { kind, type }
  }
  const path = fields.text(kind)
  if (path === '') report(`bad_${kind}`, `"${kind}" must be a path of slugs and slashes.`)
  if (!path) return undefined
  const lang = fields.text('lang')
  const ref = { path, ...(lang === undefined ? {} : { lang }) }
  if (kind === 'page') return { kind: 'post', type: 'page', ...ref }
  if (kind === 'post') return { kind, type: keyIn('type') ?? 'post', ...ref }
  return { kind, taxonomy: keyIn('taxonomy') ?? 'category', ...ref }
}

function readAddress(
  fields: ItemFieldsOfFile,
  report: ReportProblem,
): Pick<ItemFields, 'url' | 'object'> {
  const url = readText('url', fields.text('url'), report)
  const asIs = fields.text('as_is') ?? 'false'
  if (!isFlag(asIs)) report('bad_as_is', '"as_is" must be true or false.')
  if (url === undefined) return {}
  if (asIs === 'true') return { object: { kind: 'address', url } }
  return url === SWITCHER_URL
    ? { object: { kind: 'switcher', flags: DEFAULT_SWITCHER_FLAGS } }
    : { url }
}

function readFlags(fields: ItemFieldsOfFile, report: ReportProblem) {
  const named = fields.list('switcher').map(String)
  if (named.some((name) => !SWITCHER_FLAGS.some((flag) => flag === name)))
    report('bad_switcher', `"switcher" must be a list of flags: ${SWITCHER_FLAGS.join(', ')}.`)
  return SWITCHER_FLAGS.filter((flag) => named.includes(flag))
}

export const FILE_FORMATS = ['yaml', 'json'] as const

export type FileFormat = (typeof FILE_FORMATS)[number]

type FileContent = Pick<PortableMenu, 'name' | 'slug' | 'assignments' | 'items'>

/** Read with `readMenuFile`. */
export type MenuContent = {
  readonly name: string
  readonly slug: string
  readonly locations: readonly PortableAssignment[]
  readonly items: readonly FileItem[]
}

type FileItem = { [field: string]: unknown; children?: FileItem[] }

/** Writes a menu as the text of a file; `readMenuFile` is the inverse. */
export function formatMenuFile(content: object, format: FileFormat): string {
  return format === 'json'
    ? `${JSON.stringify(content, null, 2)}\n`
    : stringify(content, { lineWidth: 0, aliasDuplicateObjects: false })
}

/** The contents of a menu file as plain values, as in JSON. */
export function menuContent({ name, slug, assignments, items }: FileContent): MenuContent {
  return { name, slug, locations: assignments, items: nestItems(items) }
}

/** Parents precede their children in the list. */
function nestItems(items: readonly ItemInput[]): FileItem[] {
  const top: FileItem[] = []
  const nested: FileItem[] = []
  for (const item of items) {
    const texts = TEXT_FIELDS.flatMap((name) =>
      item[name] === undefined ? [] : [[name, item[name]]],
    )
    const value: FileItem = { ...linkFields(item), ...Object.fromEntries(texts) }
    nested.push(value)
    const parent = nested[item.parent]
    if (!parent) top.push(value)
    else if (parent.children) parent.children.push(value)
    else parent.children = [value]
  }
  return top
}

function linkFields({ url, object: ref }: ItemFields): FileItem {
  switch (ref?.kind) {
    case undefined:
      return { url }
    case 'post': {
      const { type, path } = ref
      return { ...(type === 'page' ? { page: path } : { post: path, type }), ...languageOf(ref) }
    }
    case 'term':
      return { term: ref.path, taxonomy: ref.taxonomy, ...languageOf(ref) }
    case 'archive':
      return { archive: ref.type }
    case 'address':
      return { url: ref.url, as_is: true }
    case 'switcher':
      return { switcher: ref.flags }
    case 'post-id':
    case 'term-id':
      throw new Error('a menu file names posts and terms by their paths')
  }
}

const languageOf = ({ lang }: { readonly lang?: string }) => (lang === undefined ? {} : { lang })
