import type { Output } from '../../../packages/client/src/index.ts'
import { api } from '../../client.ts'
import { Notice } from '../../parts/notice.tsx'
import { ThingDiffs } from '../../parts/thing-diffs.tsx'
import { WriteDialog } from '../../parts/write-dialog.tsx'
import { goTo } from '../../router.ts'
import { count } from '../../text.ts'
import { KINDS, thingOf } from './describe-entry.ts'

/** One thing to its state after an entry, or everything that a request wrote to the state before. */
export type RestoreScope = { readonly entry: number } | { readonly request_id: string }

/** Restores a former state: first shows the differences, then asks. */
export function RestoreDialog({
  site,
  scope,
  onClose,
}: {
  readonly site: number
  readonly scope: RestoreScope
  readonly onClose: () => void
}) {
  const send = (dry_run: boolean) =>
    api().restoreSite({ site_id: site, body: { ...scope, dry_run } })
  return (
    <WriteDialog
      title={'entry' in scope ? 'Restore this state' : 'Undo the request'}
      label="Restore"
      dryRun={() => send(true)}
      changes={({ restored }) => restored.length > 0}
      write={async () => `${count((await send(false)).restored.length, 'thing')} restored.`}
      onClose={onClose}
      onDone={() => goTo(`/sites/${site}/history`)}
    >
      {(answer) => <Restored answer={answer} />}
    </WriteDialog>
  )
}

function Restored({
  answer: { restored, not_restored },
}: {
  readonly answer: Output<'restoreSite'>
}) {
  return (
    <>
      {restored.length === 0 ? (
        <p>Nothing differs from that state, so there is nothing to restore.</p>
      ) : (
        <p>
          This would change {count(restored.length, 'thing')}. It is a write of its own and can be
          taken back.
        </p>
      )}
      <ThingDiffs things={restored} />
      {not_restored.length > 0 && (
        <Notice tone="warn" title="Not restored, or not completely">
          <ul>
            {not_restored.map(({ message, ...thing }) => (
              <li key={`${thing.kind} ${thing.ref}`} dir="auto">
                {KINDS[thing.kind]} {thingOf(thing)}: {message}
              </li>
            ))}
          </ul>
        </Notice>
      )}
    </>
  )
}
