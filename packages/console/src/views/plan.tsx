import { useEffect, useRef } from 'preact/hooks'
import { type Input, isAtWork, type Output } from '../../../client/src/index.ts'
import { maySend } from '../current.ts'
import { DialogButton } from '../parts/dialog.tsx'
import { Pager } from '../parts/list.tsx'
import { Loaded } from '../parts/loaded.tsx'
import { Notice } from '../parts/notice.tsx'
import { Page } from '../parts/page.tsx'
import { Time } from '../parts/time.tsx'
import { useRead } from '../reading.ts'
import { linkTo, numberParameter, type ViewProps } from '../router.ts'
import { ApplyDialog, RollBackDialog } from './network/plan-dialogs.tsx'
import { extentOf, type Plan, PlanState, sitesOf } from './network/plans-view.tsx'
import { SiteGroups } from './network/site-groups.tsx'

/** How often a plan is read again while the service works on it, in milliseconds. */
const INTERVAL_MS = 1000
/** As many as the service compares for their differences. */
const SITES_PER_PAGE = 20

/** One plan: what it would change on each site, and what became of it. */
export function View({ params: { plan: id } }: ViewProps<'plan'>) {
  const asked = { id, after: numberParameter('after'), limit: SITES_PER_PAGE }
  const { reading, reload } = useRead('getPlan', asked)
  const plan = reading.state === 'ready' ? reading.answer.plan : undefined
  useEffect(() => {
    if (!plan || !isAtWork(plan)) return
    const timer = setTimeout(reload, INTERVAL_MS)
    return () => clearTimeout(timer)
  }, [reading])
  return (
    <Page
      title={plan?.title ?? 'Plan'}
      isContent
      trail={[
        { label: 'Network', href: linkTo('/network') },
        { label: 'Plans', href: linkTo('/network', { as: 'plans' }) },
      ]}
      actions={plan && maySend('all') && <Actions plan={plan} onDone={reload} />}
    >
      <Loaded reading={reading} retry={reload}>
        {(answer) => <PlanView {...{ asked, answer }} />}
      </Loaded>
    </Page>
  )
}

function Actions({ plan, onDone }: { readonly plan: Plan; readonly onDone: () => void }) {
  const { state, sites } = plan
  const mayApply = state === 'planned' && (sites.planned ?? 0) > 0
  const mayRollBack = !isAtWork(plan) && (sites.applied ?? 0) > 0
  return (
    <>
      {mayApply && (
        <DialogButton label="Apply" class="primary">
          {(onClose) => <ApplyDialog {...{ plan, onClose, onDone }} />}
        </DialogButton>
      )}
      {mayRollBack && (
        <DialogButton label="Roll back">
          {(onClose) => <RollBackDialog {...{ plan, onClose, onDone }} />}
        </DialogButton>
      )}
      {(sites.applied ?? 0) + (sites.rolled_back ?? 0) > 0 && (
        <a class="button" href={linkTo('/network', { as: 'history', request: plan.id })}>
          History
        </a>
      )}
    </>
  )
}

function PlanView({
  asked,
  answer: { plan, results, next, names },
}: {
  readonly asked: Input<'getPlan'>
  readonly answer: Output<'getPlan'>
}) {
  // While it works, the states matter; each difference costs a comparison.
  const state = JSON.stringify([plan.state, plan.sites])
  const detailed = useRead('getPlan', isAtWork(plan) ? undefined : { ...asked, details: true })
  const before = useRef(state)
  useEffect(() => {
    if (before.current !== state && !isAtWork(plan)) detailed.reload()
    before.current = state
  }, [state])
  const shown =
    detailed.reading.state === 'ready' && !isAtWork(plan)
      ? detailed.reading.answer
      : { results, names }
  const total = Object.values(plan.sites).reduce((sum, sites) => sum + sites, 0)
  return (
    <>
      <p class="inline lead" aria-live="polite">
        <PlanState plan={plan} />
        <span>{sitesOf(plan)}</span>
        <span>{extentOf(plan)}</span>
        <Time at={plan.created_at} />
        <code title="Commands take the beginning of its id">{plan.id.slice(0, 8)}</code>
      </p>
      {plan.message !== null && (
        <Notice tone="bad" title="The plan failed as a whole">
          <p dir="auto">{plan.message}</p>
        </Notice>
      )}
      {plan.state === 'planned' && (plan.sites.applied ?? 0) > 0 && (
        <Notice title="The canary is applied">
          <p>Look at its pages below. Then apply the plan to the others, or roll it back.</p>
        </Notice>
      )}
      <SiteGroups results={shown.results} titles={shown.names.pages} />
      <Pager {...{ total, next }} one="site" shown={results.length} />
    </>
  )
}
