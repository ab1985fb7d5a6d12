import { basename } from 'node:path'
import { isServiceError } from '#client'
import { parseMarkupInput } from '../../content/frames/frame-markup.ts'
import { parseSlug } from '../../content/frames/slug.ts'
import { menuContent, readMenuFile } from '../../content/menus/menu-file.ts'
import { AppError } from '../../host/errors.ts'
import { readYamlData } from '../../host/yaml-data.ts'
import type { Bundle, Description } from '../../network/description/description.ts'
import {
  type DescriptionProblem,
  parseForm,
  positionOf,
} from '../../network/description/problems.ts'
import { CommandError } from '../cli-context.ts'
import { isFrameFileName, slugFromFileName } from '../frames/folder/frame-file-name.ts'
import { pluralize, sanitizeForTerminal } from '../terminal.ts'
import { FolderFiles } from './folder-files.ts'
import {
  type FileBundle,
  NETWORK_FILE,
  type NetworkFile,
  NetworkFileSchema,
} from './network-file.ts'
import { type DescribeProblem, sentenceOf } from './plan-groups.ts'

/** More than any valid file has. */
const YAML_OPTIONS = { maxDepth: 30, subject: 'description' }
const MAX_PROBLEM_LINES = 100

/**
 * Reads the description in a folder: `network.yaml`, and the files that it names.
 * @throws CommandError with the file and line of each problem
 */
export async function readFolder(path: string): Promise<LocatedDescription> {
  const files = await FolderFiles.open(path)
  const problems: string[] = []
  const report: Report = (where, message) => void problems.push(`${where}: ${message}`)
  const file = await readReporting(NETWORK_FILE, report, async () =>
    readNetworkFile(await files.read(NETWORK_FILE), report),
  )
  const bundles: [string, Bundle][] = []
  const sources = new Map<string, BundleSources>()
  for (const [name, content] of Object.entries(file?.data?.bundles ?? {})) {
    const { frames, menus, ...bundle } = await readBundle(files, content, report)
    const values = {
      frames: frames.map(({ value }) => value),
      menus: menus.map(({ value }) => value.menu),
    }
    bundles.push([name, { ...bundle, ...values }])
    sources.set(name, { frames, menus: menus.map(({ file, value }) => ({ file, ...value })) })
  }
  if (file?.data && problems.length === 0) {
    const description = { ...file.data, bundles: Object.fromEntries(bundles) }
    const source = new DescriptionSource(file.lineAt, sources)
    return { description, source, unused: await files.listUnread(BUNDLE_FILE) }
  }
  const lines = problems.slice(0, MAX_PROBLEM_LINES).map((line) => `${line}\n`)
  throw new CommandError(
    `${sanitizeForTerminal(lines.join(''))}${pluralize(problems.length, 'problem')} in ${path}.`,
  )
}

/** A description, and where its parts are in the folder. */
export type LocatedDescription = {
  readonly description: Description
  readonly source: DescriptionSource
  /** Paths of files that look like frames or menus, but are in no bundle; the first ones. */
  readonly unused: readonly string[]
}

/** The warning about an unused file. */
export const inNoBundle = (file: string): string =>
  `${file} is in no bundle, so no site gets it. Name it in ${NETWORK_FILE}, or remove it.`

/** Names of files that bundles name. */
const BUNDLE_FILE = /\.(?:html|yaml)$/

/** What was read of a file. */
type Read<Value> = { readonly file: string; readonly value: Value }

/** Reports a problem: the file, with the line if it is known, and the message. */
type Report = (where: string, message: string) => void

function readNetworkFile(
  text: string,
  report: Report,
): { readonly data: NetworkFile | undefined; readonly lineAt: LineAt } {
  const { value, problems, lineAt } = readYamlData(text, YAML_OPTIONS)
  const where = (line: number): string => `${NETWORK_FILE}, line ${line}`
  for (const { line, message } of problems) report(where(line), message)
  const { data, problems: wrong } = parseForm(NetworkFileSchema, value)
  for (const { path, message } of wrong)
    report(where(lineAt(path)), `${positionOf(path)}: ${message}`)
  return { data, lineAt }
}

async function readBundle(
  files: FolderFiles,
  { frames, menus, ...bundle }: FileBundle,
  report: Report,
) {
  return {
    ...bundle,
    frames: await readEach(files, frames, report, readFrameFile),
    menus: await readEach(files, menus, report, (entry, text) => readMenu(entry, text, report)),
  }
}

function readFrameFile(
  { file, slug, formerly = [] }: FileEntry,
  text: string,
): Bundle['frames'][number] {
  const name = basename(file)
  if (slug === undefined && !isFrameFileName(name))
    throw new CommandError(
      'The name of the file must be the slug and end with .html. Otherwise add "slug".',
    )
  return { slug: parseSlug(slug ?? slugFromFileName(name)), html: parseMarkupInput(text), formerly }
}

