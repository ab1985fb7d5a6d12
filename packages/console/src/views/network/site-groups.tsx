import type { Output } from '../../../../client/src/index.ts'
import { ChangeLine, Diff } from '../../parts/diff.tsx'
import { PageLink } from '../../parts/things.tsx'
import { linkTo } from '../../router.ts'
import { count } from '../../text.ts'

type Answer = Output<'getPlan'>
type PlannedSite = Answer['results'][number]
type Titles = Answer['names']['pages']

const TONES: Readonly<Partial<Record<PlannedSite['state'], string>>> = {
  applied: 'good',
  blocked: 'bad',
  failed: 'bad',
  refused: 'bad',
  skipped: 'warn',
}

/** Differences that are open at once; a large plan is read step by step. */
const OPEN_AT_ONCE = 5

/** Sites of a plan. Those with the same state, steps and message are one group. */
export function SiteGroups({
  results,
  titles,
}: {
  readonly results: readonly PlannedSite[]
  /** Titles of pages, by site and id. */
  readonly titles: Titles
}) {
  const groups = Map.groupBy(results, ({ state, steps, message }) =>
    JSON.stringify([state, steps, message]),
  )
  return (
    <div class="stack">
      {[...groups].map(([key, sites]) => (
        <Group key={key} {...{ sites, titles }} />
      ))}
    </div>
  )
}

function Group({
  sites,
  titles,
}: {
  readonly sites: readonly PlannedSite[]
  readonly titles: Titles
}) {
  const [first] = sites
  if (!first) return null
  const { state, steps, steps_total, message, site_id, address } = first
  return (
    <section class="panel" aria-labelledby={`group-${site_id}`}>
      <div class="panel-head">
        <h2 id={`group-${site_id}`}>
          {sites.length === 1 ? (address ?? `Site ${site_id}`) : count(sites.length, 'site')}{' '}
          <span class={`badge ${TONES[state] ?? ''}`}>{state.replace('_', ' ')}</span>
        </h2>
        <p class="hint">
          {count(steps_total, 'change')}
          {sites.length > 1 ? ' on each' : ''}
        </p>
      </div>
      <div class="panel-body stack">
        {message !== null && (
          <p class="problem" dir="auto">
            {message}
          </p>
        )}
        {steps.length === 0 ? (
          <p class="none">
            {state === 'waiting' ? 'It is not compared yet.' : 'It lacks nothing.'}
          </p>
        ) : (
          <ul class="stack">
            {steps.map((step, at) => (
              <li key={`${step.kind} ${step.name}`}>
                <StepView
                  {...{ step }}
                  on={address ?? `site ${site_id}`}
                  isOpen={at < OPEN_AT_ONCE}
                />
              </li>
            ))}
          </ul>
        )}
        {sites.map((site) => (
          <PagesOfSite key={site.site_id} {...{ site, titles }} />
        ))}
      </div>
    </section>
  )
}

type StepViewProps = {
  readonly step: PlannedSite['steps'][number]
  readonly on: string
  readonly isOpen: boolean
}

/** One change of one thing, with its difference as long as the site lacks it. */
function StepView({ step: { kind, name, action, from, to, diff }, on, isOpen }: StepViewProps) {
  const line = (
    <ChangeLine change={action} from={from} to={to}>
      {kind} <bdi>{name}</bdi>
    </ChangeLine>
  )
  if (diff === undefined || diff === '') return line
  return (
    <details open={isOpen}>
      <summary>{line}</summary>
      <Diff label={`Difference of ${kind} ${name} on ${on}`} diff={diff} />
    </details>
  )
}

/** The site, and the pages on which visitors see the change. */
function PagesOfSite({
  site: { site_id, address, pages, page_ids, state },
  titles,
}: {
  readonly site: PlannedSite
  readonly titles: Titles
}) {
  const isDone = state === 'applied' || state === 'rolled_back'
  return (
    <p class="inline">
      <a href={linkTo(`/sites/${site_id}`)}>{address ?? `site ${site_id}`}</a>
      <span class="none">
        {pages === 0
          ? 'no page shows it'
          : `${isDone ? 'shown' : 'to be shown'} on ${count(pages, 'page')}${page_ids.length > 0 ? ':' : ''}`}
      </span>
      {page_ids.map((id) => (
        <PageLink
          key={id}
          site={site_id}
          page={{ id, title: titles[site_id]?.[id] ?? '', lang: null }}
        />
      ))}
      {pages > page_ids.length && page_ids.length > 0 && (
        <span class="none">and {count(pages - page_ids.length, 'more', 'more')}</span>
      )}
    </p>
  )
}
