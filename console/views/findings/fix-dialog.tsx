import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { Output, ServiceError } from '../../../packages/client/src/index.ts'
import { api, asServiceError } from '../../client.ts'
import { Confirm, Dialog } from '../../parts/dialog.tsx'
import { Loading } from '../../parts/loaded.tsx'
import { announce, ErrorNotice } from '../../parts/notice.tsx'
import { count } from '../../text.ts'

export type Fix = Output<'listFindings'>['fixes'][number]

/** Applies fixes of the doctor: first shows what they would fix, then asks. */
export function FixDialog({
  site,
  fixes,
  onClose,
  onDone,
}: {
  readonly site: number
  readonly fixes: readonly Fix[]
  readonly onClose: () => void
  readonly onDone: () => void
}) {
  const would = useSignal<Output<'fixFindings'> | undefined>(undefined)
  const error = useSignal<ServiceError | undefined>(undefined)
  const send = (dry_run: boolean) =>
    api().fixFindings({
      site_id: site,
      body: { fixes: fixes.map(({ id }) => id), dry_run },
    })
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
  const apply = async () => {
    const answer = await send(false)
    onClose()
    const applied = answer.fixes.filter((fix) => fix.applied).length
    announce(`${count(applied, 'fix', 'fixes')} applied. ${aboutMissing(answer)}`.trim())
    onDone()
  }
  const found = would.value
  return (
    <Dialog title={fixes.length === 1 ? 'Apply this fix' : 'Apply these fixes'} onClose={onClose}>
      {error.value && <ErrorNotice error={error.value} />}
      {!found && !error.value && <Loading />}
      {found && found.missing.length > 0 && <p>{aboutMissing(found)}</p>}
      {found?.fixes.map(({ id, summary, findings, messages }) => (
        <section key={id} class="stack">
          <h3 dir="auto">{summary}</h3>
          <ul class="findings">
            {messages.map((message) => (
              <li key={message} dir="auto">
                {message}
              </li>
            ))}
            {findings > messages.length && (
              <li class="none">and {count(findings - messages.length, 'more', 'more')}</li>
            )}
          </ul>
        </section>
      ))}
      <Confirm
        label="Apply"
        onConfirm={found && found.fixes.length > 0 ? apply : undefined}
        onClose={onClose}
      />
    </Dialog>
  )
}

const aboutMissing = ({ missing }: Output<'fixFindings'>): string =>
  missing.length === 0
    ? ''
    : `${count(missing.length, 'fix', 'fixes')} not applied: the findings have changed.`
