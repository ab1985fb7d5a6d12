import type { Output } from '../../../../client/src/index.ts'
import { maySend, me } from '../../current.ts'
import { DialogButton } from '../../parts/dialog.tsx'
import { Check } from '../../parts/fields.tsx'
import { Empty } from '../../parts/list.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Table } from '../../parts/table.tsx'
import { Time } from '../../parts/time.tsx'
import { useRead } from '../../reading.ts'
import { parameter, replaceQuery } from '../../router.ts'
import { count, dateOf } from '../../text.ts'
import { IssueDialog } from './issue-dialog.tsx'
import { RevokeDialog } from './revoke-dialog.tsx'

export type Token = Output<'listTokens'>['tokens'][number]

/** The tokens of all users: who has one, what it may do, and when it was used. */
export function TokensView() {
  const { reading, reload } = useRead('listTokens', {})
  const isAll = parameter('ended') === '1'
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
          <Tokens
            tokens={isAll ? tokens : tokens.filter((token) => endOf(token) === undefined)}
            onRevoked={maySend('all') ? reload : undefined}
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

function Tokens({
  tokens,
  onRevoked,
}: {
  readonly tokens: readonly Token[]
  /** Undefined if the token of the session may not revoke others. */
  readonly onRevoked: (() => void) | undefined
}) {
  if (tokens.length === 0)
    return <Empty>No token is valid. Issue one for each program and each person.</Empty>
  return (
    <Table
      rows={tokens}
      keyOf={({ id }) => id}
      columns={[
        { title: 'Token', cell: (token) => <TokenName token={token} /> },
        {
          title: 'User',
          cell: ({ login, user_id }) => <bdi>{login ?? `user ${user_id}, deleted`}</bdi>,
        },
        { title: 'May', cell: ({ scope }) => <span class="badge">{scope}</span> },
        {
          title: 'Sites',
          cell: ({ sites }) =>
            sites === null
              ? 'all'
              : sites.length > 5
                ? count(sites.length, 'site')
                : sites.join(', '),
        },
        { title: 'Issued', cell: ({ created_at }) => <Time at={created_at} /> },
        {
          title: 'Last used',
          cell: ({ last_used_at }) => (last_used_at ? <Time at={last_used_at} /> : never),
        },
        {
          title: 'Expires',
          cell: ({ expires_at }) => (expires_at ? <Time at={expires_at} /> : never),
        },
        {
          title: 'Refused',
          isNumber: true,
          cell: ({ refused, failed }) => (
            <span title={`${failed} failed otherwise`}>{refused}</span>
          ),
        },
        ...(onRevoked
          ? [
              {
                title: 'Action',
                cell: (token: Token) =>
                  endOf(token) === undefined && (
                    <DialogButton label="Revoke" aria-label={`Revoke token ${token.id}`}>
                      {(onClose) => <RevokeDialog {...{ token, onClose }} onDone={onRevoked} />}
                    </DialogButton>
                  ),
              },
            ]
          : []),
      ]}
    />
  )
}

function TokenName({ token }: { readonly token: Token }) {
  const end = endOf(token)
  return (
    <>
      {token.id} <bdi>{token.label}</bdi>{' '}
      {token.id === me.value?.token.id && <span class="badge good">this one</span>}
      {end !== undefined && <span class="badge">{end}</span>}
    </>
  )
}
