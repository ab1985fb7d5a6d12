import type { Output } from '../../../../client/src/index.ts'
import { ChangeLine, Diff } from '../../parts/diff.tsx'
import { More } from '../../parts/list.tsx'
import { PageLink } from '../../parts/things.tsx'
import { linkTo } from '../../router.ts'
import { count } from '../../text.ts'

type PlannedSite = Output<'getPlan'>['results'][number]
type Titles = Output<'getPlan'>['names']['pages']

const TONES: Readonly<Partial<Record<PlannedSite['state'], string>>> = {
  applied: 'good',
  blocked: 'bad',
  failed: 'bad',
  refused: 'bad',
  skipped: 'warn',
}

/** Differences that are open at once; a large plan is read step by step. */
const OPEN_AT_ONCE = 5

type SiteGroupsProps = {
  readonly results: readonly PlannedSite[]
  /** Titles of pages, by site and id. */
  readonly titles: Titles
}

/** Sites of a plan. Those with the same state, steps and message are one group. */
export function SiteGroups({ results, titles }: SiteGroupsProps) {
  const groups = Map.groupBy(results, ({ state, steps, message }) =>
    JSON.stringify([state, steps, message]),
  )
  return (
    <div class="stack">
      {[...groups].map(([key, sites]) => {
        const [first] = sites
        if (!first) return null
        const { state, steps, steps_total, message, site_id, address } = first
        return (
          <section key={key} class="panel" aria-labelledby={`group-${site_id}`}>
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
              {message !== null && <p dir="auto">{message}</p>}
              {steps.length === 0 ? (
                <p class="none">
                  {state === 'waiting' ? 'It is not compared yet.' : 'It lacks nothing.'}
                </p>
              ) : (
                <ul class="stack">
                  {steps.map((step, at) => (
                    <li key={`${step.kind} ${step.name}`}>
                      {/* With its difference as long as the site lacks it. */}
                      {step.diff ? (
                        <details open={at < OPEN_AT_ONCE}>
                          <summary>{lineOf(step)}</summary>
                          <Diff
                            label={`Difference of ${step.kind} ${step.name} on ${address ?? `site ${site_id}`}`}
                            diff={step.diff}
                          />
                        </details>
                      ) : (
                        lineOf(step)
                      )}
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
      })}
    </div>
  )
}

/** One change of one thing. */
const lineOf = ({ kind, name, action, from, to }: PlannedSite['steps'][number]) => (
  <ChangeLine change={action} from={from} to={to}>
    {kind} <bdi>{name}</bdi>
  </ChangeLine>
)

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
      {page_ids.length > 0 && <More left={pages - page_ids.length} as="span" />}
    </p>
  )
}
