import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'

/** WordPress's own answers for a site; see the files. */
export type Truth = {
  readonly blog_id: number
  readonly home_url: string
  readonly stylesheet: string
  readonly polylang: boolean
  readonly permalink_structure: string
  readonly default_lang?: string
  readonly languages?: readonly {
    slug: string
    locale: string
    name: string
    rtl: boolean
    home_url: string
  }[]
  readonly pages: readonly TruthPage[]
  readonly menus: readonly {
    id: number
    tt: number
    name: string
    slug: string
    count: number
    items: readonly TruthItem[]
  }[]
  readonly locations: Readonly<Record<string, number>>
  readonly administrator: Readonly<Record<string, boolean>>
}

type TruthPage = {
  readonly id: number
  readonly slug: string
  readonly status: string
  readonly path: string
  readonly url: string
  readonly title: string
  readonly lang: string | null
  /** An empty list if a page has no language, null if the site has none. */
  readonly translations: Readonly<Record<string, number>> | readonly [] | null
}

export type TruthItem = {
  readonly id: number
  readonly title: string
  readonly post_title: string
  readonly url: string
  readonly parent: number
  readonly type: string
  readonly object: string
  readonly object_id: number
  readonly order: number
  readonly target: string
  readonly classes: readonly string[]
  readonly xfn: string
  readonly attr_title: string
  readonly description: string
  readonly invalid: boolean
}

/** Site 2 with other settings: its links by page id, its homes by language. */
export type TruthAddresses = {
  readonly settings: {
    readonly force_lang: number
    readonly hide_default: boolean
    readonly redirect_lang: boolean
    readonly rewrite: boolean
    readonly domains: Readonly<Record<string, string>>
    readonly permalink_structure: string
    readonly show_on_front: string
  }
  readonly home_urls: Readonly<Record<string, string>>
  readonly pages: Readonly<Record<string, string>>
}

/** The output of `wp_nav_menu` at each location of an address. */
export type RenderedMenus = Readonly<
  Record<string, { queried_id: number; lang: string; locations: Readonly<Record<string, string>> }>
>

const DATA = resolve(import.meta.dirname, '../data')

function read<T>(name: string): T {
  return JSON.parse(readFileSync(resolve(DATA, `${name}.json`), 'utf8'))
}

export const truths: readonly Truth[] = ['main', 'shop', 'docs', 'brand'].map((name) =>
  read<Truth>(`truth-${name}`),
)
export const truthAddresses = read<readonly TruthAddresses[]>('permalinks')
export const renderedMenus = read<RenderedMenus>('rendered-menus')
