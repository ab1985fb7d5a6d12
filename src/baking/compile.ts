import type { Content, ElementNode, Markup, MarkupNode } from '../markup/nodes.ts'
import type { Bind } from '../markup/parse-binds.ts'
import type { BoundAttribute, BoundElement, Instruction, Program } from './program.ts'

type AttributeBind = Extract<Bind, { kind: 'attribute' }>
type PathBind = Exclude<Bind, { kind: 'attribute' | 'refused' }>

/** Compiles scanned markup. Everything outside inserts and bound elements is in the program byte for byte. */
export function compile({ source, nodes }: Pick<Markup, 'source' | 'nodes'>): Program {
  return nodes.flatMap((node) => compileNode(source, node))
}

function compileNode(source: string, node: MarkupNode): Instruction[] {
  switch (node.type) {
    case 'text':
      return [source.slice(node.start, node.end)]
    case 'broken':
      return []
    case 'insert': {
      const { kind, params, line, column } = node
      const body = node.body && compileContent(source, node.body)
      return [{ op: 'insert', kind, params, body, at: { line, column } }]
    }
    case 'element':
      return [compileElement(source, node)]
  }
}

function compileContent(source: string, content: Content): Program {
  return compile({ source, nodes: content.nodes })
}

function compileElement(source: string, node: ElementNode): BoundElement {
  const { binds, content, line, column } = node
  const at = { line, column }
  const bound = ({ path, written }: PathBind) => ({ path, written, at })
  const isOfContent = (bind: Bind): bind is PathBind => bind.kind === 'text' || bind.kind === 'html'
  const isCondition = (bind: Bind): bind is PathBind => bind.kind === 'if'
  const contentBind = binds.find(isOfContent)
  return {
    op: 'element',
    open: compileOpenTag(source, node),
    conditions: binds.filter(isCondition).map(bound),
    content: contentBind ? { ...bound(contentBind), html: contentBind.kind === 'html' } : null,
    body: content ? compileContent(source, content) : [],
    close: source.slice(content ? content.end : node.tag.end, node.end),
    refused: binds
      .filter((bind) => bind.kind === 'refused')
      .map(({ written, reason }) => ({ written, reason })),
    at,
  }
}

/** The open tag as pieces: its text without the bind attribute, and the attributes that are bound. */
function compileOpenTag(source: string, node: ElementNode): (string | BoundAttribute)[] {
  const { tag, binds, line, column } = node
  const cuts = [{ ...tag.bindSpan, part: '' as string | BoundAttribute }]
  for (const bind of binds.filter((bind): bind is AttributeBind => bind.kind === 'attribute')) {
    const written = tag.attributes.find(({ name }) => name === bind.attribute)
    const span = written ?? { start: tag.addAt, end: tag.addAt }
    const name = written
      ? source.slice(span.start, span.start + bind.attribute.length)
      : bind.attribute
    cuts.push({
      start: span.start,
      end: span.end,
      part: {
        path: bind.path,
        written: bind.written,
        at: { line, column },
        name: bind.attribute,
        prefix: `${written ? '' : ' '}${name}=`,
        otherwise: source.slice(span.start, span.end),
      },
    })
  }
  cuts.sort((a, b) => a.start - b.start || a.end - b.end)
  const parts: (string | BoundAttribute)[] = []
  let at = tag.start
  for (const { start, end, part } of cuts) {
    parts.push(source.slice(at, start), part)
    at = end
  }
  parts.push(source.slice(at, tag.end))
  return parts.filter((part) => part !== '')
}
