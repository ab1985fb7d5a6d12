import { useSignal } from '@preact/signals'
import { useLayoutEffect, useRef } from 'preact/hooks'
import type { ServiceError } from '../../client/src/index.ts'
import { useTask } from './calls.ts'
import { clientWith } from './client.ts'
import { me } from './current.ts'
import { ErrorNotice, Notice } from './parts/notice.tsx'
import { endedBecause, signIn, takeLinkedToken } from './session.ts'

const TOKEN_LENGTH = 67

/** Asks for a token, and stores it when the API has accepted it. */
export function SignIn() {
  const input = useRef<HTMLInputElement>(null)
  const hint = useSignal<string | undefined>(undefined)
  const { error, isRunning, run } = useTask()
  // At once: a later effect would replace what somebody, or a password manager, has entered meanwhile.
  useLayoutEffect(() => {
    document.title = 'Sign in - wp-frames'
    if (input.current) input.current.value = takeLinkedToken()
    input.current?.focus()
  }, [])

  const submit = (event: Event) => {
    event.preventDefault()
    const given = input.current?.value.trim() ?? ''
    return run(async () => {
      hint.value = problemOf(given)
      if (hint.value !== undefined) return input.current?.focus()
      try {
        me.value = await clientWith(given).getMe()
      } catch (caught) {
        input.current?.focus()
        throw caught
      }
      signIn(given)
    })
  }

  return (
    <main class="sign-in">
      <form class="card" onSubmit={submit} noValidate>
        <p class="brand">
          <Mark /> wp-frames
        </p>
        <h1>Sign in to the console</h1>
        {endedBecause.value !== undefined && error === undefined && (
          <Notice tone="warn">
            <p role="status">{endedBecause.value}</p>
          </Notice>
        )}
        <label for="token">API token</label>
        <input
          id="token"
          ref={input}
          type="password"
          autocomplete="off"
          spellcheck={false}
          placeholder="op_..."
          aria-describedby="token-hint"
          aria-invalid={hint.value !== undefined || error?.status === 401}
        />
        <p id="token-hint" class={hint.value === undefined ? 'hint' : 'hint bad'} role="status">
          {hint.value ?? 'The token stays in this tab, and is forgotten when you close it.'}
        </p>
        {error && <ErrorNotice error={withAdvice(error)} />}
        <button type="submit" class="primary" disabled={isRunning}>
          {isRunning ? 'Signing in...' : 'Sign in'}
        </button>
        <p class="foot">
          No token? An administrator issues one with <code>wp-frames token issue</code>.
        </p>
      </form>
    </main>
  )
}

/** What is wrong with the form of a token; undefined if nothing is. */
function problemOf(given: string): string | undefined {
  if (given === '') return 'Enter a token: op_ and 64 characters.'
  if (!given.startsWith('op_')) return 'A token begins with op_.'
  if (given.length !== TOKEN_LENGTH)
    return `This token has ${given.length} characters instead of ${TOKEN_LENGTH}: a part of it is missing or was added.`
  return undefined
}

function withAdvice(error: ServiceError): ServiceError {
  if (error.code !== 'invalid_token') return error
  return Object.assign(error, {
    message: 'The service does not accept this token: it is unknown, has expired or was revoked.',
  })
}

/** The sign of the project. */
export function Mark() {
  return (
    <svg class="mark" viewBox="0 0 16 16" aria-hidden="true">
      <path fill="none" stroke="currentColor" stroke-width="2" d="M2 2h12v12H2zM5 5h6v6H5z" />
    </svg>
  )
}
