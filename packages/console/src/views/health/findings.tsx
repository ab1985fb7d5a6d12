import { useSignal } from '@preact/signals'
import type { Output } from '../../../../client/src/index.ts'
import { api } from '../../client.ts'
import { maySend, useSite } from '../../current.ts'
import { DialogButton, type DialogEnd } from '../../parts/dialog.tsx'
import { Button } from '../../parts/fields.tsx'
import { More } from '../../parts/list.tsx'
import { Messages, Notice } from '../../parts/notice.tsx'
import { BatchDialog, WriteDialog } from '../../parts/write-dialog.tsx'
import { inSite, linkTo, path } from '../../router.ts'
import { count } from '../../text.ts'

type Findings = Output<'listFindings'>
export type Finding = Findings['findings'][number]
type Fix = Findings['fixes'][number]

/** Fixes that one request takes. */
const MAX_FIXES = 50
/** Messages of a group that are shown at once. */
const SHOWN_AT_ONCE = 5

type SiteFindingsProps = {
  readonly found: Findings
  readonly reload: () => void
}

/** What the doctor has found on a site, with its fixes. */
export function SiteFindings({ found: { findings, fixes, total }, reload }: SiteFindingsProps) {
  const open = useSignal<readonly Fix[]>([])
  const fix: FixAction = maySend('all')
    ? (chosen) => (open.value = chosen.slice(0, MAX_FIXES))
    : undefined
  if (total === 0) return <Notice tone="good">Nothing is wrong.</Notice>
  // The same with the same consequences is one thing to understand.
  const groups = Map.groupBy(findings, ({ severity, check, impact }) =>
    [severity, check, impact].join(' '),
  )
  return (
    <>
      {fix && fixes.length > 1 && (
        <div class="toolbar flat">
          <Button label="Fix all that is safe" class="primary" onClick={() => fix(fixes)} />
        </div>
      )}
      <div>
        {[...groups].map(([key, group]) => (
          <Group key={key} {...{ group, fixes, fix, reload }} />
        ))}
      </div>
      <More left={total - findings.length} one="finding" />
      {open.value.length > 0 && (
        <FixDialog fixes={open.value} onClose={() => (open.value = [])} onDone={reload} />
      )}
    </>
  )
}

type FixAction = ((fixes: readonly Fix[]) => void) | undefined

const TONES: Readonly<Record<Finding['severity'], string>> = {
  error: 'bad',
  warning: 'warn',
  info: '',
}

/** What is wrong, and how much. */
export const FindingTitle = ({ of: { severity, title } }: { readonly of: Finding }) => (
  <>
    <span class={`badge ${TONES[severity]}`}>{severity}</span> {title}
  </>
)

type GroupProps = {
  readonly group: readonly Finding[]
  readonly fixes: readonly Fix[]
  readonly fix: FixAction
  readonly reload: () => void
}

function Group({ group, fixes, fix, reload }: GroupProps) {
  const [first] = group
  if (!first) return null
  const own = fixes.filter(({ id }) => group.some((finding) => finding.fix === id))
  const hasOneHint = new Set(group.map(({ fix_hint }) => fix_hint)).size === 1
  const hint = (finding: Finding) => <WhatToDo finding={finding} mayFix={fix !== undefined} />
  const messages = (some: readonly Finding[]) => (
    <ul class="findings">
      {some.map((finding) => (
        <li key={finding.id}>
          <p>
            <span dir="auto">{finding.message}</span> <Subject {...{ finding, reload }} />
          </p>
          {!hasOneHint && hint(finding)}
        </li>
      ))}
    </ul>
  )
  const rest = group.slice(SHOWN_AT_ONCE)
  return (
    <section class="panel">
      <div class="panel-head">
        <h3>
          <FindingTitle of={first} /> <span class="badge">{group.length}</span>
        </h3>
        {fix && own.length > 0 && (
          <button type="button" onClick={() => fix(own)}>
            {own.length === 1 ? 'Fix' : `Apply ${count(own.length, 'fix', 'fixes')}`}
            <span class="visually-hidden">: {first.title}</span>
          </button>
        )}
      </div>
      <div class="panel-body stack">
        <p>{first.impact}</p>
        {messages(group.slice(0, SHOWN_AT_ONCE))}
        {rest.length > 0 && (
          <details>
            <summary>{count(rest.length, 'more', 'more')}</summary>
            {messages(rest)}
          </details>
        )}
        {hasOneHint && hint(first)}
      </div>
    </section>
  )
}

type WhatToDoProps = {
  readonly finding: Finding
  readonly mayFix: boolean
}

/** How a person fixes it. The button above does what the doctor can do. */
function WhatToDo({ finding: { fix, fix_hint: hint, fixed_by }, mayFix }: WhatToDoProps) {
  if (fix !== null)
    return mayFix ? null : (
      <p class="hint">Somebody whose token may do everything can fix it here.</p>
    )
  if (fixed_by === 'editor')
    return (
      <p class="hint" dir="auto">
        {hint}
      </p>
    )
  return (
    <details class="hint">
      <summary>The operator of the service can fix it</summary>
      <p dir="auto">{hint}</p>
    </details>
  )
}

type SubjectProps = {
  readonly finding: Finding
  readonly reload: () => void
}

/** Where the thing is that a finding is about, and a button for what can only be removed. */
function Subject({ finding: { about }, reload }: SubjectProps) {
  if (!about) return null
  const { kind, ref, item } = about
  return (
    <>
      <a href={linkTo(inSite(path`/${kind}s/${ref}`))}>Open the {kind}</a>{' '}
      {item !== undefined && maySend('menus') && (
        <DialogButton label="Remove the item" class="link">
          {(onClose) => (
            <BatchDialog
              title="Remove the item"
              label="Remove"
              isDangerous
              writes={[{ method: 'DELETE', path: path`/menus/${ref}/items/${item}` }]}
              done="The item is removed."
              onClose={onClose}
              onDone={reload}
            />
          )}
        </DialogButton>
      )}
    </>
  )
}

/** Applies fixes of the doctor: first shows what they would fix, then asks. */
function FixDialog({ fixes, ...dialog }: DialogEnd & { readonly fixes: readonly Fix[] }) {
  const { site_id } = useSite()
  const send = (dry_run: boolean) =>
    api().fixFindings({ site_id, body: { fixes: fixes.map(({ id }) => id), dry_run } })
  return (
    <WriteDialog
      {...dialog}
      title={fixes.length === 1 ? 'Apply this fix' : 'Apply these fixes'}
      label="Apply"
      dryRun={() => send(true)}
      changes={(found) => found.fixes.length > 0}
      write={async () => {
        const answer = await send(false)
        const applied = answer.fixes.filter((fix) => fix.applied).length
        return `${count(applied, 'fix', 'fixes')} applied. ${aboutMissing(answer)}`.trim()
      }}
    >
      {(found) => (
        <>
          {found.missing.length > 0 && <p>{aboutMissing(found)}</p>}
          {found.fixes.map(({ id, summary, findings, messages }) => (
            <section key={id} class="stack">
              <h3 dir="auto">{summary}</h3>
              <Messages texts={messages} className="findings">
                <More left={findings - messages.length} as="li" />
              </Messages>
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
