import { useSignal } from '@preact/signals'
import { useMemo } from 'preact/hooks'
import { Check } from '../parts/fields.tsx'
import { Empty } from '../parts/list.tsx'
import { Loaded } from '../parts/loaded.tsx'
import { Notice } from '../parts/notice.tsx'
import { Page, Panel } from '../parts/page.tsx'
import type { Impact } from '../parts/things.tsx'
import { useSiteRead } from '../reading.ts'
import { inSite, linkTo, parameter, path } from '../router.ts'
import { count } from '../text.ts'
import { ChangeImpact, DeletionImpact } from './frame/impact.tsx'
import { GraphTable } from './graph/graph-table.tsx'
import { type Graph, layOutGraph } from './graph/layout.ts'
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
  const hidden = useSignal<readonly string[]>([])
  const isTable = parameter('as') === 'table'
  const { frame, nodes, edges, totals, truncated, impact } = graph
  const picked = frame ? `frame:${frame.id}` : undefined
  const touched = useMemo(() => touchedBy(impact), [impact])
  const picture = useMemo(
    () =>
      layOutGraph(
        nodes.filter(({ kind }) => !hidden.value.includes(kind)),
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
                className={kind}
                label={label}
                checked={!hidden.value.includes(kind)}
                onChange={(isShown) => {
                  const others = hidden.value.filter((one) => one !== kind)
                  hidden.value = isShown ? others : [...others, kind]
                }}
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
      {frame && impact && <ImpactPanels impact={impact} slug={frame.slug} />}
    </>
  )
}

/** Keys of everything that a change of the picked frame touches. */
function touchedBy(impact: Impact | null): ReadonlySet<string> {
  return new Set(
    impact
      ? [
          ...impact.change.frames.map(({ id }) => `frame:${id}`),
          ...impact.change.pages.map(({ id }) => `page:${id}`),
        ]
      : [],
  )
}

function ImpactPanels({ slug, impact }: { readonly slug: string; readonly impact: Impact }) {
  return (
    <div class="two">
      <Panel title={`A change of ${slug} touches`}>
        <ChangeImpact change={impact.change} />
      </Panel>
      <Panel title={`A deletion of ${slug} breaks`}>
        <DeletionImpact deletion={impact.deletion} />
      </Panel>
    </div>
  )
}
