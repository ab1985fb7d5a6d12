import { useSignal } from '@preact/signals'
import type { Output } from '../../../../client/src/index.ts'
import { maySend, useSite } from '../../current.ts'
import { Notice } from '../../parts/notice.tsx'
import { linkTo, path } from '../../router.ts'
import { count } from '../../text.ts'
import { type Fix, FixDialog } from './fix-dialog.tsx'

type Findings = Output<'listFindings'>
export type Finding = Findings['findings'][number]

/** Fixes that one request takes. */
const MAX_FIXES = 50
/** Messages of a group that are shown at once. */
const SHOWN_AT_ONCE = 5

/** What the doctor has found on a site, with its fixes. */
export function SiteFindings({
  site,
  found: { findings, fixes, total },
  reload,
}: {
  readonly site: number
  readonly found: Findings
  readonly reload: () => void
}) {
  const open = useSignal<readonly Fix[]>([])
  const fix: FixAction = maySend('all')
    ? (chosen) => {
        open.value = chosen.slice(0, MAX_FIXES)
      }
    : undefined
  if (total === 0) return <Notice tone="good">Nothing is wrong.</Notice>
  return (
    <>
      {fix && fixes.length > 1 && (
        <div class="toolbar flat">
          <button type="button" class="primary" onClick={() => fix(fixes)}>
            Fix all that is safe
          </button>
        </div>
      )}
      <div>
        {groupsOf(findings).map((group) => (
          <Group key={keyOf(group[0])} group={group} fixes={fixes} fix={fix} />
        ))}
      </div>
      {total > findings.length && (
        <p class="none">and {count(total - findings.length, 'more finding')}</p>
      )}
      {open.value.length > 0 && (
        <FixDialog
          site={site}
          fixes={open.value}
          onClose={() => {
            open.value = []
          }}
          onDone={reload}
        />
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

export const Severity = ({ of: { severity } }: { readonly of: Finding }) => (
  <span class={`badge ${TONES[severity]}`}>{severity}</span>
)

/** `menu_count_wrong` for readers: `Menu count wrong`. */
export function titleOf(check: string): string {
  const words = check.replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** The same check with the same impact is one thing to understand. */
type FindingGroup = readonly [Finding, ...Finding[]]

const keyOf = ({ check, severity, impact }: Finding): string => `${severity} ${check} ${impact}`

function groupsOf(findings: readonly Finding[]): readonly FindingGroup[] {
  const groups = new Map<string, [Finding, ...Finding[]]>()
  for (const finding of findings) {
    const group = groups.get(keyOf(finding))
    if (group) group.push(finding)
    else groups.set(keyOf(finding), [finding])
  }
  return [...groups.values()]
}

function Group({
  group,
  fixes,
  fix,
}: {
  readonly group: FindingGroup
  readonly fixes: readonly Fix[]
  readonly fix: FixAction
}) {
  const [{ check, impact, fix_hint }] = group
  const own = fixes.filter(({ id }) => group.some((finding) => finding.fix === id))
  const hints = new Set(group.map((finding) => finding.fix_hint))
  const shown = group.slice(0, SHOWN_AT_ONCE)
  const rest = group.slice(SHOWN_AT_ONCE)
  const messages = (some: readonly Finding[]) => (
    <ul class="findings">
      {some.map((finding) => (
        <li key={finding.id}>
          <p dir="auto">{finding.message}</p>
          {hints.size > 1 && <Hint text={finding.fix_hint} />}
        </li>
      ))}
    </ul>
  )
  return (
    <section class="panel">
      <div class="panel-head">
        <h3>
          <Severity of={group[0]} /> {titleOf(check)} <span class="badge">{group.length}</span>
        </h3>
        {fix && own.length > 0 && (
          <button type="button" onClick={() => fix(own)}>
            {own.length === 1 ? 'Fix' : `Apply ${count(own.length, 'fix', 'fixes')}`}
            <span class="visually-hidden">: {titleOf(check)}</span>
          </button>
        )}
      </div>
      <div class="panel-body stack">
        <p>{impact}</p>
        {messages(shown)}
        {rest.length > 0 && (
          <details>
            <summary>{count(rest.length, 'more', 'more')}</summary>
            {messages(rest)}
          </details>
        )}
        {hints.size === 1 && <Hint text={fix_hint} />}
      </div>
    </section>
  )
}

/** A menu or a frame in the address of a request that a hint names. */
const NAMED = /\/(menus|frames)\/(?!rebake\b)([\w-]+)/

/** How a person fixes something, with a link to the menu or the frame that it concerns. */
function Hint({ text }: { readonly text: string }) {
  const { site_id: site } = useSite()
  const [, family, ref = ''] = NAMED.exec(text) ?? []
  return (
    <p class="hint">
      <span dir="auto">{text}</span>{' '}
      {family === 'menus' && <a href={linkTo(path`/sites/${site}/menus/${ref}`)}>Open the menu</a>}
      {family === 'frames' && (
        <a href={linkTo(path`/sites/${site}/frames/${ref}`)}>Open the frame</a>
      )}
    </p>
  )
}
