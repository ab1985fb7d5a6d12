import { pluralize } from '#wp-frames/cli/terminal'
import { MAX_SITE_REQUESTS } from '../../compare/compare-site.ts'

/** Requests a minute that an endpoint of the contract allows. */
const REQUESTS_PER_MINUTE = 120
/** Requests to each side for a site without differences: from 7 without menus to 13 with menus in two languages. */
const USUAL_SITE_REQUESTS = 10

/** How long a comparison takes, for people. */
export function describeEstimate(sites: number, deep: boolean): string {
  const minutes = (requests: number): string =>
    describeDuration((sites * requests * 60) / REQUESTS_PER_MINUTE)
  const heading = `${pluralize(sites, 'site')} at ${REQUESTS_PER_MINUTE} requests a minute to each side`
  return deep
    ? `${heading}: every resource is compared, so the time depends on the number of frames, 6 requests for each.`
    : `${heading}: about ${minutes(USUAL_SITE_REQUESTS)}, and at most ${minutes(MAX_SITE_REQUESTS)}.`
}

/** `40 s`, `12 min`, `2 h 5 min`. */
export function describeDuration(seconds: number): string {
  if (seconds < 90) return `${Math.ceil(seconds)} s`
  const minutes = Math.round(seconds / 60)
  if (minutes < 90) return `${minutes} min`
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}
