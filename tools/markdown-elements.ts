import { lexer, type Token, type Tokens } from 'marked'

/** A text, or an element with its children. */
export type MarkdownNode = string | MarkdownElement

export type MarkdownElement = { readonly tag: string; readonly children: readonly MarkdownNode[] }

const element = (tag: string, ...children: readonly MarkdownNode[]): MarkdownElement => ({
  tag,
  children,
})

/** The elements of a guide, for programs that build them without HTML. Headings are one level lower than in the guide. */
export function markdownElements(markdown: string): MarkdownElement[] {
  return lexer(markdown).flatMap(blockOf)
}

function blockOf(token: Token): MarkdownElement[] {
  switch (token.type) {
    case 'heading':
      return [element(`h${token.depth + 1}`, ...inlineOf(token.tokens))]
    case 'paragraph':
      return [element('p', ...inlineOf(token.tokens))]
    case 'code':
      return [...captionOf(token.lang ?? ''), element('pre', token.text)]
    case 'list':
      return [element('ul', ...token.items.map(itemOf))]
    case 'table':
      return [tableOf(token as Tokens.Table)]
    case 'space':
      return []
    default:
      throw new Error(
        `The reference of the console cannot show Markdown of the kind "${token.type}": ${token.raw}`,
      )
  }
}

const itemOf = ({ tokens }: Tokens.ListItem): MarkdownElement =>
  element(
    'li',
    ...tokens.flatMap((token) => (token.type === 'text' ? inlineOf(token.tokens) : blockOf(token))),
  )

/** What an example is: `html frame=card`, `json dataset=hours`, `html prints`. */
function captionOf(info: string): MarkdownElement[] {
  const [, kind, name] = /\s(frame|dataset|prints)(?:=(\S+))?/.exec(info) ?? []
  if (kind === 'prints') return [element('p', 'It prints:')]
  if (name === undefined) return []
  return [
    element('p', kind === 'frame' ? 'The frame ' : 'The data set ', element('code', name), ':'),
  ]
}

function tableOf({ header, rows }: Tokens.Table): MarkdownElement {
  const row = (cells: readonly Tokens.TableCell[], tag: string): MarkdownElement =>
    element('tr', ...cells.map(({ tokens }) => element(tag, ...inlineOf(tokens))))
  return element(
    'table',
    element('thead', row(header, 'th')),
    element('tbody', ...rows.map((cells) => row(cells, 'td'))),
  )
}

/** Links are their texts: the guide leads to itself only. */
function inlineOf(tokens: readonly Token[] = []): MarkdownNode[] {
  return tokens.flatMap((token): MarkdownNode[] => {
    if (token.type === 'codespan') return [element('code', token.text)]
    const inner = 'tokens' in token ? inlineOf(token.tokens) : []
    if (token.type === 'strong' || token.type === 'em') return [element(token.type, ...inner)]
    return inner.length > 0 ? inner : ['text' in token ? String(token.text) : token.raw]
  })
}
