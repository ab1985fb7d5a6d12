import { Marked } from 'marked'

/** The heading and the HTML of a guide. Guides are files of ours: nothing in them is foreign. */
export function renderGuide(markdown: string): { readonly title: string; readonly html: string } {
  const [, title = ''] = /^# (.+)$/m.exec(markdown) ?? []
  return { title, html: marked.parse(markdown) as string }
}

const marked = new Marked({
  async: false,
  renderer: {
    heading({ tokens, depth, text }) {
      return `<h${depth} id="${anchorOf(text)}">${this.parser.parseInline(tokens)}</h${depth}>\n`
    },
  },
  walkTokens(token) {
    // Between files in the repository, between pages here.
    if (token.type === 'link') token.href = token.href.replace(/^([a-z0-9-]+)\.md(?=#|$)/, '$1')
  },
})

/** The anchor that GitHub gives a heading, so that links work in both places. */
function anchorOf(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replace(/\s/g, '-')
}
