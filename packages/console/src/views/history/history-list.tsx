import { useRef } from 'preact/hooks'
import type { Output } from '../../../../client/src/index.ts'
import { TextField } from '../../parts/fields.tsx'
import { Empty, Pager, QuerySelect } from '../../parts/list.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { type Column, Table } from '../../parts/table.tsx'
import { Time } from '../../parts/time.tsx'
import { isUpdate, type Reading } from '../../reading.ts'
import { filterBy, linkTo, numberParameter, parameter } from '../../router.ts'
import { count } from '../../text.ts'
import { authorOf, KINDS, type Names, pageOf, thingOf } from './describe-entry.ts'
import {
  type Deed,
  deedsOf,
  type HistoryRequest,
  type ListedEntry,
  requestsOf,
} from './requests.ts'

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
  reading,
  reload,
  namesOf,
  pathOf,
  others = () => [],
}: {
  readonly kinds: readonly Kind[]
  readonly reading: Reading<Answer>
  readonly reload: () => void
  readonly namesOf: (answer: Answer, site: number) => Names
  /** The address of the view, with a filter by a request. */
  readonly pathOf: (request?: string) => string
  /** Further columns. */
  readonly others?: (answer: Answer) => readonly Column<HistoryRequest>[]
}) {
  const request = parameter('request')
  return (
    <>
      {request === '' ? (
        <Filters
          {...{ kinds }}
          users={reading.state === 'ready' ? namesOf(reading.answer, 0).users : {}}
        />
      ) : (
        <p class="toolbar">
          All that one request wrote. <a href={pathOf()}>Show the whole history</a>
        </p>
      )}
      <Loaded reading={reading} retry={reload}>
        {(answer) => {
          const { entries, next_cursor } = answer as Page
          const rows: readonly HistoryRequest[] =
            request === '' ? requestsOf(entries) : entries.map((entry) => [entry])
          return (
            <>
              {rows.length === 0 ? (
                <Empty>Nothing fits, or nothing was written yet.</Empty>
              ) : (
                <Table
                  rows={rows}
                  keyOf={([{ id }]) => id}
                  columns={[
                    {
                      title: 'What',
                      cell: (row) => (
                        <What row={row} names={(site) => namesOf(answer, site)} pathOf={pathOf} />
                      ),
                    },
                    ...others(answer),
                    {
                      title: 'By',
                      cell: ([entry]) => (
                        <bdi>{authorOf(entry, namesOf(answer, entry.site_id))}</bdi>
                      ),
                    },
                    { title: 'When', cell: ([{ at }]) => <Time at={at} /> },
                  ]}
                />
              )}
              <Pager
                {...{ total: undefined, next: next_cursor }}
                one="row"
                shown={rows.length}
                isUpdate={isUpdate(reading)}
              />
            </>
          )
        }}
      </Loaded>
    </>
  )
}

function Filters({
  kinds,
  users,
}: {
  readonly kinds: readonly Kind[]
  readonly users: Names['users']
}) {
  // An answer names only those whose entries it has.
  const known = useRef<Record<string, string>>({})
  Object.assign(known.current, users)
  const user = parameter('user')
  if (user !== '') known.current[user] ??= `User ${user}`
  return (
    <form
      class="toolbar"
      onSubmit={(event) => {
        event.preventDefault()
        filterBy({ ref: String(new FormData(event.currentTarget).get('ref')).trim() })
      }}
    >
      <QuerySelect name="kind" label="Kind" options={[ALL, ...kinds.map(withName)]} />
      <QuerySelect name="user" label="By" options={[ALL, ...Object.entries(known.current)]} />
      <QuerySelect
        name="period"
        label="Time"
        options={[ALL, ...Object.keys(PERIODS).map((name) => [name, name] as const)]}
      />
      <TextField
        key={parameter('ref')}
        label="Name"
        name="ref"
        type="search"
        placeholder="site-header"
        defaultValue={parameter('ref')}
        onSearch={({ currentTarget }) => filterBy({ ref: currentTarget.value.trim() })}
      />
    </form>
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
      {deeds.length > SHOWN && (
        <span class="none">and {count(deeds.length - SHOWN, 'more', 'more')}</span>
      )}
    </>
  )
  if (row.length > 1 && request !== null)
    return (
      <a class="deeds" href={pathOf(request)}>
        {text}
      </a>
    )
  // Entries of tokens and of the history itself have no site, and no view.
  if (row.length > 1 || site === 0) return <span class="deeds">{text}</span>
  return (
    <a class="deeds" href={linkTo(`/sites/${site}/history/${id}`)}>
      {text}
    </a>
  )
}

const kindOf = (kind: Kind): string => KINDS[kind].toLowerCase()

/** `assigned page to 9 pages`, `replaced frames header, footer`. */
function DeedLine({
  deed: [first, ...rest],
  names,
}: {
  readonly deed: Deed
  readonly names: (site: number) => Names
}) {
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
