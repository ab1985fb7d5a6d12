import { useSignal } from '@preact/signals'
import type { Output, ServiceError } from '../../../../client/src/index.ts'
import { api, asServiceError } from '../../client.ts'
import { me, type SiteSummary } from '../../current.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { announce, ErrorNotice, Notice } from '../../parts/notice.tsx'
import { useRead } from '../../reading.ts'
import { count, time } from '../../text.ts'

type Issued = Output<'issueToken'>

const SCOPES = [
  ['read', 'Read only'],
  ['frames', 'Read, and write frames'],
  ['menus', 'Read, and write menus'],
  ['all', 'Everything that its user may do'],
] as const

type Scope = (typeof SCOPES)[number][0]

/** Issues a token, and shows it once. */
export function IssueDialog({
  onClose,
  onIssued,
}: {
  readonly onClose: () => void
  readonly onIssued: () => void
}) {
  const issued = useSignal<Issued | undefined>(undefined)
  if (issued.value)
    return (
      <Dialog title="The new token" onClose={onClose}>
        <Reveal issued={issued.value} onClose={onClose} />
      </Dialog>
    )
  return (
    <Dialog title="Issue a token" onClose={onClose}>
      <IssueForm
        onClose={onClose}
        onIssued={(answer) => {
          issued.value = answer
          announce('The token is issued.')
          onIssued()
        }}
      />
    </Dialog>
  )
}

function IssueForm({
  onClose,
  onIssued,
}: {
  readonly onClose: () => void
  readonly onIssued: (issued: Issued) => void
}) {
  const error = useSignal<ServiceError | undefined>(undefined)
  const isRunning = useSignal(false)
  const scope = useSignal<Scope>('read')
  const sites = useSignal<readonly SiteSummary[]>([])
  const { reading } = useRead('listTokens', {})
  const known = reading.state === 'ready' ? reading.answer.tokens : []
  const logins = [
    ...new Set([me.value?.user.login ?? '', ...known.flatMap(({ login }) => login ?? [])]),
  ]
  const submit = async (event: SubmitEvent & { currentTarget: HTMLFormElement }) => {
    event.preventDefault()
    error.value = undefined
    isRunning.value = true
    try {
      onIssued(
        await api().issueToken({ body: bodyOf(new FormData(event.currentTarget), sites.value) }),
      )
    } catch (caught) {
      error.value = asServiceError(caught)
    } finally {
      isRunning.value = false
    }
  }
  return (
    <form class="stack" onSubmit={submit}>
      <div class="field">
        <label for="token-user">User</label>
        <input
          id="token-user"
          name="user"
          required
          autocomplete="off"
          spellcheck={false}
          list="token-users"
          aria-describedby="token-user-hint"
        />
        <datalist id="token-users">
          {logins.map((login) => (
            <option key={login} value={login} />
          ))}
        </datalist>
        <p id="token-user-hint" class="hint">
          The login name in WordPress. The token may never do more than this user.
        </p>
      </div>
      <div class="field">
        <label for="token-label">Purpose</label>
        <input id="token-label" name="label" autocomplete="off" placeholder="deploy" />
      </div>
      <div class="field">
        <label for="token-scope">It may</label>
        <select
          id="token-scope"
          name="scope"
          onChange={({ currentTarget }) => {
            scope.value = currentTarget.value as Scope
          }}
        >
          {SCOPES.map(([scope, label]) => (
            <option key={scope} value={scope}>
              {label}
            </option>
          ))}
        </select>
      </div>
      {(scope.value === 'all' || scope.value === 'frames') && (
        <Notice tone="warn" title="Markup may have scripts">
          <p>
            Who has this token can write scripts that run for every visitor, and for administrators
            who look at the pages. Give it only to people and programs that you trust with that.
          </p>
        </Notice>
      )}
      <SitePicker
        chosen={sites.value}
        onChoose={(chosen) => {
          sites.value = chosen
        }}
      />
      <div class="field">
        <label for="token-expiry">Expires after</label>
        <select id="token-expiry" name="days" defaultValue="90">
          <option value="1">a day</option>
          <option value="30">30 days</option>
          <option value="90" selected>
            90 days
          </option>
          <option value="365">a year</option>
          <option value="">never</option>
        </select>
      </div>
      {error.value && <ErrorNotice error={error.value} />}
      <div class="dialog-foot">
        <button type="button" onClick={onClose}>
          Cancel
        </button>
        <button type="submit" class="primary" disabled={isRunning.value}>
          Issue
        </button>
      </div>
    </form>
  )
}

