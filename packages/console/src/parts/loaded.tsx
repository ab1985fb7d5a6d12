import type { ComponentChildren } from 'preact'
import type { Reading } from '../reading.ts'
import { ErrorNotice } from './notice.tsx'

/** Shows an answer of the API, or that it is loading, or why it failed. */
export function Loaded<Answer>({
  reading,
  retry,
  children,
}: {
  readonly reading: Reading<Answer>
  readonly retry?: () => void
  readonly children: (answer: Answer) => ComponentChildren
}) {
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
