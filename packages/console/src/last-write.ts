import { signal } from '@preact/signals'
import type { Output } from '../../client/src/index.ts'
import { token } from './session.ts'
import type { Written } from './writes.ts'

/** A write that is stored: what a view says about it, and how it is undone. */
export type LastWrite = {
  readonly site: number
  /** What was done, as a sentence. */
  readonly done: string
  /** What was not done, or not completely. */
  readonly notDone?: readonly string[]
  /** The answers, in their order. */
  readonly answers: readonly (Written | Output<'restoreSite'>)[]
  /** The path to go to when it is undone [the view stays]. */
  readonly backTo?: string | undefined
}

/** The last write, with the view that shows it and the token that made it. */
export const lastWrite = signal<
  (LastWrite & { readonly at: string; readonly by: string | undefined }) | undefined
>(undefined)

/** Shows a write in the view of the address. Call it after `goTo`. */
export function wrote(write: LastWrite): void {
  const [at = ''] = location.hash.slice(1).split('?')
  lastWrite.value = { ...write, at, by: token.value }
}