const DAY_MS = 86_400_000

/** Chooses sites by their titles. */
function SitePicker({
  chosen,
  onChoose,
}: {
  readonly chosen: readonly SiteSummary[]
  readonly onChoose: (sites: readonly SiteSummary[]) => void
}) {
  const search = useSignal('')
  const { reading } = useRead('listSites', { search: search.value, limit: 20 })
  const found = reading.state === 'ready' ? reading.answer.sites : []
  const others = chosen.filter(({ site_id }) => !found.some((site) => site.site_id === site_id))
  return (
    <div class="field">
      <label for="token-sites">Sites</label>
      <input
        id="token-sites"
        type="search"
        autocomplete="off"
        placeholder="Part of a title or an address"
        aria-describedby="token-sites-hint"
        onInput={({ currentTarget }) => {
          search.value = currentTarget.value.trim()
        }}
      />
      <ul class="choices">
        {[...others, ...found].map((site) => {
          const isChosen = chosen.some(({ site_id }) => site_id === site.site_id)
          return (
            <li key={site.site_id}>
              <button
                type="button"
                class="quiet"
                aria-pressed={isChosen}
                onClick={() =>
                  onChoose(
                    isChosen
                      ? chosen.filter(({ site_id }) => site_id !== site.site_id)
                      : [...chosen, site],
                  )
                }
              >
                <bdi>{site.title}</bdi> <span class="none">{site.address}</span>
              </button>
            </li>
          )
        })}
      </ul>
      <p id="token-sites-hint" class="hint" role="status">
        {chosen.length === 0
          ? 'None chosen: all sites of the user, also future ones.'
          : `Only ${chosen.map(({ title }) => title).join(', ')}.`}
      </p>
    </div>
  )
}

function bodyOf(form: FormData, sites: readonly SiteSummary[]) {
  const text = (name: string) => String(form.get(name) ?? '').trim()
  const days = text('days')
  return {
    user: text('user'),
    label: text('label'),
    scope: text('scope') as Scope,
    ...(sites.length > 0 ? { sites: sites.map(({ site_id }) => site_id) } : {}),
    ...(days === ''
      ? {}
      : { expires_at: new Date(Date.now() + Number(days) * DAY_MS).toISOString().slice(0, 19) }),
  }
}

function Reveal({
  issued: { token, scope, sites, expires_at, warnings },
  onClose,
}: {
  readonly issued: Issued
  readonly onClose: () => void
}) {
  const isCopied = useSignal(false)
  const copy = async () => {
    await navigator.clipboard.writeText(token)
    isCopied.value = true
    announce('The token is copied.')
  }
  return (
    <div class="stack">
      <Notice tone="warn" title="It is shown only now">
        <p>The service stores a hash of it. Copy it to where it is used, and nowhere else.</p>
      </Notice>
      {warnings.map((warning) => (
        <Notice key={warning} tone="warn">
          <p dir="auto">{warning}</p>
        </Notice>
      ))}
      <div class="field">
        <label for="new-token">Token</label>
        <div class="row">
          <input
            id="new-token"
            readOnly
            value={token}
            spellcheck={false}
            onFocus={({ currentTarget }) => currentTarget.select()}
          />
          {/* Browsers have no clipboard for pages that did not come by HTTPS. */}
          {navigator.clipboard !== undefined && (
            <button type="button" onClick={copy}>
              {isCopied.value ? 'Copied' : 'Copy'}
            </button>
          )}
        </div>
      </div>
      <p class="hint">
        Scope {scope}, {sites === null ? 'all sites' : count(sites.length, 'site')},{' '}
        {expires_at === null ? 'without an expiry' : `until ${time(expires_at)}`}.
      </p>
      <div class="dialog-foot">
        <button type="button" class="primary" onClick={onClose}>
          Done
        </button>
      </div>
    </div>
  )
}
