import type { Markup, MarkupNode } from '../markup/nodes.ts'
import { compile } from './compile.ts'
import { sourceName } from './inserts/source-name.ts'
import type { Program } from './program.ts'

/** A frame's markup, ready to be evaluated, with what reports tell of it. */
export type CompiledMarkup = { readonly program: Program; readonly facts: MarkupFacts }

/** What a bake reports of the frame's own markup beside what its meta has (contract, section 2.3). */
export type MarkupFacts = {
  readonly unknown_inserts: readonly string[]
  /** Elements with binds. */
  readonly bind_tags: number
  /** What repeats go through, each source once. */
  readonly repeats: readonly string[]
}

export function compileMarkup(markup: Markup): CompiledMarkup {
  return { program: compile(markup), facts: factsOf(markup.nodes) }
}

function factsOf(nodes: readonly MarkupNode[]): MarkupFacts {
  const unknown = new Set<string>()
  const repeats = new Set<string>()
  let bindTags = 0
  const visit = (node: MarkupNode): void => {
    if (node.type === 'broken' && node.reason === 'unknown_kind') unknown.add(node.name)
    if (node.type === 'insert') {
      if (node.kind === 'repeat') repeats.add(sourceName(node.params))
      node.body?.nodes.forEach(visit)
    }
    if (node.type === 'element') {
      bindTags += 1
      node.content?.nodes.forEach(visit)
    }
  }
  nodes.forEach(visit)
  return { unknown_inserts: [...unknown], bind_tags: bindTags, repeats: [...repeats] }
}
