import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { Fix, FixFindings } from '../../answers.ts'
import { type AnswerOf, type ApiError, call, path } from '../../api.ts'
import { Confirm, Dialog } from '../../parts/dialog.tsx'
import { Loading } from '../../parts/loaded.tsx'
import { announce, ErrorNotice } from '../../parts/notice.tsx'
import { asApiError } from '../../reading.ts'
import { count } from '../../text.ts'

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
  const would = useSignal<AnswerOf<FixFindings> | undefined>(undefined)
  const error = useSignal<ApiError | undefined>(undefined)
  const send = (dry_run: boolean) =>
    call<FixFindings>('POST', path`/site/${site}/findings/fix`, {
      body: { fixes: fixes.map(({ id }) => id), dry_run },
    })
  useEffect(() => {
    send(true).then(
      (answer) => {
        would.value = answer
      },
      (caught) => {
        error.value = asApiError(caught)
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

const aboutMissing = ({ missing }: AnswerOf<FixFindings>): string =>
  missing.length === 0
    ? ''
    : `${count(missing.length, 'fix', 'fixes')} not applied: the findings have changed.`
