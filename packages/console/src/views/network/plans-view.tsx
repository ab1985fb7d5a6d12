import type { Plan } from '../../../../client/src/index.ts'
import { useRead } from '../../calls.ts'
import { authorOf } from '../../entries.ts'
import { Table, Time } from '../../parts/list.tsx'
import { Loaded } from '../../parts/notice.tsx'
import { linkTo, path } from '../../router.ts'
import { count } from '../../text.ts'

const STATES: Readonly<Record<Plan['state'], readonly [label: string, tone: string]>> = {
  planning: ['is being planned', 'warn'],
  planned: ['planned', ''],
  applying: ['is being applied', 'warn'],
  trying: ['canary is being applied', 'warn'],
  rolling_back: ['is being rolled back', 'warn'],
  started: ['a command applies it', 'warn'],
  done: ['done', 'good'],
  failed: ['failed', 'bad'],
}

/** What the service does with a plan. */
export function PlanState({ plan: { state } }: { readonly plan: Plan }) {
  const [label, tone] = STATES[state]
  return <span class={`badge ${tone}`}>{label}</span>
}

/** `3 planned, 1 blocked`. */
export const sitesOf = ({ sites }: Plan): string =>
  Object.entries(sites)
    .map(([state, total]) => `${total} ${state.replace('_', ' ')}`)
    .join(', ') || 'none yet'

/** The latest plans and runs of the network. */
export function PlansView() {
  const { reading, reload } = useRead('listPlans', { limit: 100 }, () => ({ site: 0 }))
  return (
    <Loaded reading={reading} retry={reload}>
      {({ plans, names }) => (
        <Table
          rows={plans}
          keyOf={({ id }) => id}
          empty={
            <>
              Nothing was planned yet. A plan shows what changes on each site before anything is
              written. It comes from a folder, with <code>wp-frames plan</code>, or from a frame:
              open one, then <b>To other sites</b>.
            </>
          }
          numbers={['Changes']}
          columns={{
            Plan: ({ id, title }) => (
              <a href={linkTo(path`/network/plans/${id}`)} dir="auto">
                {title}
              </a>
            ),
            State: (plan) => <PlanState plan={plan} />,
            Sites: sitesOf,
            Changes: ({ steps }) => steps,
            Created: ({ created_at }) => <Time at={created_at} />,
            By: (plan) => <bdi>{authorOf(plan, names)}</bdi>,
          }}
        />
      )}
    </Loaded>
  )
}

/** How many sites it has. */
export const sitesIn = ({ sites }: Plan): number =>
  Object.values(sites).reduce((sum, total) => sum + total, 0)

/** A sentence on what it changes on all sites of a plan. */
export const extentOf = (plan: Plan): string =>
  `${count(plan.steps, 'change')} on ${count(sitesIn(plan), 'site')}`
