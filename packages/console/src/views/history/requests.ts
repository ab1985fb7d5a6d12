import type { HistoryEntry } from './describe-entry.ts'

/** An entry of the list, with the title of its run. */
export type ListedEntry = HistoryEntry & { readonly run: string | null }

/** What one request has written, or what was noticed together of another program: the newest entry first. */
export type HistoryRequest = readonly [ListedEntry, ...ListedEntry[]]

/** Entries that belong together follow one another. What has no request is grouped by site, action and minute. */
export function requestsOf(entries: readonly ListedEntry[]): readonly HistoryRequest[] {
  const requests: [ListedEntry, ...ListedEntry[]][] = []
  for (const entry of entries) {
    const last = requests.at(-1)
    if (last && keyOf(last[0]) === keyOf(entry)) last.push(entry)
    else requests.push([entry])
  }
  return requests
}

const keyOf = ({ request_id, site_id, action, at }: ListedEntry): string =>
  request_id ?? `${site_id} ${action} ${at.slice(0, 16)}`

/** The same done to things of one kind, or one frame assigned to pages. */
export type Deed = readonly [ListedEntry, ...ListedEntry[]]

/** What a request has done, one line for each. */
export function deedsOf(request: HistoryRequest): readonly Deed[] {
  const deeds = Map.groupBy(request, ({ kind, action, name }) =>
    [kind, action, kind === 'assignment' ? name : ''].join('\n'),
  )
  return [...deeds.values()] as unknown as Deed[]
}
