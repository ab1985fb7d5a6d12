import { useSignal } from '@preact/signals'
import type { Output } from '../../../client/src/index.ts'
import { maySend, useSite } from '../current.ts'
import { Empty } from '../parts/list.tsx'
import { Loaded } from '../parts/loaded.tsx'
import { Page } from '../parts/page.tsx'
import { useRead } from '../reading.ts'
import { linkTo, path, type ViewProps } from '../router.ts'
import { count } from '../text.ts'
import { type Fix, FixDialog } from './findings/fix-dialog.tsx'

type Findings = Output<'listFindings'>
type Finding = Findings['findings'][number]

/** Fixes that one request takes. */
const MAX_FIXES = 50
/** Messages of a group that are shown at once. */
const SHOWN_AT_ONCE = 5

/** What the doctor finds on a site, with its fixes. */
export function View(_: ViewProps<'site'>) {
  const { site_id: site } = useSite()
  const { reading, reload } = useRead('listFindings', { site_id: site })
  const open = useSignal<readonly Fix[]>([])
  const fixes = reading.state === 'ready' ? reading.answer.fixes : []
  const fix = maySend('all')
    ? (chosen: readonly Fix[]) => {
        open.value = chosen.slice(0, MAX_FIXES)
      }
    : undefined
  return (
    <Page
      title="Findings"
      lead="What the doctor finds: what is inconsistent, why it matters, and how it is fixed."
      actions={
        <>
          {fix && fixes.length > 1 && (
            <button type="button" class="primary" onClick={() => fix(fixes)}>
              Fix all that is safe
            </button>
          )}
          <button type="button" onClick={reload}>
            Check again
          </button>
        </>
      }
    >
      <Loaded reading={reading} retry={reload}>
        {(found) => <FindingsView found={found} fix={fix} />}
      </Loaded>
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
    </Page>
  )
}

type FixAction = ((fixes: readonly Fix[]) => void) | undefined

function FindingsView({ found, fix }: { readonly found: Findings; readonly fix: FixAction }) {
  const { findings, fixes, total } = found
  if (total === 0) return <Empty>Nothing is wrong.</Empty>
  return (
    <>
      {groupsOf(findings).map((group) => (
        <Group key={keyOf(group[0])} group={group} fixes={fixes} fix={fix} />
      ))}
      {total > findings.length && (
        <p class="none">and {count(total - findings.length, 'more finding')}</p>
      )}
    </>
  )
}

const TONES: Readonly<Record<Finding['severity'], string>> = {
  error: 'bad',
  warning: 'warn',
  info: '',
}

/** `menu_count_wrong` for readers: `Menu count wrong`. */
function titleOf(check: string): string {
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
  const [{ check, severity, impact, fix_hint }] = group
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
        <h2>
          <span class={`badge ${TONES[severity]}`}>{severity}</span> {titleOf(check)}{' '}
          <span class="badge">{group.length}</span>
        </h2>
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
