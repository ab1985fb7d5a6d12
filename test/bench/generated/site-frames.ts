import type { SetFrame } from '../setup/content.ts'

/** The frames that pages are assigned to. */
export type PageFrame = 'page-plain' | 'page-section' | 'page-article' | 'page-sitemap'

const page = (main: string): string => `<!doctype html>
<html data-op-bind="lang:site.lang; dir:site.dir">
<head><meta charset="utf-8"><title data-op-bind="page.title"></title></head>
<body>
<!-- svc/frame {"name":"site-header"} /-->
<main>
${main}
</main>
<!-- svc/frame {"name":"site-footer","note":"All rights reserved"} /-->
</body>
</html>
`

const TEXT = '<h1 data-op-bind="page.title"></h1>\n<!-- svc/content /-->'

const rows = (name: string, source: string): string =>
  `<ul class="${name}"><!-- svc/repeat {"source":"${source}"} --><li><a data-op-bind="href:item.url; item.title"></a></li><!-- /svc/repeat --></ul>`

/** The sitemap, which shows what no other page does. `edition` occurs in its markup. */
export const sitemapMarkup = (edition: string): string =>
  page(
    [
      TEXT,
      `<p class="edition">${edition}</p>`,
      '<p class="description" data-op-bind="site.description"></p>',
      '<p class="format" data-op-bind="settings.date_format"></p>',
      '<ul class="news"><!-- svc/repeat {"source":"dataset.news"} --><li data-op-bind="item.title"></li><!-- /svc/repeat --></ul>',
      '<nav><!-- svc/menu {"location":"footer_1"} /--></nav>',
      rows('pages', 'pages'),
    ].join('\n'),
  )

/** The footer of every page, with a text in it. */
export const footerMarkup = (text: string): string =>
  `<footer><p data-op-bind="props.note"></p><p>${text}</p></footer>`

/** The frames of each generated site. A header on every page shows the title of the site, a menu and the languages. */
export const SITE_FRAMES: readonly SetFrame[] = [
  {
    slug: 'site-header',
    html: `<header>
<strong><a data-op-bind="href:site.home; site.title" href="/"></a></strong>
<nav><!-- svc/menu {"location":"header","depth":2,"current":true} /--></nav>
<nav><!-- svc/lang-switcher /--></nav>
</header>`,
  },
  { slug: 'site-footer', html: footerMarkup('') },
  { slug: 'page-plain', html: page(TEXT) },
  { slug: 'page-section', html: page(`${TEXT}\n${rows('children', 'page.children')}`) },
  { slug: 'page-article', html: page(`${rows('ancestors', 'page.ancestors')}\n${TEXT}`) },
  { slug: 'page-sitemap', html: sitemapMarkup('first') },
]
