import type { BakeResponse } from '../change.ts'
import { bakedOption } from '../frames/option-names.ts'
import type { Frame } from '../frames/save-frame.ts'
import type { MarkupNode } from '../markup/nodes.ts'
import { scan } from '../markup/scan.ts'
import type { Bake } from './bake-frame.ts'

type Described = Omit<BakeResponse, 'published' | 'pages' | 'renders_on_request' | 'default_lang'>

/** What a bake of a frame came to, publication aside (contract, section 2.3). */
export function describeBake({ id, meta, record }: Frame, { copy, changed }: Bake): Described {
  const languages = Object.values(copy.languages)
  const pieces = languages.flatMap((language) => language.pieces)
  const nodes = allNodes(scan(record.html).nodes)
  const elements = nodes.filter((node) => node.type === 'element')
  return {
    baked: changed,
    frame_id: id,
    bytes: pieces.reduce(
      (sum, piece) => sum + (typeof piece === 'string' ? Buffer.byteLength(piece) : 0),
      0,
    ),
    source_bytes: meta.bytes,
    baked_option: bakedOption(id),
    lang: Object.keys(copy.languages).filter((lang) => lang !== ''),
    blocks: pieces.length,
    inserts: Object.values(meta.inserts).reduce((sum, count) => sum + count, 0),
    unknown_inserts: unique(
      nodes.flatMap((node) =>
        node.type === 'broken' && node.reason === 'unknown_kind' ? node.name : [],
      ),
    ),
    binds: meta.binds,
    bind_tags: elements.length,
    repeats: unique(
      nodes.flatMap((node) =>
        node.type === 'insert' && node.kind === 'repeat' ? String(node.params.source ?? '') : [],
      ),
    ),
    frames: copy.closure.frames.slice(1).map(({ slug }) => slug),
    unresolved: languages[0]?.unresolved ?? [],
    warnings: unique(languages.flatMap((language) => language.warnings)),
  }
}

const unique = (texts: readonly string[]): string[] => [...new Set(texts)]

/** The nodes of a tree in the order of the source; trees are at most `MAX_NESTING` deep. */
function allNodes(nodes: readonly MarkupNode[]): MarkupNode[] {
  return nodes.flatMap((node) => {
    if (node.type === 'insert') return [node, ...allNodes(node.body?.nodes ?? [])]
    if (node.type === 'element') return [node, ...allNodes(node.content?.nodes ?? [])]
    return [node]
  })
}
