import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { Button } from '../../parts/fields.tsx'
import {
  type GraphNode,
  linkOf,
  NODE_HEIGHT,
  nameOf,
  type Picture,
  type PlacedNode,
  type Point,
} from './layout.ts'

const MIN_ZOOM = 0.5
const STEP = 1.25

type PictureProps = {
  readonly picture: Picture
  /** Key of the picked frame. */
  readonly picked: string | undefined
  /** Keys of what a change of the picked frame touches. */
  readonly touched: ReadonlySet<string>
}

/** The graph as a picture. Each node is a link: a frame picks itself, everything else opens its view. */
export function GraphPicture({ picture, picked, touched }: PictureProps) {
  const box = useRef<HTMLDivElement>(null)
  const zoom = useSignal(1)
  const { width, height } = picture
  useEffect(() => {
    const available = box.current?.clientWidth ?? width
    zoom.value = Math.min(1, Math.max(MIN_ZOOM, available / width))
    box.current?.querySelector('.picked')?.scrollIntoView({ block: 'nearest', inline: 'center' })
  }, [picture])
  const byKey = new Map(picture.nodes.map(({ node }) => [node.key, node]))
  return (
    <div class="picture">
      <div class="picture-tools">
        <Button label="−" aria-label="Smaller" onClick={() => (zoom.value /= STEP)} />
        <Button label="+" aria-label="Larger" onClick={() => (zoom.value *= STEP)} />
      </div>
      <div class="picture-box" ref={box}>
        {/* biome-ignore lint/a11y/useSemanticElements: an SVG cannot be a fieldset. */}
        <svg
          role="group"
          aria-label="Graph of frames"
          viewBox={`0 0 ${width} ${height}`}
          width={width * zoom.value}
          height={height * zoom.value}
        >
          <defs>
            <marker
              id="arrow"
              viewBox="0 0 8 8"
              refX="7"
              refY="4"
              markerUnits="userSpaceOnUse"
              markerWidth="8"
              markerHeight="8"
              orient="auto"
            >
              <path d="M0 0.5 7 4 0 7.5z" class="arrow" />
            </marker>
          </defs>
          <g>
            {picture.edges.map(({ from, to, kind, points }) => {
              // A change follows an edge from what it embeds to the embedder.
              const isTouched = touched.has(from) && (to === picked || touched.has(to))
              return (
                <path
                  key={`${from} ${to}`}
                  d={curve(points)}
                  class={`edge ${kind}${isTouched ? ' touched' : ''}`}
                  marker-end="url(#arrow)"
                />
              )
            })}
          </g>
          {picture.nodes.map((placed) => {
            const { key } = placed.node
            const state = key === picked ? 'picked' : touched.has(key) ? 'touched' : ''
            return (
              <Node
                key={key}
                {...{ placed, state }}
                about={relations(placed.node, picture, byKey)}
              />
            )
          })}
        </svg>
      </div>
    </div>
  )
}

type NodeProps = {
  readonly placed: PlacedNode
  readonly state: string
  readonly about: string
}

function Node({ placed: { node, label, x, y, width }, state, about }: NodeProps) {
  const href = linkOf(node)
  const whole = nameOf(node)
  // Who speaks to the browser says what is shown, so a name that is cut is said as it is shown, too.
  const said = label === whole ? whole : `${label}, ${whole}`
  const name = `${KINDS[node.kind]} ${said}${STATES[state] ?? ''}${about}`
  const className = `node ${node.kind} ${state}`
  const shape = (
    <>
      <title>{href === undefined ? name : whole}</title>
      <rect x={x} y={y} width={width} height={NODE_HEIGHT} rx={RADII[node.kind]} class="node-box" />
      <text x={x + width / 2} y={y + NODE_HEIGHT / 2} class="node-label">
        {label}
      </text>
    </>
  )
  if (href === undefined) return <g class={className}>{shape}</g>
  const isPicked = state === 'picked' ? 'true' : undefined
  return (
    <a class={className} href={href} aria-label={name} aria-current={isPicked}>
      {shape}
    </a>
  )
}

const RADII: Readonly<Record<GraphNode['kind'], number>> = {
  frame: 6,
  missing: 6,
  page: 2,
  menu: 15,
  data: 15,
}
const KINDS: Readonly<Record<GraphNode['kind'], string>> = {
  frame: 'Frame',
  missing: 'Missing frame',
  page: 'Page',
  menu: '',
  data: 'Data',
}
const STATES: Readonly<Record<string, string>> = {
  picked: ', picked',
  touched: ', touched by a change',
}

/** What a node is connected with, for those who do not see the lines. */
function relations(
  { key }: GraphNode,
  { edges }: Picture,
  byKey: ReadonlyMap<string, GraphNode>,
): string {
  const names = edges
    .filter(({ from }) => from === key)
    .flatMap(({ to, kind }) => {
      const node = byKey.get(to)
      return node ? `${kind} ${nameOf(node)}` : []
    })
  const shown = names.slice(0, 5)
  const more = names.length > shown.length ? `, and ${names.length - shown.length} more` : ''
  return shown.length > 0 ? `: ${shown.join(', ')}${more}` : ''
}

/** A smooth line through points, horizontal at each. */
function curve([first, ...rest]: readonly Point[]): string {
  if (!first) return ''
  let from = first
  const parts = rest.map((to) => {
    const middle = (from.x + to.x) / 2
    const part = `C${round({ x: middle, y: from.y })} ${round({ x: middle, y: to.y })} ${round(to)}`
    from = to
    return part
  })
  return `M${round(first)}${parts.join('')}`
}

const round = ({ x, y }: Point): string => `${x.toFixed(1)} ${y.toFixed(1)}`
