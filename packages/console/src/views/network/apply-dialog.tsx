import { useSignal } from '@preact/signals'
import { api } from '../../client.ts'
import { Confirm, Dialog } from '../../parts/dialog.tsx'
import { announce, Notice } from '../../parts/notice.tsx'
import { count } from '../../text.ts'
import { extentOf, type Plan } from './plans-view.tsx'

/** Applies a plan: first to a canary, or to all sites at once. */
export function ApplyDialog({
  plan,
  onClose,
  onDone,
}: {
  readonly plan: Plan
  readonly onClose: () => void
  readonly onDone: () => void
}) {
  const planned = plan.sites.planned ?? 0
  const canary = useSignal(planned > 1 && plan.sites.applied === undefined ? 1 : 0)
  const blocked = plan.sites.blocked ?? 0
  const apply = async () => {
    const body = canary.value > 0 ? { canary: canary.value, max_failures: 0 } : { max_failures: 0 }
    await api().applyPlan({ id: plan.id, body })
    onClose()
    announce('The plan is being applied.')
    onDone()
  }
  return (
    <Dialog title={`Apply: ${plan.title}`} onClose={onClose}>
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
        <fieldset class="checks">
          <legend>Apply it to</legend>
          {[1, 3, 10]
            .filter((sites) => sites < planned)
            .map((sites) => (
              <Choice
                key={sites}
                label={`${count(sites, 'site')} first`}
                isChosen={canary.value === sites}
                onChoose={() => (canary.value = sites)}
              />
            ))}
          <Choice
            label={`all ${count(planned, 'site')}`}
            isChosen={canary.value === 0}
            onChoose={() => (canary.value = 0)}
          />
        </fieldset>
      )}
      <Confirm label="Apply" onConfirm={apply} onClose={onClose} />
    </Dialog>
  )
}

function Choice({
  label,
  isChosen,
  onChoose,
}: {
  readonly label: string
  readonly isChosen: boolean
  readonly onChoose: () => void
}) {
  return (
    <label class="check">
      <input type="radio" name="extent" checked={isChosen} onChange={onChoose} />
      {label}
    </label>
  )
}
