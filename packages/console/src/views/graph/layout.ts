import { Graph as DagreGraph, layout } from '@dagrejs/dagre'
import type { Output } from '../../../../client/src/index.ts'
import { inSite, linkTo, path } from '../../router.ts'
import { pageTitle } from '../../text.ts'

export type Graph = Output<'getGraph'>
export type GraphNode = Graph['nodes'][number]

export type Point = { readonly x: number; readonly y: number }

export type PlacedNode = {
  readonly node: GraphNode
  /** As much of the name as fits. */
  readonly label: string
  /** The upper left corner. */
  readonly x: number
  readonly y: number
  readonly width: number
}

type PlacedEdge = {
  readonly from: string
  readonly to: string
  readonly kind: Graph['edges'][number]['kind']
  readonly points: readonly Point[]
}

export type Picture = {
  readonly width: number
  readonly height: number
  /** From left to right and from top to bottom, as a reader goes through them. */
  readonly nodes: readonly PlacedNode[]
  readonly edges: readonly PlacedEdge[]
}

export const NODE_HEIGHT = 30
const MAX_LABEL = 30
/** Width of a character, and of what surrounds the label. */
const CHARACTER = 7.4
const PADDING = 26

/** Lays out a graph: pages on the left, then the frames from embedder to embedded, then menus and data. */
export function layOutGraph(nodes: readonly GraphNode[], edges: Graph['edges']): Picture {
  const graph = new DagreGraph()
  graph.setGraph({ rankdir: 'LR', nodesep: 10, ranksep: 56, marginx: 12, marginy: 12 })
  graph.setDefaultEdgeLabel(() => ({}))
  for (const node of nodes) {
    const label = shortened(nameOf(node))
    const width = Math.max(64, Array.from(label).length * CHARACTER + PADDING)
    graph.setNode(node.key, { width, height: NODE_HEIGHT })
  }
  const keys = new Set(nodes.map(({ key }) => key))
  const shown = edges.filter(({ from, to }) => keys.has(from) && keys.has(to))
  for (const { from, to } of shown) graph.setEdge(from, to)
  layout(graph)
  const placed = nodes.map((node): PlacedNode => {
    const { x = 0, y = 0, width = 0 } = graph.node(node.key)
    const label = shortened(nameOf(node))
    return { node, label, x: x - width / 2, y: y - NODE_HEIGHT / 2, width }
  })
  const { width = 0, height = 0 } = graph.graph()
  return {
    width,
    height,
    nodes: placed.sort((a, b) => a.x - b.x || a.y - b.y),
    edges: shown.map(({ from, to, kind }) => ({
      from,
      to,
      kind,
      points: [
        sideOf(graph.node(from), 1),
        ...bendsOf(graph.edge(from, to)?.points ?? []),
        sideOf(graph.node(to), -1),
      ],
    })),
  }
}

/** The points between the ends of an edge that passes other nodes. Between neighbours there are none. */
const bendsOf = (points: readonly Point[]): readonly Point[] =>
  points.length > 3 ? points.slice(1, -1) : []

type Box = { readonly x?: number; readonly y?: number; readonly width?: number }

/** The middle of the right (1) or the left (-1) side of a node. */
const sideOf = ({ x = 0, y = 0, width = 0 }: Box, side: 1 | -1): Point => ({
  x: x + (side * width) / 2,
  y,
})

/** What a node is called. */
export function nameOf(node: GraphNode): string {
  switch (node.kind) {
    case 'frame':
      return node.slug
    case 'missing':
      return node.name
    case 'menu':
      return node.location === null ? 'menus by name' : `menu ${node.location}`
    case 'data':
      return node.source
    case 'page':
      return `${pageTitle(node)}${node.lang === null ? '' : ` (${node.lang})`}`
  }
}

/** Where a node leads: a frame picks itself, everything else opens its view. @param as the form of the graph */
export function linkOf(node: GraphNode, as?: 'table'): string | undefined {
  switch (node.kind) {
    case 'frame':
      return linkTo(inSite('/graph'), { frame: node.slug, as })
    case 'page':
      return linkTo(inSite(path`/pages/${node.id}`))
    case 'menu':
      return linkTo(inSite('/menus'), { location: node.location ?? undefined })
    default:
      return undefined
  }
}

function shortened(text: string): string {
  const characters = Array.from(text)
  return characters.length > MAX_LABEL ? `${characters.slice(0, MAX_LABEL - 1).join('')}…` : text
}
