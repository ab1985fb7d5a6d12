import type { Output } from '../../../../client/src/index.ts'
import { api } from '../../client.ts'
import { useSite } from '../../current.ts'
import type { DialogEnd } from '../../parts/dialog.tsx'
import { WriteDialog } from '../../parts/write-dialog.tsx'
import { count } from '../../text.ts'

export type Fix = Output<'listFindings'>['fixes'][number]

/** Applies fixes of the doctor: first shows what they would fix, then asks. */
export function FixDialog({
  fixes,
  onClose,
  onDone,
}: DialogEnd & { readonly fixes: readonly Fix[] }) {
  const { site_id } = useSite()
  const send = (dry_run: boolean) =>
    api().fixFindings({ site_id, body: { fixes: fixes.map(({ id }) => id), dry_run } })
  return (
    <WriteDialog
      title={fixes.length === 1 ? 'Apply this fix' : 'Apply these fixes'}
      label="Apply"
      dryRun={() => send(true)}
      changes={(found) => found.fixes.length > 0}
      write={async () => {
        const answer = await send(false)
        const applied = answer.fixes.filter((fix) => fix.applied).length
        return `${count(applied, 'fix', 'fixes')} applied. ${aboutMissing(answer)}`.trim()
      }}
      onClose={onClose}
      onDone={onDone}
    >
      {(found) => (
        <>
          {found.missing.length > 0 && <p>{aboutMissing(found)}</p>}
          {found.fixes.map(({ id, summary, findings, messages }) => (
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
        </>
      )}
    </WriteDialog>
  )
}

const aboutMissing = ({ missing }: Output<'fixFindings'>): string =>
  missing.length === 0
    ? ''
    : `${count(missing.length, 'fix', 'fixes')} not applied: the findings have changed.`
