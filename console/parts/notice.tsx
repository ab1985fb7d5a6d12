import { signal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { isServiceError, type ServiceError } from '../../packages/client/src/index.ts'

type Tone = 'info' | 'good' | 'warn' | 'bad'

/** A message in the page. */
export function Notice({
  tone = 'info',
  title,
  children,
}: {
  readonly tone?: Tone
  readonly title?: string
  readonly children?: ComponentChildren
}) {
  return (
    <div class={`notice ${tone}`} role={tone === 'bad' ? 'alert' : undefined}>
      {title !== undefined && <p class="notice-title">{title}</p>}
      {children}
    </div>
  )
}

/** An error of the API, with a way to try again. */
export function ErrorNotice({
  error,
  retry,
}: {
  readonly error: ServiceError
  readonly retry?: (() => void) | undefined
}) {
  return (
    <Notice tone="bad" title={titleOf(error)}>
      <p dir="auto">{error.message}</p>
      <Parameters error={error} />
      <p class="notice-foot">
        <code>{error.code}</code>
        {retry && (
          <button type="button" onClick={retry}>
            Try again
          </button>
        )}
      </p>
    </Notice>
  )
}

/** What is wrong with each parameter, if the error says that. */
function Parameters({ error }: { readonly error: ServiceError }) {
  if (!isServiceError(error, 'rest_invalid_param')) return null
  return (
    <ul>
      {Object.entries(error.fields.params).map(([name, problem]) => (
        <li key={name} dir="auto">
          <code>{name}</code> {String(problem)}
        </li>
      ))}
    </ul>
  )
}

function titleOf({ code, status }: ServiceError): string {
  if (code === 'insufficient_scope') return 'This token may not do this'
  if (code === 'unfiltered_html_required') return 'You may not write markup'
  if (code === 'insufficient_role') return 'You may not do this'
  if (code === 'site_not_found') return 'There is no such site for this token'
  if (status === 429) return 'Too many requests'
  return status === 404 ? 'Not found' : 'This did not work'
}

const announced = signal('')

/** Says something to users of screen readers, such as the number of results. */
export function announce(text: string): void {
  announced.value = text
}

/** The live region of `announce`. */
export function Announcer() {
  return (
    <p class="visually-hidden" role="status">
      {announced.value}
    </p>
  )
}
