import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { parse } from 'yaml'

/** A text by the code of its language. */
type Texts = Readonly<Record<string, string>>

export type LanguageSource = {
  readonly code: string
  readonly locale: string
  readonly name: string
  readonly flag: string
  readonly rtl?: boolean
}

export type PageText = {
  readonly title: string
  readonly slug: string
  readonly excerpt: string
  /** See `blocksOf`. */
  readonly text: string
}

/** A page, with its text by the code of each language. */
export type PageSource = {
  /** The frame of the page. */
  readonly frame: string
  /** The key of another page. */
  readonly parent?: string
} & { readonly [language: string]: PageText | string | undefined }

/** An item links a page, by its key, or an address. */
export type ItemSource = {
  readonly page?: string
  readonly url?: string
  /** [the title of the page] */
  readonly title?: Texts
  readonly children?: readonly ItemSource[]
}

export type MenuSource = {
  readonly location: string
  readonly slug: string
  readonly name: Texts
  readonly items: readonly ItemSource[]
}

export type SiteSource = {
  readonly id: number
  /** [the host of the network] */
  readonly host?: string
  readonly path: string
  readonly title: string
  readonly description: Texts
  readonly theme: string
  /** The locale of a site without Polylang. */
  readonly locale?: string
  /** The languages of a site with Polylang, the default one first. */
  readonly languages?: readonly LanguageSource[]
  /** Embedded frames first: a frame is created after the frames that it embeds. */
  readonly frames: readonly string[]
  readonly datasets?: Readonly<Record<string, unknown>>
  /** By their keys; the page `home` is the front page. */
  readonly pages: Readonly<Record<string, PageSource>>
  readonly menus: readonly MenuSource[]
}

export type UserSource = {
  readonly login: string
  readonly email: string
  readonly name: string
  readonly super?: boolean
  /** The user's role by the id of a site. */
  readonly sites: Readonly<Record<string, string>>
}

export type NetworkSource = {
  readonly host: string
  readonly name: string
  readonly users: readonly UserSource[]
  readonly sites: readonly SiteSource[]
}

/** Reads the sources of the demo network: its sites are described in a file each. */
export function readNetworkSource(): NetworkSource {
  const network = readYaml('network')
  return { ...network, sites: network.sites.map((name: string) => readYaml(name)) }
}

/** The options of a new site. */
export const readOptionDefaults = (): Readonly<Record<string, string>> => readYaml('options')

/** The statements of a file with the tables of a network or a site. */
export const readTables = (name: 'network-tables' | 'site-tables'): string =>
  read(`${name}.sql`).replace(/^--.*$/gm, '')

const readYaml = (name: string) => parse(read(`${name}.yaml`))

function read(file: string): string {
  return readFileSync(resolve(import.meta.dirname, file), 'utf8')
}

/** The languages in which a site has texts; a site without Polylang has one. */
export const codesOf = ({ languages, locale = '' }: SiteSource): string[] =>
  languages?.map(({ code }) => code) ?? [locale.split('_')[0] ?? '']

/** @throws Error if the page has no text in the language */
export function textOf(page: PageSource, code: string): PageText {
  const text = page[code]
  if (typeof text === 'object') return text
  throw new Error(`a page of the demo has no text in the language "${code}"`)
}
