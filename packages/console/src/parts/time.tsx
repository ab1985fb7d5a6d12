import { dateOf, timeAgo, time as timeText } from '../text.ts'

/** A time of the API: how long ago it is, and exactly as a tooltip. */
export function Time({ at }: { readonly at: string }) {
  return (
    <time dateTime={dateOf(at)?.toISOString()} title={timeText(at)}>
      {timeAgo(at)}
    </time>
  )
}
