import { readTree } from '../../../../src/content/menus/item-tree.ts'
import { readMenuName } from '../../../../src/content/menus/menu-names.ts'
import { readWriteContext } from '../../../../src/content/menus/write-context.ts'
import { createMenu } from '../../../../src/content/menus/write-menu.ts'
import type { Database } from '../../../../src/db/database.ts'
import type { Site } from '../../../../src/wordpress/network/site.ts'
import type { Lang, TreePage } from './page-tree.ts'

/** The active theme, and the one that a site switches to. The header menus of the second one have other items. */
export const THEMES = ['opal', 'quartz'] as const

export type Theme = (typeof THEMES)[number]

/** The title of an item that only the header menu of a theme has. */
export const themeItem = (theme: Theme): string => `Only in ${theme}`

/** The title of a link of a menu, until it is edited. */
const linkTitle = (location: string, index: number): string => `Link ${location} ${index}`

const HEADER_ITEMS = 20
const FOOTER_ITEMS = 5
/** Items of a header menu that link to pages. They have no titles of their own. */
const LINKED_PAGES = 8
const ADMIN = { userId: 1, unfilteredHtml: true }

/** Creates the menus of a site: one for the header in each theme and language, and one for the footer in each theme. */
export async function createMenus(
  db: Database,
  site: Site,
  pages: readonly TreePage[],
): Promise<void> {
  const langs = new Set(pages.map(({ lang }) => lang))
  for (const theme of THEMES) {
    for (const lang of langs)
      await create(db, site, { theme, location: 'header', lang }, headerItems(theme, lang, pages))
    const [lang = null] = langs
    const items = Array.from({ length: FOOTER_ITEMS }, (_, index) => link('footer_1', index))
    await create(db, site, { theme, location: 'footer_1', lang }, items)
  }
}

/** The name of the menu of a location. */
export const menuName = ({ location, lang, theme }: Assignment): string =>
  [location, lang, theme].filter(Boolean).join(' ')

type Assignment = { readonly theme: Theme; readonly location: string; readonly lang: Lang | null }

function headerItems(theme: Theme, lang: Lang | null, pages: readonly TreePage[]): object[] {
  const linked = pages.filter(
    (page) => page.lang === lang && page.role !== 'sub' && page.role !== 'leaf',
  )
  const items = [
    { title: themeItem(theme), url: `/${theme}/` },
    ...linked.slice(0, LINKED_PAGES).map(({ id }) => ({ page: id })),
  ]
  const rest = HEADER_ITEMS - items.length
  return [...items, ...Array.from({ length: rest }, (_, index) => link('header', index))]
}

const link = (location: string, index: number) => ({
  title: linkTitle(location, index),
  url: `/${location}/${index}/`,
})

async function create(
  db: Database,
  site: Site,
  assignment: Assignment,
  items: readonly object[],
): Promise<void> {
  const context = await readWriteContext(db, site, ADMIN, () => new Date())
  await db.write({ site }, (tx) =>
    createMenu(
      tx,
      site,
      {
        name: readMenuName(menuName(assignment)),
        slug: undefined,
        assignment,
        tree: readTree(items),
        allowInvalid: false,
      },
      context,
    ),
  )
}
