import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { Output, ServiceError } from '../../../packages/client/src/index.ts'
import { api, asServiceError } from '../../client.ts'
import { Confirm, Dialog } from '../../parts/dialog.tsx'
import { Diff } from '../../parts/diff.tsx'
import { Loading } from '../../parts/loaded.tsx'
import { announce, ErrorNotice, Notice } from '../../parts/notice.tsx'
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
  const would = useSignal<Output<'restoreSite'> | undefined>(undefined)
  const error = useSignal<ServiceError | undefined>(undefined)
  const send = (dry_run: boolean) =>
    api().restoreSite({ site_id: site, body: { ...scope, dry_run } })
  useEffect(() => {
    send(true).then(
      (answer) => {
        would.value = answer
      },
      (caught) => {
        error.value = asServiceError(caught)
      },
    )
  }, [])
  const restore = async () => {
    const { restored } = await send(false)
    onClose()
    announce(`${count(restored.length, 'thing')} restored.`)
    goTo(`/sites/${site}/history`)
  }
  const found = would.value
  const isDone = found !== undefined && found.restored.length === 0
  return (
    <Dialog title={'entry' in scope ? 'Restore this state' : 'Undo the request'} onClose={onClose}>
      {error.value && <ErrorNotice error={error.value} />}
      {!found && !error.value && <Loading />}
      {found && <Restored answer={found} />}
      <Confirm
        label="Restore"
        onConfirm={found && !isDone ? restore : undefined}
        onClose={onClose}
      />
    </Dialog>
  )
}

function Restored({
  answer: { restored, not_restored },
}: {
  readonly answer: Output<'restoreSite'>
}) {
  return (
    <div class="stack">
      {restored.length === 0 ? (
        <p>Nothing differs from that state, so there is nothing to restore.</p>
      ) : (
        <p>
          This would change {count(restored.length, 'thing')}. It is a write of its own and can be
          taken back.
        </p>
      )}
      {restored.map(({ diff, items, ...thing }) => (
        <section key={`${thing.kind} ${thing.ref}`} class="stack">
          <h3>
            {KINDS[thing.kind]} <bdi>{thingOf(thing)}</bdi>{' '}
            <span class="badge">{thing.action}</span>
          </h3>
          <Diff label={`Difference of ${thingOf(thing)}`} diff={diff} items={items} />
        </section>
      ))}
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
    </div>
  )
}
