import { signal } from '@preact/signals'

/**
 * The token of this document; undefined before the sign-in. It is in no storage: the pages of all sites on the same host could read that, with the scripts
 * of other administrators. So a reload asks for it again.
 */
export const token = signal<string | undefined>(undefined)

/** The token of a link such as `/console/#token=op_...`, or ''. It does not stay in the address, nor in the browser's history. */
export function takeLinkedToken(): string {
  const [, found = ''] = /^#token=(op_\w+)$/.exec(location.hash) ?? []
  if (found !== '') history.replaceState(null, '', location.pathname)
  return found
}

// Such a link in a tab where the console is open: it begins with its token.
addEventListener('hashchange', () => location.hash.startsWith('#token=') && location.reload())

/** Why the sign-in is shown again. */
export const endedBecause = signal<string | undefined>(undefined)

/** @param accepted a token that the API has accepted */
export function signIn(accepted: string): void {
  endedBecause.value = undefined
  token.value = accepted
}

/** Forgets the token. */
export function signOut(because?: string): void {
  endedBecause.value = because
  token.value = undefined
}
