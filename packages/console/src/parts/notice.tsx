import { signal, useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useLayoutEffect } from 'preact/hooks'
import { isServiceError, type ServiceError } from '../../../client/src/index.ts'
import type { Reading } from '../calls.ts'
import { Button } from './fields.tsx'

type Tone = 'info' | 'good' | 'warn' | 'bad'

type NoticeProps = {
  readonly tone?: Tone
  readonly title?: string
  /** The code of an error, for those who ask for help. */
  readonly code?: string
  readonly children?: ComponentChildren
}

/** A message in the page. */
export function Notice({ tone = 'info', title, code, children }: NoticeProps) {
  return (
    <div class={`notice ${tone}`} role={tone === 'bad' ? 'alert' : undefined}>
      {title !== undefined && (
        <p class="notice-title" title={code}>
          {title}
        </p>
      )}
      {children}
    </div>
  )
}

type MessagesProps = {
  readonly texts: readonly string[]
  readonly className?: string
  /** More lines. */
  readonly children?: ComponentChildren
}

/** Messages, one below the other. */
export function Messages({ texts, className, children }: MessagesProps) {
  return (
    <ul class={className}>
      {texts.map((text, at) => (
        <li key={at} dir="auto">
          {text}
        </li>
      ))}
      {children}
    </ul>
  )
}

type ErrorNoticeProps = {
  readonly error: ServiceError
  readonly retry?: (() => void) | undefined
}

/** An error of the API, with a way to try again. */
export function ErrorNotice({ error, retry }: ErrorNoticeProps) {
  return (
    <Notice tone="bad" title={titleOf(error)} code={error.code}>
      <p dir="auto">{forPeople(error.message)}</p>
      {/* What is wrong with each parameter, if the error says that. */}
      {isServiceError(error, 'rest_invalid_param') && (
        <ul>
          {Object.entries(error.fields.params).map(([name, problem]) => (
            <li key={name} dir="auto">
              <code>{name}</code> {String(problem)}
            </li>
          ))}
        </ul>
      )}
      {HINTS[error.code] && <p>{HINTS[error.code]}</p>}
      {retry && (
        <div class="row">
          <Button label="Try again" onClick={retry} />
        </div>
      )}
    </Notice>
  )
}

type LoadedProps<Answer> = {
  readonly reading: Reading<Answer>
  readonly retry?: () => void
  readonly children: (answer: Answer) => ComponentChildren
}

/** Shows an answer of the API, or that it is loading, or why it failed. */
export function Loaded<Answer>({ reading, retry, children }: LoadedProps<Answer>) {
  if (reading.state === 'ready') return <>{children(reading.answer)}</>
  if (reading.state === 'failed') return <ErrorNotice error={reading.error} retry={retry} />
  return <Loading />
}

/** Grey lines until something is there. */
export function Loading() {
  return (
    <div class="loading" role="status">
      <span class="visually-hidden">Loading...</span>
      <i />
      <i />
      <i />
    </div>
  )
}

/** A message without what only programs need: which request of which batch it is about. */
export const forPeople = (message: string): string =>
  message.replace(/ *This is the error of [^.]+\.( Nothing of the batch was written\.)?/, '')

/** What to do here. */
const HINTS: Readonly<Record<string, string>> = {
  precondition_failed: 'Close this, look at the change, and do it again if it is still right.',
  slug_taken: 'Choose another name.',
  insufficient_scope: 'Sign in with a token that may write, or ask an administrator for one.',
  unfiltered_html_required: 'Ask a super administrator to store the text.',
  preview_too_slow: 'Try again when fewer people write.',
}

function titleOf({ code, status }: ServiceError): string {
  if (code === 'insufficient_scope') return 'This token may not do this'
  if (code === 'unfiltered_html_required') return 'You may not write markup'
  if (code === 'insufficient_role') return 'You may not do this'
  if (code === 'site_not_found') return 'There is no such site for this token'
  if (status === 429) return 'Too many requests'
  return status === 404 ? 'Not found' : 'This did not work'
}

type Announcement = {
  readonly id: number
  readonly text: string
  /** When it was made, in milliseconds. */
  readonly at: number
  readonly region: number
}

/** The latest ones. Each is an element of its own, so that a reader also speaks a text that it has spoken before. */
const announced = signal<readonly Announcement[]>([])
/** How long an announcement stays beside the next ones, in milliseconds: one that is replaced at once is not spoken. */
const KEPT_MS = 1000
/** The live regions of the page: that of the console, and one in each open dialog. */
const regions = signal(0)

/** Says something to users of screen readers, such as the number of results. */
export function announce(text: string): void {
  // After the next rendering, because a dialog that closes takes its live region with it.
  setTimeout(() => {
    const at = performance.now()
    const former = announced.value
    announced.value = [
      ...former.filter((one) => at - one.at < KEPT_MS),
      { id: (former.at(-1)?.id ?? 0) + 1, text, at, region: regions.value },
    ]
  })
}

/** A live region of `announce`. A modal dialog needs its own, because everything outside of it is inert. */
export function Announcer() {
  const own = useSignal(0)
  useLayoutEffect(() => {
    regions.value += 1
    own.value = regions.value
    // What is said already would be spoken again when the dialog is closed.
    announced.value = []
    return () => {
      regions.value -= 1
      announced.value = announced.value.filter(({ region }) => region !== own.value)
    }
  }, [])
  return (
    <div class="visually-hidden" role="status" aria-atomic="false">
      {announced.value
        .filter(({ region }) => region === own.value)
        .map(({ id, text }) => (
          <p key={id}>{text}</p>
        ))}
    </div>
  )
}
