import { escapeText } from 'entities'

type DocsPage = {
  readonly title: string
  /** The element `main`, in HTML. */
  readonly main: string
  /** Names of style sheets and scripts, beside the page. */
  readonly styles?: readonly string[]
  readonly scripts?: readonly string[]
}

/** A page of the documentation. All its addresses are relative to `/docs/`, so that it stands wherever the API is mounted. */
export function renderDocsPage({ title, main, styles = [], scripts = [] }: DocsPage): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="icon.svg">
<title>${escapeText(title)} - wp-frames</title>
${['docs.css', ...styles].map((name) => `<link rel="stylesheet" href="${name}">`).join('\n')}
${scripts.map((name) => `<script src="${name}" defer></script>`).join('\n')}
</head>
<body>
<nav><a href="./">Guides</a> <a href="reference">API reference</a> <a href="../openapi.json">openapi.json</a></nav>
${main}
</body>
</html>
`
}
