import { signal } from '@preact/signals'

const KEY = 'wp-frames token'

/** The token of this tab; undefined before the sign-in. It is in session storage, so closing the tab forgets it. */
export const token = signal<string | undefined>(sessionStorage.getItem(KEY) ?? undefined)

/** Why the sign-in is shown again. */
export const endedBecause = signal<string | undefined>(undefined)

/** @param accepted a token that the API has accepted */
export function signIn(accepted: string): void {
  sessionStorage.setItem(KEY, accepted)
  endedBecause.value = undefined
  token.value = accepted
}

/** Forgets the token. */
export function signOut(because?: string): void {
  sessionStorage.removeItem(KEY)
  endedBecause.value = because
  token.value = undefined
}