function readMenu(
  { file, formerly = [] }: FileEntry,
  text: string,
  report: Report,
): { readonly menu: Bundle['menus'][number]; lineAt(item: string): number } {
  const { name, slug, locations, tree, problems, lineAt } = readMenuFile(text)
  for (const { line, at, message } of problems) {
    report([file, `line ${line}`, ...(at === null ? [] : [`item ${at}`])].join(', '), message)
  }
  if (slug === undefined) report(file, 'A menu of a description must have a "slug".')
  const content = { name, slug: slug ?? '', assignments: locations, items: tree.items }
  return { menu: { ...menuContent(content), formerly }, lineAt }
}

/** An entry of a list of files. */
type FileEntry = {
  readonly file: string
  readonly slug?: string | undefined
  readonly formerly?: string[]
}

/** Reads the files that a list names. A file that a pattern matches and that the list also names has the fields of the latter. */
async function readEach<Value>(
  files: FolderFiles,
  listed: string | readonly (string | FileEntry)[],
  report: Report,
  read: (entry: FileEntry, text: string) => Value,
): Promise<Read<Value>[]> {
  const entries = new Map<string, FileEntry>()
  for (const entry of typeof listed === 'string' ? [listed] : listed) {
    const { file: pattern, ...fields } = typeof entry === 'string' ? { file: entry } : entry
    const matching = await readReporting(NETWORK_FILE, report, () => files.list(pattern))
    for (const file of matching ?? []) {
      if (typeof entry !== 'string' || !entries.has(file)) entries.set(file, { file, ...fields })
    }
  }
  const values: Read<Value>[] = []
  for (const entry of entries.values()) {
    const value = await readReporting(entry.file, report, async () =>
      read(entry, await files.read(entry.file)),
    )
    if (value !== undefined) values.push({ file: entry.file, value })
  }
  return values
}

/** Reads a file; reports an error that the operator can resolve, and returns undefined. */
async function readReporting<Value>(
  file: string,
  report: Report,
  read: () => Promise<Value>,
): Promise<Value | undefined> {
  try {
    return await read()
  } catch (error) {
    if (!(error instanceof AppError || error instanceof CommandError)) throw error
    report(file, error.message)
    return undefined
  }
}

/** The line of the value at a path of `network.yaml`. */
type LineAt = (path: readonly PropertyKey[]) => number

/** The files of a bundle's frames and menus, in the order of the description. */
type BundleSources = {
  readonly frames: readonly { readonly file: string }[]
  readonly menus: readonly {
    readonly file: string
    readonly menu: { readonly slug: string }
    lineAt(item: string): number
  }[]
}

/** Where the parts of a description are in its folder. */
class DescriptionSource {
  readonly #lineAt: LineAt
  readonly #bundles: ReadonlyMap<string, BundleSources>

  constructor(lineAt: LineAt, bundles: ReadonlyMap<string, BundleSources>) {
    this.#lineAt = lineAt
    this.#bundles = bundles
  }

  /** The file of a frame of a bundle, by its position. */
  frameFile(bundle: string, index: number): string | undefined {
    return this.#bundles.get(bundle)?.frames[index]?.file
  }

  /** With the file and line of an item, unless several bundles have its menu. */
  readonly describe: DescribeProblem = (problem) => {
    const { kind, name, at, message } = problem
    const menus = [...this.#bundles.values()].flatMap(({ menus }) => menus)
    const [menu, other] = kind === 'menu' ? menus.filter(({ menu }) => menu.slug === name) : []
    if (at === undefined || !menu || other) return sentenceOf(problem)
    return `${kind} ${name}: ${menu.file}, line ${menu.lineAt(at)}, item ${at}: ${message}`
  }

  /**
   * Runs work that finds problems of the description.
   * @throws CommandError with the file and line of each problem
   */
  async locating<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      if (!isServiceError(error, 'bad_description')) throw error
      const { problems = [] } = error.fields
      const [heading, ...lines] = error.message.split('\n')
      const located = problems.map((problem) => this.#locate(problem))
      throw new CommandError([heading, ...located, ...lines.slice(problems.length)].join('\n'))
    }
  }

  #locate({ at, message }: DescriptionProblem): string {
    const source = this.#find(at)
    const [, item] = /^item (\d+(?:\.\d+)*)\b/.exec(message) ?? []
    if (source && 'lineAt' in source && item !== undefined)
      return `${source.file}, line ${source.lineAt(item)}: ${message}`
    if (source) return `${source.file}: ${message}`
    if (!/^(?:bundles|sites)\./.test(at)) return `${at}: ${message}`
    return `${NETWORK_FILE}, line ${this.#lineAt(at.split('.'))}: ${at}: ${message}`
  }

  /** The file of the frame or menu at a position, such as `bundles.shop.menus.0`. */
  #find(at: string): BundleSources['frames'][number] | BundleSources['menus'][number] | undefined {
    const [, bundle = '', list, index] = /^bundles\.([^.]+)\.(frames|menus)\.(\d+)/.exec(at) ?? []
    const sources = this.#bundles.get(bundle)
    return list === 'menus' || list === 'frames' ? sources?.[list][Number(index)] : undefined
  }
}
