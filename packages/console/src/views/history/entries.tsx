import { type Column, Table } from '../../parts/table.tsx'
import { Time } from '../../parts/time.tsx'
import { linkTo } from '../../router.ts'
import { authorOf, type HistoryEntry, KINDS, type Names, thingOf } from './describe-entry.ts'

/** Entries of a history, newest first. */
export function Entries({
  entries,
  names,
  others = [],
}: {
  readonly entries: readonly HistoryEntry[]
  readonly names: Names | ((entry: HistoryEntry) => Names)
  /** Further columns. */
  readonly others?: readonly Column<HistoryEntry>[]
}) {
  const namesOf = typeof names === 'function' ? names : () => names
  return (
    <Table
      rows={entries}
      keyOf={({ id }) => id}
      columns={[
        { title: 'What', cell: (entry) => <What entry={entry} names={namesOf(entry)} /> },
        ...others,
        { title: 'Kind', cell: ({ kind }) => KINDS[kind] },
        {
          title: 'Action',
          cell: ({ action }) => (
            <span class={`badge ${action === 'deleted' ? 'bad' : ''}`}>{action}</span>
          ),
        },
        { title: 'When', cell: ({ at }) => <Time at={at} /> },
        {
          title: 'By',
          cell: (entry) => (
            <bdi>{[authorOf(entry, namesOf(entry)), entry.run ?? []].flat().join(': ')}</bdi>
          ),
        },
      ]}
    />
  )
}

/** Entries of tokens and of the history itself have no site, and no view. */
function What({ entry, names }: { readonly entry: HistoryEntry; readonly names: Names }) {
  const thing = thingOf(entry, names)
  if (entry.site_id === 0) return <bdi>{thing}</bdi>
  return (
    <a href={linkTo(`/sites/${entry.site_id}/history/${entry.id}`)} dir="auto">
      {thing}
    </a>
  )
}
