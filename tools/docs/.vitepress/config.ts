import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { defineConfig } from 'vitepress'
import { API_BASE } from '../base.ts'
import { NAVIGATION } from '../navigation.ts'

const ROOT = resolve(import.meta.dirname, '../../..')
const SOURCE = join(ROOT, '.data/docs')

/** The pages of the commands; the first line of each is its title. */
const commands = readdirSync(join(SOURCE, 'commands')).map((file) => {
  const [title = ''] = readFileSync(join(SOURCE, 'commands', file), 'utf8').split('\n')
  return { text: title.slice(2), link: `/commands/${file.replace(/\.md$/, '')}` }
})

/** The anchor that GitHub generates for a heading, so that links work there and here. */
const anchorOf = (text: string): string =>
  text
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replace(/\s/g, '-')

export default defineConfig({
  srcDir: SOURCE,
  outDir: join(ROOT, 'dist/docs'),
  cacheDir: join(ROOT, '.data/docs-cache'),
  base: `${API_BASE}/docs/`,
  cleanUrls: true,
  title: 'wp-frames',
  description: 'Frames and menus of a WordPress multisite network',
  head: [['link', { rel: 'icon', href: `${API_BASE}/docs/icon.svg` }]],
  // The theme would switch it with a style element, which the Content-Security-Policy does not allow.
  appearance: { disableTransition: false },
  // Each page would load all pages that it links to, and they count against the rate limit.
  router: { prefetchLinks: false },
  ignoreDeadLinks: [/\/reference$/],
  markdown: { anchor: { slugify: anchorOf } },
  themeConfig: {
    logo: '/icon.svg',
    nav: [
      { text: 'Guides', link: '/' },
      { text: 'API reference', link: `https:/${API_BASE}/docs/reference`, target: '_self' },
      { text: 'Console', link: `https:/${API_BASE}/console/`, target: '_self' },
    ],
    sidebar: NAVIGATION.map(([text, pages]) => ({
      text,
      items: pages.map(([name, title]) => ({
        text: title,
        link: name === 'index' ? '/' : `/${name}`,
        ...(name === 'commands' && { collapsed: true, items: commands }),
      })),
    })),
    outline: { level: [2, 3] },
    search: { provider: 'local' },
    externalLinkIcon: false,
  },
})
