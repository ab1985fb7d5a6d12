import { useSignal } from '@preact/signals'
import { api } from '../../client.ts'
import { AskDialog, type DialogEnd } from '../../parts/dialog.tsx'
import { Radios } from '../../parts/fields.tsx'
import { Notice } from '../../parts/notice.tsx'
import { count } from '../../text.ts'
import { extentOf, type Plan } from './plans-view.tsx'

type PlanDialogProps = DialogEnd & { readonly plan: Plan }

/** Applies a plan: first to a canary, or to all sites at once. */
export function ApplyDialog({ plan, onClose, onDone }: PlanDialogProps) {
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
export function RollBackDialog({ plan, onClose, onDone }: PlanDialogProps) {
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
