import { useRef } from 'preact/hooks'
import type { Output } from '../../../../client/src/index.ts'
import type { Read } from '../../calls.ts'
import { authorOf, type HistoryEntry, KINDS, type Names, pageOf, thingOf } from '../../entries.ts'
import {
  type Columns,
  More,
  Pager,
  QuerySelect,
  Table,
  TextFilter,
  Time,
} from '../../parts/list.tsx'
import { Loaded } from '../../parts/notice.tsx'
import { linkTo, numberParameter, parameter } from '../../router.ts'
import { count } from '../../text.ts'

/** An entry of the list, with the title of its run. */
export type ListedEntry = HistoryEntry & { readonly run: string | null }

/** What one request has written, or what was noticed together of another program: the newest entry first. */
type HistoryRequest = readonly [ListedEntry, ...ListedEntry[]]

type Kind = ListedEntry['kind']

/** Entries of one reading: a request that writes many things is one row. */
const ENTRIES_PER_PAGE = 200
/** Names in a line, and lines in a row. */
const SHOWN = 4

/** From when on entries are shown, in hours. */
const PERIODS: Readonly<Record<string, number>> = {
  'Last hour': 1,
  'Last 24 hours': 24,
  'Last 7 days': 7 * 24,
  'Last 30 days': 30 * 24,
}

/** The filters in the address of a view, as the API takes them. */
export function filtersIn() {
  const hours = PERIODS[parameter('period')]
  return {
    kind: (parameter('kind') || undefined) as Kind | undefined,
    ref: parameter('ref'),
    request: parameter('request'),
    user: numberParameter('user'),
    // By the minute: the same view asks the same.
    since:
      hours === undefined
        ? undefined
        : new Date(Math.floor(Date.now() / 60_000 - hours * 60) * 60_000).toISOString(),
    cursor: numberParameter('after'),
    limit: ENTRIES_PER_PAGE,
  }
}

type Page = Pick<Output<'listHistory'>, 'next_cursor'> & {
  readonly entries: readonly ListedEntry[]
}

/** A history: one row for each request; of one request, one row for each thing. */
export function HistoryList<Answer extends Page>({
  kinds,
  history: { reading, answer, reload },
  namesOf,
  pathOf,
  others = () => ({}),
}: {
  readonly kinds: readonly Kind[]
  readonly history: Read<Answer>
  readonly namesOf: (answer: Answer, site: number) => Names
  /** The address of the view, with a filter by a request. */
  readonly pathOf: (request?: string) => string
  /** Further columns. */
  readonly others?: (answer: Answer) => Columns<HistoryRequest>
}) {
  const request = parameter('request')
  // An answer names only those whose entries it has.
  const users = useRef<Record<string, string>>({})
  Object.assign(users.current, answer && namesOf(answer, 0).users)
  const user = parameter('user')
  if (user !== '') users.current[user] ??= `User ${user}`
  return (
    <>
      {request === '' ? (
        <div class="toolbar">
          <QuerySelect name="kind" label="Kind" options={[ALL, ...kinds.map(withName)]} />
          <QuerySelect name="user" label="By" options={[ALL, ...Object.entries(users.current)]} />
          <QuerySelect
            name="period"
            label="Time"
            options={[ALL, ...Object.keys(PERIODS).map((name) => [name, name] as const)]}
          />
          <TextFilter name="ref" label="Name" placeholder="site-header" />
        </div>
      ) : (
        <p class="toolbar">
          All that one request wrote. <a href={pathOf()}>Show the whole history</a>
        </p>
      )}
      <Loaded reading={reading} retry={reload}>
        {(page) => {
          const { entries, next_cursor } = page as Page
          const rows: readonly HistoryRequest[] =
            request === '' ? requestsOf(entries) : entries.map((entry) => [entry])
          return (
            <>
              <Table
                rows={rows}
                keyOf={([{ id }]) => id}
                empty="Nothing fits, or nothing was written yet."
                columns={{
                  What: (row) => (
                    <What row={row} names={(site) => namesOf(page, site)} pathOf={pathOf} />
                  ),
                  ...others(page),
                  By: ([entry]) => <bdi>{authorOf(entry, namesOf(page, entry.site_id))}</bdi>,
                  When: ([{ at }]) => <Time at={at} />,
                }}
              />
              <Pager
                total={undefined}
                next={next_cursor}
                one="row"
                shown={rows.length}
                isUpdate={reading.state === 'ready' && reading.isUpdate === true}
              />
            </>
          )
        }}
      </Loaded>
    </>
  )
}

const ALL = ['', 'All'] as const

const withName = (kind: Kind) => [kind, KINDS[kind]] as const

type WhatProps = {
  readonly row: HistoryRequest
  readonly names: (site: number) => Names
  readonly pathOf: (request: string) => string
}

/** What was done: a link to the entry, or to the entries of the request. */
function What({ row, names, pathOf }: WhatProps) {
  const [first] = row
  const { run, request_id: request, site_id: site, id } = first
  const deeds = deedsOf(row)
  const text = (
    <>
      {run !== null && <strong>{run}</strong>}
      {deeds.slice(0, SHOWN).map((deed) => (
        <DeedLine key={deed[0].id} {...{ deed, names }} />
      ))}
      <More left={deeds.length - SHOWN} as="span" />
    </>
  )
  const isOne = row.length === 1
  // Entries of tokens and of the history itself have no site, and no view.
  if (isOne ? site === 0 : request === null) return <span class="deeds">{text}</span>
  return (
    <a class="deeds" href={isOne ? linkTo(`/sites/${site}/history/${id}`) : pathOf(request ?? '')}>
      {text}
    </a>
  )
}

const kindOf = (kind: Kind): string => KINDS[kind].toLowerCase()

type DeedLineProps = {
  readonly deed: HistoryRequest
  readonly names: (site: number) => Names
}

/** `assigned page to 9 pages`, `replaced frames header, footer`. */
function DeedLine({ deed: [first, ...rest], names }: DeedLineProps) {
  const { kind, action, name } = first
  const all = [first, ...rest]
  const things = [...new Set(all.map((entry) => thingOf(entry, names(entry.site_id))))]
  return (
    <span>
      <span class={`badge ${action === 'deleted' ? 'bad' : ''}`}>{action}</span>{' '}
      {kind === 'assignment' ? (
        <>
          <bdi>{name || 'no frame'}</bdi> {action === 'cleared' ? 'from' : 'to'}{' '}
          {rest.length > 0 ? (
            count(all.length, 'page')
          ) : (
            <bdi>{pageOf(first, names(first.site_id))}</bdi>
          )}
        </>
      ) : (
        <>
          {things.length > 1 ? `${count(things.length, kindOf(kind))}: ` : `${kindOf(kind)} `}
          {things.slice(0, SHOWN).map((thing, at) => (
            <span key={thing}>
              {at > 0 && ', '}
              <bdi>{thing}</bdi>
            </span>
          ))}
          {things.length > SHOWN && ', ...'}
        </>
      )}
    </span>
  )
}

/** Entries that belong together follow one another. What has no request is grouped by site, action and minute. */
function requestsOf(entries: readonly ListedEntry[]): readonly HistoryRequest[] {
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

/** What a request has done, one line for each: the same to things of one kind, or one frame assigned to pages. */
function deedsOf(request: HistoryRequest): readonly HistoryRequest[] {
  const deeds = Map.groupBy(request, ({ kind, action, name }) =>
    [kind, action, kind === 'assignment' ? name : ''].join('\n'),
  )
  return [...deeds.values()] as unknown as HistoryRequest[]
}
