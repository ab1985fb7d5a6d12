import type { MarkupNode } from '../../../src/content/markup/nodes.ts'
import { parseMarkup } from '../../../src/content/markup/parse-markup.ts'

export type Outline = string | { [opening: string]: Outline[] }

/** The tree of a source in compact form: leaves as written, other nodes as `{ opening: children }`. */
export function outlineOf(source: string): Outline[] {
  const outline = (node: MarkupNode): Outline => {
    const text = source.slice(node.start, node.end)
    const content =
      node.type === 'insert' ? node.body : node.type === 'element' ? node.content : null
    if (node.type === 'text') return text
    if (node.type === 'broken') return `${node.reason}: ${text}`
    if (content === null) return `${node.type}: ${text}`
    const ending = source.slice(content.end, node.end)
    return { [source.slice(node.start, content.start)]: [...content.nodes.map(outline), ending] }
  }
  return parseMarkup(source).nodes.map(outline)
}

/** The source rebuilt from the spans of the tree. */
export function reassemble(source: string, nodes: readonly MarkupNode[]): string {
  return nodes
    .map((node) => {
      const content =
        node.type === 'insert' ? node.body : node.type === 'element' ? node.content : null
      if (content === null) return source.slice(node.start, node.end)
      const inside = reassemble(source, content.nodes)
      return source.slice(node.start, content.start) + inside + source.slice(content.end, node.end)
    })
    .join('')
}
