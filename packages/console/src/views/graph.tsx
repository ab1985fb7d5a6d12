import { useSignal } from '@preact/signals'
import { useMemo } from 'preact/hooks'
import { useSiteRead } from '../calls.ts'
import { Check, toggled } from '../parts/fields.tsx'
import { Empty, Table } from '../parts/list.tsx'
import { Loaded, Notice } from '../parts/notice.tsx'
import { Page, Panel } from '../parts/page.tsx'
import { ChangeImpact, DeletionImpact, PageLink } from '../parts/things.tsx'
import { inSite, linkTo, parameter, path } from '../router.ts'
import { count } from '../text.ts'
import { type Graph, type GraphNode, layOutGraph, linkOf, nameOf } from './graph/layout.ts'
import { GraphPicture } from './graph/picture.tsx'

/** Who embeds whom, and which menus, data and pages hang on it: of the site, or around a picked frame. */
export function View() {
  const frame = parameter('frame') || undefined
  const { reading, reload } = useSiteRead('getGraph', { frame })
  return (
    <Page
      title={frame === undefined ? 'Graph' : `Graph of ${frame}`}
      lead={
        frame === undefined
          ? 'Pick a frame to see everything that a change or a deletion would touch.'
          : undefined
      }
      actions={
        frame !== undefined && (
          <>
            <a class="button" href={linkTo(inSite(path`/frames/${frame}`))}>
              Open the frame
            </a>
            <a class="button" href={linkTo(inSite('/graph'))}>
              Show the whole site
            </a>
          </>
        )
      }
    >
      <Loaded reading={reading} retry={reload}>
        {(graph) => <GraphView graph={graph} />}
      </Loaded>
    </Page>
  )
}

/** Kinds of nodes that can be left out of the picture. */
const OPTIONAL = [
  ['page', 'Pages'],
  ['menu', 'Menus'],
  ['data', 'Data'],
] as const

function GraphView({ graph }: { readonly graph: Graph }) {
  const hidden = useSignal<ReadonlySet<string>>(new Set())
  const isTable = parameter('as') === 'table'
  const { frame, nodes, edges, totals, truncated, impact } = graph
  const picked = frame ? `frame:${frame.id}` : undefined
  /** Keys of everything that a change of the picked frame touches. */
  const touched = useMemo(() => {
    const { frames = [], pages = [] } = impact?.change ?? {}
    return new Set([
      ...frames.map(({ id }) => `frame:${id}`),
      ...pages.map(({ id }) => `page:${id}`),
    ])
  }, [impact])
  const picture = useMemo(
    () =>
      layOutGraph(
        nodes.filter(({ kind }) => !hidden.value.has(kind)),
        edges,
      ),
    [graph, hidden.value],
  )
  const link = (as: string | undefined) => linkTo(inSite('/graph'), { frame: frame?.slug, as })
  if (nodes.length === 0) return <Empty>This site has no frames.</Empty>
  return (
    <>
      <div class="toolbar">
        <nav aria-label="Form of the graph" class="segments">
          <a href={link(undefined)} aria-current={isTable ? undefined : 'page'}>
            Picture
          </a>
          <a href={link('table')} aria-current={isTable ? 'page' : undefined}>
            Table
          </a>
        </nav>
        {!isTable && (
          <fieldset class="checks">
            <legend class="visually-hidden">Shown besides frames</legend>
            {OPTIONAL.map(([kind, label]) => (
              <Check
                key={kind}
                label={label}
                checked={!hidden.value.has(kind)}
                onChange={() => (hidden.value = toggled(hidden.value, kind))}
              />
            ))}
          </fieldset>
        )}
        <p class="hint">
          {count(totals.frames, 'frame')}, {count(totals.pages, 'page')}
        </p>
      </div>
      {truncated && (
        <Notice tone="warn">
          <p>
            The graph is too large to show completely: {count(nodes.length, 'part')} are shown. Pick
            a frame to see everything around it.
          </p>
        </Notice>
      )}
      {isTable ? <GraphTable graph={graph} /> : <GraphPicture {...{ picture, picked, touched }} />}
      {frame && impact && (
        <div class="two">
          <Panel title={`A change of ${frame.slug} touches`}>
            <ChangeImpact change={impact.change} />
          </Panel>
          <Panel title={`A deletion of ${frame.slug} breaks`}>
            <DeletionImpact deletion={impact.deletion} />
          </Panel>
        </div>
      )}
    </>
  )
}

type Kind = Graph['edges'][number]['kind']

/** The graph as a table: the same content as the picture. */
function GraphTable({ graph }: { readonly graph: Pick<Graph, 'nodes' | 'edges'> }) {
  const { nodes, edges } = graph
  const byKey = new Map(nodes.map((node) => [node.key, node]))
  /** What edges of these kinds lead to from a node, or where they come from. */
  const ends = (key: string, from: 'from' | 'to', to: 'from' | 'to', kinds: readonly Kind[]) => (
    <Names
      nodes={edges.flatMap((edge) =>
        edge[from] === key && kinds.includes(edge.kind) ? (byKey.get(edge[to]) ?? []) : [],
      )}
    />
  )
  return (
    <Table
      rows={nodes.filter(({ kind }) => kind === 'frame' || kind === 'missing')}
      keyOf={({ key }) => key}
      columns={{
        Frame: (node) => <NodeName node={node} />,
        Embeds: ({ key }) => ends(key, 'from', 'to', ['embeds']),
        'Menus and data': ({ key }) => ends(key, 'from', 'to', ['shows', 'reads']),
        'Embedded by, and pages': ({ key }) => ends(key, 'to', 'from', ['embeds', 'uses']),
      }}
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
