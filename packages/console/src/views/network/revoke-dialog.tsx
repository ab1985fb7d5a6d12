import { api } from '../../client.ts'
import { me } from '../../current.ts'
import { Confirm, Dialog } from '../../parts/dialog.tsx'
import { announce, Notice } from '../../parts/notice.tsx'
import { Time } from '../../parts/time.tsx'
import type { Token } from './tokens-view.tsx'

/** Revokes a token, after it has shown whose it is and when it was used. */
export function RevokeDialog({
  token: { id, login, label, last_used_at },
  onClose,
  onDone,
}: {
  readonly token: Token
  readonly onClose: () => void
  readonly onDone: () => void
}) {
  const revoke = async () => {
    await api().revokeToken({ id: String(id) })
    onClose()
    announce(`Token ${id} is revoked.`)
    onDone()
  }
  return (
    <Dialog title={`Revoke token ${id}`} onClose={onClose}>
      <p>
        The token <bdi>{label}</bdi> of <bdi>{login ?? 'a deleted user'}</bdi> is rejected from now
        on. This cannot be taken back: whoever uses it needs another one.{' '}
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
      <Confirm label="Revoke" isDangerous onConfirm={revoke} onClose={onClose} />
    </Dialog>
  )
}
