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

export function Loading() {
  return (
    <p class="loading" role="status">
      Loading...
    </p>
  )
}
