import type { Output } from '../../../../client/src/index.ts'
import { Empty } from '../../parts/list.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Table } from '../../parts/table.tsx'
import { Time } from '../../parts/time.tsx'
import { useRead } from '../../reading.ts'
import { linkTo, path } from '../../router.ts'
import { count } from '../../text.ts'
import { authorOf, type Names } from '../history/describe-entry.ts'

export type Plan = Output<'listPlans'>['plans'][number]

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
      {({ plans, names }) =>
        plans.length === 0 ? (
          <Empty>
            Nothing was planned yet. A plan shows what changes on each site before anything is
            written. It comes from a folder, with <code>wp-frames plan</code>, or from a frame: open
            one, then <b>To other sites</b>.
          </Empty>
        ) : (
          <Plans {...{ plans, names }} />
        )
      }
    </Loaded>
  )
}

function Plans({ plans, names }: { readonly plans: readonly Plan[]; readonly names: Names }) {
  return (
    <Table
      rows={plans}
      keyOf={({ id }) => id}
      columns={[
        {
          title: 'Plan',
          cell: (plan) => (
            <a href={linkTo(path`/network/plans/${plan.id}`)} dir="auto">
              {plan.title}
            </a>
          ),
        },
        { title: 'State', cell: (plan) => <PlanState plan={plan} /> },
        { title: 'Sites', cell: sitesOf },
        { title: 'Changes', isNumber: true, cell: ({ steps }) => steps },
        { title: 'Created', cell: ({ created_at }) => <Time at={created_at} /> },
        { title: 'By', cell: (plan) => <bdi>{authorOf(plan, names)}</bdi> },
      ]}
    />
  )
}

/** A sentence on what it changes on all sites of a plan. */
export const extentOf = (plan: Plan): string =>
  `${count(plan.steps, 'change')} on ${count(
    Object.values(plan.sites).reduce((sum, total) => sum + total, 0),
    'site',
  )}`
