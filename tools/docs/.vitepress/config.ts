import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { defineConfig, type MarkdownRenderer } from 'vitepress'
import { API_BASE } from '../base.ts'
import { coloursToClasses, writeColours } from '../code-colours.ts'
import { BUILT, SOURCE, WORK } from '../folders.ts'
import { INSERTS } from '../insert-grammar.ts'
import { CHAPTERS } from '../navigation.ts'
import { anchorOf, searchedText } from '../searched-text.ts'

/** The pages of the commands; the first line of each is its title. */
const commands = readdirSync(join(SOURCE, 'commands')).map((file) => {
  const [title = ''] = readFileSync(join(SOURCE, 'commands', file), 'utf8').split('\n')
  return { text: title.slice(2), link: `/commands/${file.replace(/\.md$/, '')}` }
})

/** Cells are aligned by an attribute: the Content-Security-Policy of `/docs` allows no inline styles. */
function alignCells(markdown: MarkdownRenderer): void {
  markdown.core.ruler.push('align_cells', ({ tokens }) => {
    for (const token of tokens) {
      const [, align] = /^text-align:(\w+)$/.exec(token.attrGet('style') ?? '') ?? []
      if (align !== undefined) token.attrs = [['align', align]]
    }
  })
}

export default defineConfig({
  srcDir: SOURCE,
  outDir: BUILT,
  cacheDir: join(WORK, 'cache'),
  base: `${API_BASE}/docs/`,
  cleanUrls: true,
  // The reference is made by Swagger UI.
  ignoreDeadLinks: [/^\.\/reference/],
  title: 'wp-frames',
  description: 'Frames and menus of a WordPress multisite network',
  head: [
    ['link', { rel: 'icon', href: `${API_BASE}/docs/icon.svg` }],
    ['link', { rel: 'stylesheet', href: `${API_BASE}/docs/code.css` }],
  ],
  // The theme would switch it with a style element, which the Content-Security-Policy does not allow.
  appearance: { disableTransition: false },
  // Each page would load all pages that it links to, and they count against the rate limit.
  router: { prefetchLinks: false },
  // Texts such as GET /site/<id> are no HTML, and net.test no link.
  markdown: {
    html: false,
    linkify: false,
    // In the default themes, comments, and so inserts, are hard to read.
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-high-contrast' },
    languages: [INSERTS],
    languageAlias: { vcl: 'c' },
    anchor: { slugify: anchorOf },
    codeTransformers: [coloursToClasses],
    config: alignCells,
  },
  buildEnd: ({ outDir }) => writeColours(join(outDir, 'code.css')),
  themeConfig: {
    logo: '/icon.svg',
    nav: [
      { text: 'Guides', link: '/' },
      // With a target, the browser follows the link: these pages are not made by VitePress.
      { text: 'API reference', link: '/reference', target: '_self' },
      { text: 'Console', link: '/../console/', target: '_self' },
    ],
    sidebar: CHAPTERS.map(({ title: text, pages }) => ({
      text,
      items: pages.map(([name, title]) => ({
        text: title,
        link: `/${name}`,
        ...(name === 'commands' && { collapsed: true, items: commands }),
        ...(name === 'http' && { items: [{ text: 'Endpoints', link: '/endpoints' }] }),
      })),
    })),
    notFound: {
      quote:
        'The documentation has no page at this address. If it had one, the search finds where it is now.',
      linkText: 'To the first page',
    },
    outline: { level: [2, 3] },
    search: {
      provider: 'local',
      options: {
        _render: (text, env, markdown) =>
          markdown.render(searchedText(env.relativePath, text), env),
      },
    },
  },
})
