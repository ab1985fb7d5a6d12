import { useSignal } from '@preact/signals'
import type { Output, ServiceError } from '../../../../client/src/index.ts'
import { api, asServiceError } from '../../client.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { announce, ErrorNotice, Notice } from '../../parts/notice.tsx'
import { time } from '../../text.ts'

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
  const submit = async (event: SubmitEvent & { currentTarget: HTMLFormElement }) => {
    event.preventDefault()
    error.value = undefined
    isRunning.value = true
    try {
      onIssued(await api().issueToken({ body: bodyOf(new FormData(event.currentTarget)) }))
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
          aria-describedby="token-user-hint"
        />
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
        <select id="token-scope" name="scope">
          {SCOPES.map(([scope, label]) => (
            <option key={scope} value={scope}>
              {label}
            </option>
          ))}
        </select>
      </div>
      <div class="field">
        <label for="token-sites">Sites</label>
        <input
          id="token-sites"
          name="sites"
          autocomplete="off"
          inputMode="numeric"
          pattern="\s*(\d+\s*[\s,]\s*)*\d*\s*"
          title="Ids of sites, such as 2, 5"
          placeholder="all"
          aria-describedby="token-sites-hint"
        />
        <p id="token-sites-hint" class="hint">
          Ids, such as 2, 5. Empty: all sites of the user.
        </p>
      </div>
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

function bodyOf(form: FormData) {
  const text = (name: string) => String(form.get(name) ?? '').trim()
  const sites = text('sites').match(/\d+/g)?.map(Number)
  const days = text('days')
  return {
    user: text('user'),
    label: text('label'),
    scope: text('scope') as Scope,
    ...(sites ? { sites } : {}),
    ...(days === ''
      ? {}
      : { expires_at: new Date(Date.now() + Number(days) * DAY_MS).toISOString().slice(0, 19) }),
  }
}

function Reveal({
  issued: { token, scope, sites, expires_at },
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
        Scope {scope}, {sites === null ? 'all sites' : `sites ${sites.join(', ')}`},{' '}
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
