import { api } from '../../client.ts'
import { me } from '../../current.ts'
import { AskDialog, type DialogEnd } from '../../parts/dialog.tsx'
import { Notice } from '../../parts/notice.tsx'
import { Time } from '../../parts/time.tsx'
import type { Token } from './tokens-view.tsx'

/** Revokes a token, after it has shown whose it is and when it was used. */
export function RevokeDialog({
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
