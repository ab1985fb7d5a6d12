import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { type Input, isAtWork, type Output, type Plan } from '../../../client/src/index.ts'
import { useRead } from '../calls.ts'
import { api } from '../client.ts'
import { maySend } from '../current.ts'
import { AskDialog, DialogButton, type DialogEnd } from '../parts/dialog.tsx'
import { Radios } from '../parts/fields.tsx'
import { Pager, Time } from '../parts/list.tsx'
import { Loaded, Notice } from '../parts/notice.tsx'
import { Page } from '../parts/page.tsx'
import { linkTo, numberParameter, type ViewProps } from '../router.ts'
import { count } from '../text.ts'
import { extentOf, PlanState, sitesIn, sitesOf } from './network/plans-view.tsx'
import { SiteGroups } from './network/site-groups.tsx'

/** How often a plan is read again while the service works on it, in milliseconds. */
const INTERVAL_MS = 1000
/** As many as the service compares for their differences. */
const SITES_PER_PAGE = 20

/** One plan: what it would change on each site, and what became of it. */
export function View({ params: { plan: id } }: ViewProps<'plan'>) {
  const asked = { id, after: numberParameter('after'), limit: SITES_PER_PAGE }
  const { reading, answer, reload } = useRead('getPlan', asked)
  const plan = answer?.plan
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
        {(shown) => <PlanView asked={asked} answer={shown} />}
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

type PlanViewProps = {
  readonly asked: Input<'getPlan'>
  readonly answer: Output<'getPlan'>
}

function PlanView({ asked, answer: { plan, results, next, names } }: PlanViewProps) {
  // While it works, the states matter; each difference costs a comparison.
  const state = JSON.stringify([plan.state, plan.sites])
  const detailed = useRead('getPlan', isAtWork(plan) ? undefined : { ...asked, details: true })
  const before = useRef(state)
  useEffect(() => {
    if (before.current !== state && !isAtWork(plan)) detailed.reload()
    before.current = state
  }, [state])
  const shown = (!isAtWork(plan) && detailed.answer) || { results, names }
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
      <Pager total={sitesIn(plan)} next={next} one="site" shown={results.length} />
    </>
  )
}

type PlanDialogProps = DialogEnd & { readonly plan: Plan }

/** Applies a plan: first to a canary, or to all sites at once. */
function ApplyDialog({ plan, onClose, onDone }: PlanDialogProps) {
  const planned = plan.sites.planned ?? 0
  const canary = useSignal(planned > 1 && plan.sites.applied === undefined ? 1 : 0)
  const blocked = plan.sites.blocked ?? 0
  const body = canary.value > 0 ? { canary: canary.value, max_failures: 0 } : { max_failures: 0 }
  return (
    <AskDialog
      {...{ onClose, onDone }}
      title={`Apply: ${plan.title}`}
      label="Apply"
      act={() => api().applyPlan({ id: plan.id, body })}
      said="The plan is being applied."
    >
      <p>
        {extentOf(plan)}. Each site is changed in one transaction, and one that has changed since it
        was planned is refused. After the first failure the others are left out.
      </p>
      {blocked > 0 && (
        <Notice tone="warn" title={`${count(blocked, 'site')} blocked`}>
          <p>Nothing is written to them. The plan says what they lack.</p>
        </Notice>
      )}
      {planned > 1 && (
        <Radios
          legend="Apply it to"
          isLegendShown
          className="checks"
          name="extent"
          options={[
            ...[1, 3, 10]
              .filter((sites) => sites < planned)
              .map((sites) => [sites, `${count(sites, 'site')} first`] as const),
            [0, `all ${count(planned, 'site')}`],
          ]}
          value={canary.value}
          onChange={(sites) => (canary.value = sites)}
        />
      )}
    </AskDialog>
  )
}

/** Rolls an applied plan back. */
function RollBackDialog({ plan, onClose, onDone }: PlanDialogProps) {
  return (
    <AskDialog
      {...{ onClose, onDone }}
      title={`Roll back: ${plan.title}`}
      label="Roll back"
      isDangerous
      act={() => api().rollBackPlan({ id: plan.id })}
      said="The plan is being rolled back."
    >
      <p>
        What the plan has written to {count(plan.sites.applied ?? 0, 'site')} gets the state from
        before. Things that others have changed since then stay as they are, and the site says so.
        The rollback is a write of its own and can be undone in the history.
      </p>
    </AskDialog>
  )
}
