import { encodePhp } from '#php-serialized'
import { isGone, shows } from '../copy-watch.ts'
import type { MeasuredPage, MeasuredSite } from '../measured-site.ts'
import { titleOf } from '../network/fill-site.ts'
import { LANGUAGES, POLYLANG } from '../network/languages.ts'
import { menuName, THEMES, themeItem } from '../network/menus.ts'
import type { Lang } from '../network/page-tree.ts'
import { type Edit, type EditKind, type Statement, single } from './edit.ts'
import { updatePost } from './page-edits.ts'
import { readItems, updateOption } from './setting-edits.ts'

/** Copies that are compared after an edit that changes all pages of a site. */
const SAMPLE = 40

/** The edits of a site with many pages that are measured unless all are asked for: a minute each with 20,000 pages. */
export const BRIEF_SITE_EDITS = ['site title (blogname)', 'site archived', 'archived site restored']

/** Edits that change all or most pages of a site. */
export const SITE_EDITS: readonly EditKind[] = [
  single('site title (blogname)', (site) => (mark) => ({
    statements: [updateOption(site, 'blogname', `Site ${mark}`)],
    expected: site.sample(SAMPLE).map((page) => shows(site.fileOf(page), `Site ${mark}`)),
  })),
  single('title of a menu item on all pages', (site) => async (mark) => {
    const items = await readItems(
      site,
      menuName({ theme: site.theme, location: 'header', lang: 'en' }),
    )
    return {
      statements: [updatePost(site, items.at(-1) ?? 0, { post_title: `Item ${mark}` })],
      expected: site
        .sample(SAMPLE, isIn('en'))
        .map((page) => shows(site.fileOf(page), `Item ${mark}`)),
    }
  }),
  single('name of a language', (site) => (mark) => ({
    statements: [
      [
        'UPDATE ?? SET name = ? WHERE term_id = ?',
        [site.table('terms'), `Français ${mark}`, LANGUAGES.fr.term],
      ],
    ],
    expected: site.sample(SAMPLE).map((page) => shows(site.fileOf(page), `Français ${mark}`)),
  })),
  single('permalink structure', (site) => () => {
    site.urls = { ...site.urls, haveSlash: !site.urls.haveSlash }
    const [linked] = site.pages.filter(({ role, lang }) => role === 'top' && lang === 'en')
    const structure = `/%postname%${site.urls.haveSlash ? '/' : ''}`
    return {
      statements: [updateOption(site, 'permalink_structure', structure)],
      expected: site
        .sample(SAMPLE, isIn('en'))
        .map((page) => shows(site.fileOf(page), linked ? site.linkTo(linked) : '')),
    }
  }),
  single('theme (stylesheet)', (site) => () => {
    site.theme = THEMES.find((theme) => theme !== site.theme) ?? site.theme
    return {
      statements: ['template', 'stylesheet'].map((name) => updateOption(site, name, site.theme)),
      expected: site.sample(SAMPLE).map((page) => shows(site.fileOf(page), themeItem(site.theme))),
    }
  }),
  single('front page (page_on_front)', (site) => () => {
    const former = site.page(site.front)
    const front = site.pages.find(
      ({ id, role, lang }) => lang === 'en' && role.endsWith('front') && id !== former.id,
    )
    const formerFile = site.fileAt(front ? site.pathOf(front) : '')
    site.front = front?.id ?? site.front
    return {
      statements: [updateOption(site, 'page_on_front', String(site.front))],
      expected: [
        shows(site.fileAt(''), `<h1>${titleOf(site.page(site.front))}</h1>`),
        shows(site.fileOf(former), '</html>'),
        isGone(formerFile),
      ],
    }
  }),
  {
    titles: ['Polylang deactivated', 'Polylang activated'],
    begin: (site) =>
      [false, true].map((haveLanguages) => () => {
        const plugins = encodePhp(haveLanguages ? [POLYLANG] : [])
        return movedPages(site, 'fr', [updateOption(site, 'active_plugins', plugins)], () => {
          site.urls = { ...site.urls, haveLanguages }
        })
      }),
  },
  {
    titles: ['default language in URLs (polylang)', 'no default language in URLs (polylang)'],
    begin: (site) =>
      [true, false].map((haveDefault) => () => {
        const flag = (value: boolean) => `s:12:"hide_default";b:${Number(value)};`
        const statement: Statement = [
          "UPDATE ?? SET option_value = REPLACE(option_value, ?, ?) WHERE option_name = 'polylang'",
          [site.table('options'), flag(haveDefault), flag(!haveDefault)],
        ]
        return movedPages(site, 'en', [statement], () => {
          site.urls = { ...site.urls, haveDefault }
        })
      }),
  },
  closing('archived', ['site archived', 'archived site restored']),
  closing('deleted', ['site marked as deleted', 'deleted site restored']),
]

const isIn =
  (wanted: Lang) =>
  ({ lang }: MeasuredPage): boolean =>
    lang === wanted

/** The pages of a language get other URLs. */
function movedPages(
  site: MeasuredSite,
  lang: Lang,
  statements: readonly Statement[],
  move: () => void,
): Edit {
  const pages = site.sample(SAMPLE, (page) => page.lang === lang && page.id !== site.front)
  const former = pages.map((page) => site.fileOf(page))
  move()
  return {
    statements,
    expected: [
      ...pages.map((page) => shows(site.fileOf(page), '</html>')),
      ...former.map((file) => isGone(file)),
    ],
  }
}

/** The site is closed, and opened again. */
function closing(column: 'archived' | 'deleted', titles: readonly string[]): EditKind {
  return {
    titles,
    begin: (site) =>
      [1, 0].map((value) => () => ({
        statements: [
          [
            `UPDATE wp_blogs SET ${column} = ?, last_updated = NOW() WHERE blog_id = ?`,
            [value, site.blogId],
          ],
        ],
        expected: site
          .sample(SAMPLE)
          .map((page) => (value ? isGone(site.fileOf(page)) : shows(site.fileOf(page), '</html>'))),
      })),
  }
}
