import { api } from '../../client.ts'
import { Confirm, Dialog } from '../../parts/dialog.tsx'
import { announce } from '../../parts/notice.tsx'
import { count } from '../../text.ts'
import type { Plan } from './plans-view.tsx'

/** Takes an applied plan back. */
export function RollBackDialog({
  plan,
  onClose,
  onDone,
}: {
  readonly plan: Plan
  readonly onClose: () => void
  readonly onDone: () => void
}) {
  const rollBack = async () => {
    await api().rollBackPlan({ id: plan.id })
    onClose()
    announce('The plan is being rolled back.')
    onDone()
  }
  return (
    <Dialog title={`Roll back: ${plan.title}`} onClose={onClose}>
      <p>
        What the plan has written to {count(plan.sites.applied ?? 0, 'site')} gets the state from
        before. Things that others have changed since then stay as they are, and the site says so.
        The rollback is a write of its own and can be taken back in the history.
      </p>
      <Confirm label="Roll back" isDangerous onConfirm={rollBack} onClose={onClose} />
    </Dialog>
  )
}
