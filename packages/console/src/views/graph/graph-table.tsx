import { Table } from '../../parts/table.tsx'

import { PageLink } from '../../parts/things.tsx'
import { type Graph, type GraphNode, linkOf, nameOf } from './layout.ts'

type Related = {
  readonly embeds: GraphNode[]
  readonly reads: GraphNode[]
  readonly usedBy: GraphNode[]
}

/** The graph as a table: the same content as the picture. */
export function GraphTable({
  graph: { nodes, edges },
}: {
  readonly graph: Pick<Graph, 'nodes' | 'edges'>
}) {
  const byKey = new Map(nodes.map((node) => [node.key, node]))
  const related = new Map<string, Related>()
  const of = (key: string): Related => {
    const known = related.get(key) ?? { embeds: [], reads: [], usedBy: [] }
    related.set(key, known)
    return known
  }
  for (const { from, to, kind } of edges) {
    const source = byKey.get(from)
    const target = byKey.get(to)
    if (!source || !target) continue
    if (kind === 'embeds') of(from).embeds.push(target)
    if (kind === 'shows' || kind === 'reads') of(from).reads.push(target)
    if (kind === 'embeds' || kind === 'uses') of(to).usedBy.push(source)
  }
  return (
    <Table
      rows={nodes.filter(({ kind }) => kind === 'frame' || kind === 'missing')}
      keyOf={({ key }) => key}
      columns={[
        { title: 'Frame', cell: (node) => <NodeName node={node} /> },
        { title: 'Embeds', cell: ({ key }) => <Names nodes={of(key).embeds} /> },
        { title: 'Menus and data', cell: ({ key }) => <Names nodes={of(key).reads} /> },
        {
          title: 'Embedded by, and pages',
          cell: ({ key }) => <Names nodes={of(key).usedBy} />,
        },
      ]}
    />
  )
}

function Names({ nodes }: { readonly nodes: readonly GraphNode[] }) {
  if (nodes.length === 0) return <span class="none">none</span>
  return (
    <ul class="inline">
      {nodes.map((node) => (
        <li key={node.key}>
          <NodeName node={node} />
        </li>
      ))}
    </ul>
  )
}

function NodeName({ node }: { readonly node: GraphNode }) {
  switch (node.kind) {
    case 'page':
      return <PageLink page={node} />
    case 'missing':
      return (
        <span>
          {node.name} <span class="badge bad">missing</span>
        </span>
      )
    case 'data':
      return <code>{node.source}</code>
    default:
      return <a href={linkOf(node, 'table')}>{nameOf(node)}</a>
  }
}
