import type { Output } from '../../../../client/src/index.ts'
import { ChangeLine } from '../../parts/diff.tsx'
import { linkTo } from '../../router.ts'
import { count } from '../../text.ts'

type PlannedSite = Output<'getPlan'>['results'][number]

const TONES: Readonly<Partial<Record<PlannedSite['state'], string>>> = {
  applied: 'good',
  blocked: 'bad',
  failed: 'bad',
  refused: 'bad',
  skipped: 'warn',
}

/** Sites of a plan. Those with the same state, steps and message are one group. */
export function SiteGroups({ results }: { readonly results: readonly PlannedSite[] }) {
  const groups = Map.groupBy(results, ({ state, steps, message }) =>
    JSON.stringify([state, steps, message]),
  )
  return (
    <div class="stack">
      {[...groups].map(([key, sites]) => (
        <Group key={key} sites={sites} />
      ))}
    </div>
  )
}

function Group({ sites }: { readonly sites: readonly PlannedSite[] }) {
  const [first] = sites
  if (!first) return null
  const { state, steps, steps_total, message, site_id, address } = first
  const pages = sites.reduce((sum, site) => sum + site.pages, 0)
  return (
    <section class="panel" aria-labelledby={`group-${site_id}`}>
      <div class="panel-head">
        <h2 id={`group-${site_id}`}>
          {sites.length === 1 ? (address ?? `Site ${site_id}`) : count(sites.length, 'site')}{' '}
          <span class={`badge ${TONES[state] ?? ''}`}>{state.replace('_', ' ')}</span>
        </h2>
        <p class="hint">
          {count(steps_total, 'step')} {sites.length > 1 ? 'each' : ''}, {count(pages, 'page')}
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
          <ul class="changes">
            {steps.map((step) => (
              <li key={`${step.kind} ${step.name}`}>
                <ChangeLine change={step.action} from={step.from} to={step.to}>
                  {step.kind} <bdi>{step.name}</bdi>
                </ChangeLine>
              </li>
            ))}
          </ul>
        )}
        {sites.length > 1 && (
          <details>
            <summary>Sites</summary>
            <p class="inline">
              {sites.map((site) => (
                <SiteLink key={site.site_id} {...site} />
              ))}
            </p>
          </details>
        )}
        {sites.length === 1 && (
          <p>
            <SiteLink {...first} />
          </p>
        )}
      </div>
    </section>
  )
}

const SiteLink = ({ site_id, address }: Pick<PlannedSite, 'site_id' | 'address'>) => (
  <a href={linkTo(`/sites/${site_id}`)}>{address ?? `site ${site_id}`}</a>
)
