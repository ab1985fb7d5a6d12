/** A layout to begin with: the page, and the header and footer that it embeds. */
export const LAYOUT: readonly { readonly slug: string; readonly html: string }[] = [
  {
    slug: 'site-header',
    html: `<header class="site-header">
  <a data-op-bind="href:site.url; site.title" href="/">Site</a>
  <nav><!-- svc/menu {"location":"header","depth":1,"current":true} /--></nav>
  <nav data-op-bind="if:languages"><!-- svc/lang-switcher /--></nav>
</header>
`,
  },
  {
    slug: 'site-footer',
    html: `<footer class="site-footer">
  <nav><!-- svc/menu {"location":"footer_1","depth":1} /--></nav>
  <p data-op-bind="site.description">What the site is about</p>
</footer>
`,
  },
  {
    slug: 'page',
    html: `<!doctype html>
<html data-op-bind="lang:site.language_tag; dir:site.dir">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" data-op-bind="content:site.robots" content="">
<title data-op-bind="page.title">Page</title>
<style>
  :root { color-scheme: light dark; }
  body { margin: 0 auto; max-width: 56rem; padding: 0 1.5rem; font: 1.0625rem/1.6 system-ui, sans-serif; }
  .site-header, .site-footer { display: flex; flex-wrap: wrap; gap: .5rem 2rem; align-items: center; padding: 1.25rem 0; }
  .site-header { border-bottom: 1px solid; }
  .site-footer { border-top: 1px solid; margin-top: 4rem; }
  nav ul { display: flex; flex-wrap: wrap; gap: .25rem 1.25rem; list-style: none; margin: 0; padding: 0; }
  h1 { font-size: 2.5rem; line-height: 1.15; }
</style>
</head>
<body>
<!-- svc/frame {"name":"site-header"} /-->
<main>
  <h1 data-op-bind="page.title">Page</h1>
  <!-- svc/content /-->
</main>
<!-- svc/frame {"name":"site-footer"} /-->
</body>
</html>
`,
  },
]
