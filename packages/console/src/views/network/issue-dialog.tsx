import { useSignal } from '@preact/signals'
import type { Output, Site } from '../../../../client/src/index.ts'
import { useRead, useTask } from '../../calls.ts'
import { api } from '../../client.ts'
import { me } from '../../current.ts'
import { Dialog } from '../../parts/dialog.tsx'
import { Button, Choices, PausedField, Select, TextField } from '../../parts/fields.tsx'
import { announce, ErrorNotice, Notice } from '../../parts/notice.tsx'
import { count, time } from '../../text.ts'

type Issued = Output<'issueToken'>

const SCOPES = [
  ['read', 'Read only'],
  ['frames', 'Read, and write frames'],
  ['menus', 'Read, and write menus'],
  ['all', 'Everything that its user may do'],
] as const

type Scope = (typeof SCOPES)[number][0]

const EXPIRIES = [
  ['1', 'a day'],
  ['30', '30 days'],
  ['90', '90 days'],
  ['365', 'a year'],
  ['', 'never'],
] as const

type IssueDialogProps = {
  readonly onClose: () => void
  readonly onIssued: () => void
}

/** Issues a token, and shows it once. */
export function IssueDialog({ onClose, onIssued }: IssueDialogProps) {
  const issued = useSignal<Issued | undefined>(undefined)
  const { error, isRunning, run } = useTask()
  const scope = useSignal('read')
  const days = useSignal('90')
  const sites = useSignal<readonly Site[]>([])
  const known = useRead('listTokens', {}).answer?.tokens ?? []
  const logins = new Set([me.value?.user.login ?? '', ...known.flatMap(({ login }) => login ?? [])])
  const submit = (event: SubmitEvent & { currentTarget: HTMLFormElement }) => {
    event.preventDefault()
    const form = new FormData(event.currentTarget)
    const text = (name: string) => String(form.get(name) ?? '').trim()
    const ends = new Date(Date.now() + Number(days.value) * DAY_MS).toISOString().slice(0, 19)
    const body = {
      user: text('user'),
      label: text('label'),
      scope: scope.value as Scope,
      ...(sites.value.length > 0 ? { sites: sites.value.map(({ site_id }) => site_id) } : {}),
      ...(days.value === '' ? {} : { expires_at: ends }),
    }
    return run(async () => {
      issued.value = await api().issueToken({ body })
      announce('The token is issued.')
      onIssued()
    })
  }
  if (issued.value)
    return (
      <Dialog title="The new token" onClose={onClose}>
        <Reveal issued={issued.value} onClose={onClose} />
      </Dialog>
    )
  return (
    <Dialog title="Issue a token" onClose={onClose}>
      <form class="stack" onSubmit={submit}>
        <TextField
          label="User"
          hint="The login name in WordPress. The token may never do more than this user."
          name="user"
          required
          spellcheck={false}
          list="token-users"
        />
        <datalist id="token-users">
          {[...logins].map((login) => (
            <option key={login} value={login} />
          ))}
        </datalist>
        <TextField label="Purpose" name="label" placeholder="deploy" />
        <Select
          label="It may"
          options={SCOPES}
          value={scope.value}
          onChange={(chosen) => (scope.value = chosen)}
        />
        {(scope.value === 'all' || scope.value === 'frames') && (
          <Notice tone="warn" title="Markup may have scripts">
            <p>
              Who has this token can write scripts that run for every visitor, and for
              administrators who look at the pages. Give it only to people and programs that you
              trust with that.
            </p>
          </Notice>
        )}
        <SitePicker chosen={sites.value} onChoose={(chosen) => (sites.value = chosen)} />
        <Select
          label="Expires after"
          options={EXPIRIES}
          value={days.value}
          onChange={(chosen) => (days.value = chosen)}
        />
        {error && <ErrorNotice error={error} />}
        <div class="dialog-foot">
          <Button label="Cancel" onClick={onClose} />
          <button type="submit" class="primary" disabled={isRunning}>
            Issue
          </button>
        </div>
      </form>
    </Dialog>
  )
}

const DAY_MS = 86_400_000

type SitePickerProps = {
  readonly chosen: readonly Site[]
  readonly onChoose: (sites: readonly Site[]) => void
}

/** Chooses sites by their titles. */
function SitePicker({ chosen, onChoose }: SitePickerProps) {
  const search = useSignal('')
  const found = useRead('listSites', { search: search.value, limit: 20 }).answer?.sites ?? []
  const isIn = (sites: readonly Site[], { site_id }: Site): boolean =>
    sites.some((site) => site.site_id === site_id)
  return (
    <div class="stack">
      <PausedField
        label="Sites"
        placeholder="Part of a title or an address"
        hint={
          chosen.length === 0
            ? 'None chosen: all sites of the user, also future ones.'
            : `Only ${chosen.map(({ title }) => title).join(', ')}.`
        }
        onSettled={(text) => (search.value = text)}
      />
      <Choices
        items={[...chosen.filter((site) => !isIn(found, site)), ...found]}
        keyOf={({ site_id }) => site_id}
        isChosen={(site) => isIn(chosen, site)}
        onPick={(site) =>
          onChoose(
            isIn(chosen, site)
              ? chosen.filter(({ site_id }) => site_id !== site.site_id)
              : [...chosen, site],
          )
        }
      >
        {({ title, address }) => (
          <>
            <bdi>{title}</bdi> <span class="none">{address}</span>
          </>
        )}
      </Choices>
    </div>
  )
}

type RevealProps = {
  readonly issued: Issued
  readonly onClose: () => void
}

function Reveal({ issued: { token, scope, sites, expires_at, warnings }, onClose }: RevealProps) {
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
            <Button label={isCopied.value ? 'Copied' : 'Copy'} onClick={copy} />
          )}
        </div>
      </div>
      <p class="hint">
        Scope {scope}, {sites === null ? 'all sites' : count(sites.length, 'site')},{' '}
        {expires_at === null ? 'without an expiry' : `until ${time(expires_at)}`}.
      </p>
      <div class="dialog-foot">
        <Button label="Done" class="primary" onClick={onClose} />
      </div>
    </div>
  )
}
