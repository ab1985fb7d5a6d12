import type { Output } from '../../../../client/src/index.ts'
import { useRead } from '../../calls.ts'
import { api } from '../../client.ts'
import { maySend, me } from '../../current.ts'
import { AskDialog, DialogButton, type DialogEnd } from '../../parts/dialog.tsx'
import { Check } from '../../parts/fields.tsx'
import { type Columns, Table, Time } from '../../parts/list.tsx'
import { Loaded, Notice } from '../../parts/notice.tsx'
import { parameter, replaceQuery } from '../../router.ts'
import { count, dateOf } from '../../text.ts'
import { IssueDialog } from './issue-dialog.tsx'

type Token = Output<'listTokens'>['tokens'][number]

/** The tokens of all users: who has one, what it may do, and when it was used. */
export function TokensView() {
  const { reading, reload } = useRead('listTokens', {})
  const isAll = parameter('ended') === '1'
  const revoking: Columns<Token> = {
    Action: (token) =>
      endOf(token) === undefined && (
        <DialogButton label="Revoke" aria-label={`Revoke token ${token.id}`}>
          {(onClose) => <RevokeDialog {...{ token, onClose }} onDone={reload} />}
        </DialogButton>
      ),
  }
  return (
    <>
      <div class="toolbar">
        {maySend('all') && (
          <DialogButton label="Issue a token" class="primary">
            {(onClose) => <IssueDialog onClose={onClose} onIssued={reload} />}
          </DialogButton>
        )}
        <Check
          label="Show revoked and expired tokens"
          checked={isAll}
          onChange={(isOn) => replaceQuery({ ended: isOn ? '1' : undefined })}
        />
      </div>
      <Loaded reading={reading} retry={reload}>
        {({ tokens }) => (
          <Table
            rows={isAll ? tokens : tokens.filter((token) => endOf(token) === undefined)}
            keyOf={({ id }) => id}
            empty="No token is valid. Issue one for each program and each person."
            numbers={['Refused']}
            columns={{
              Token: (token) => (
                <>
                  {token.id} <bdi>{token.label}</bdi>{' '}
                  {token.id === me.value?.token.id && <span class="badge good">this one</span>}
                  {endOf(token) && <span class="badge">{endOf(token)}</span>}
                </>
              ),
              User: ({ login, user_id }) => <bdi>{login ?? `user ${user_id}, deleted`}</bdi>,
              May: ({ scope }) => <span class="badge">{scope}</span>,
              Sites: ({ sites }) =>
                sites === null
                  ? 'all'
                  : sites.length > 5
                    ? count(sites.length, 'site')
                    : sites.join(', '),
              Issued: ({ created_at }) => <Time at={created_at} />,
              'Last used': ({ last_used_at }) =>
                last_used_at ? <Time at={last_used_at} /> : never,
              Expires: ({ expires_at }) => (expires_at ? <Time at={expires_at} /> : never),
              Refused: ({ refused, failed }) => (
                <span title={`${failed} failed otherwise`}>{refused}</span>
              ),
              ...(maySend('all') ? revoking : {}),
            }}
          />
        )}
      </Loaded>
    </>
  )
}

/** Why a token is not accepted any more; undefined for one that is. */
function endOf({ revoked_at, expires_at }: Token): 'revoked' | 'expired' | undefined {
  if (revoked_at !== null) return 'revoked'
  const expiry = expires_at === null ? undefined : dateOf(expires_at)
  return expiry && expiry.getTime() < Date.now() ? 'expired' : undefined
}

const never = <span class="none">never</span>

/** Revokes a token, after it has shown whose it is and when it was used. */
function RevokeDialog({
  token: { id, login, label, last_used_at },
  ...dialog
}: DialogEnd & { readonly token: Token }) {
  return (
    <AskDialog
      {...dialog}
      title={`Revoke token ${id}`}
      label="Revoke"
      isDangerous
      act={() => api().revokeToken({ id: String(id) })}
      said={`Token ${id} is revoked.`}
    >
      <p>
        The token <bdi>{label}</bdi> of <bdi>{login ?? 'a deleted user'}</bdi> is rejected from now
        on. This cannot be undone: its users need another one.{' '}
        {last_used_at === null ? (
          'It was never used.'
        ) : (
          <>
            It was last used <Time at={last_used_at} />.
          </>
        )}
      </p>
      {id === me.value?.token.id && (
        <Notice tone="warn" title="It is the token that you signed in with">
          <p>You will be signed out.</p>
        </Notice>
      )}
    </AskDialog>
  )
}
