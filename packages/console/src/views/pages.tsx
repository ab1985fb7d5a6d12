import { useSignal } from '@preact/signals'
import type { Output } from '../../../client/src/index.ts'
import { api } from '../client.ts'
import { maySend, useSite } from '../current.ts'
import { Check, TextField } from '../parts/fields.tsx'
import { Empty, Pager, QuerySelect, SearchField } from '../parts/list.tsx'
import { Loaded } from '../parts/loaded.tsx'
import { ErrorNotice } from '../parts/notice.tsx'
import { Page } from '../parts/page.tsx'
import { Table } from '../parts/table.tsx'
import { PageLink } from '../parts/things.tsx'
import { Time } from '../parts/time.tsx'
import { useSiteRead } from '../reading.ts'
import { filterBy, numberParameter, parameter } from '../router.ts'
import { useTask } from '../task.ts'
import { count, textOf } from '../text.ts'
import { userName } from './history/describe-entry.ts'
import { AssignButtons } from './pages/assign-dialog.tsx'
import { ForVisitors, FrameOfPage, PathOfPage, StaticCopy } from './pages/page-parts.tsx'
import type { ListedPage } from './pages/visitors.ts'

/** Pages that are selected together. More would take minutes to assign. */
const MAX_SELECTED = 1000

type Selected = ReadonlyMap<number, ListedPage>

/** The pages of a site: found by filters, and assigned together. */
export function View() {
  const selected = useSignal<Selected>(new Map())
  const filter = filterOf()
  const { reading, reload } = useSiteRead('listPages', {
    ...filter,
    limit: 50,
    after: numberParameter('after'),
  })
  const mayAssign = maySend('frames')
  return (
    <Page title="Pages">
      <Filters />
      <Loaded reading={reading} retry={reload}>
        {({ total, pages, next, names }) => (
          <>
            {mayAssign && (
              <Selection
                {...{ total, filter, selected }}
                onDone={() => {
                  selected.value = new Map()
                  reload()
                }}
              />
            )}
            {pages.length === 0 ? (
              <Empty>
                {Object.values(filter).some(Boolean)
                  ? 'No page fits the filters.'
                  : 'There is no page.'}
              </Empty>
            ) : (
              <PageTable {...{ pages, names }} selected={mayAssign ? selected : undefined} />
            )}
            <Pager {...{ total, next }} one="page" shown={pages.length} />
          </>
        )}
      </Loaded>
    </Page>
  )
}

type Filter = {
  readonly search: string
  readonly lang: string
  readonly frame: string
  readonly below: string
  readonly without_frame: true | undefined
}

const filterOf = (): Filter => ({
  search: parameter('q'),
  lang: parameter('lang'),
  frame: parameter('frame'),
  below: parameter('below'),
  without_frame: (parameter('frame') === '' && parameter('without') === 'frame') || undefined,
})

function Filters() {
  const { languages } = useSite()
  return (
    <div class="toolbar">
      <SearchField label="Search pages" placeholder="Title, slug or id" />
      {languages.length > 1 && (
        <QuerySelect
          name="lang"
          label="Language"
          options={[['', 'All'], ...languages.map(({ code, name }) => [code, name] as const)]}
        />
      )}
      <TextFilter name="frame" label="Frame" placeholder="slug" />
      <TextFilter name="below" label="Below" placeholder="path" />
      <Check
        label="Without a frame"
        checked={filterOf().without_frame === true}
        onChange={(isWanted) => filterBy({ without: isWanted ? 'frame' : '', frame: '' })}
      />
    </div>
  )
}

/** A filter that is applied when its field is left, or with Enter. */
function TextFilter(field: {
  readonly name: string
  readonly label: string
  readonly placeholder: string
}) {
  return (
    <TextField
      {...field}
      key={parameter(field.name)}
      class="short"
      defaultValue={parameter(field.name)}
      spellcheck={false}
      onChange={({ currentTarget }) => filterBy({ [field.name]: currentTarget.value.trim() })}
    />
  )
}

type SelectionProps = {
  readonly total: number
  readonly filter: Filter
  readonly selected: { value: Selected }
  readonly onDone: () => void
}

function Selection({ total, filter, selected, onDone }: SelectionProps) {
  const { site_id: site } = useSite()
  const { error, run } = useTask()
  const pages = [...selected.value.values()]
  const selectAll = () =>
    run(async () => {
      const all = new Map(selected.value)
      const input = Object.fromEntries(Object.entries(filter).filter(([, value]) => value))
      for await (const answer of api().pages('listPages', { site_id: site, ...input, limit: 200 }))
        for (const page of answer.pages) if (all.size < MAX_SELECTED) all.set(page.id, page)
      selected.value = all
    })
  return (
    <>
      <section class="toolbar" aria-label="Selected pages">
        <span role="status">
          {pages.length === 0 ? 'No page is selected.' : `${count(pages.length, 'page')} selected`}
        </span>
        <button type="button" disabled={total === 0} onClick={selectAll}>
          Select {total > MAX_SELECTED ? `the first ${MAX_SELECTED}` : `all ${total}`}
        </button>
        {pages.length > 0 && (
          <>
            <AssignButtons {...{ pages, onDone }} />
            <button type="button" class="quiet" onClick={() => (selected.value = new Map())}>
              Select none
            </button>
          </>
        )}
      </section>
      {error && <ErrorNotice error={error} />}
    </>
  )
}

type PageTableProps = {
  readonly pages: readonly ListedPage[]
  readonly names: Output<'listPages'>['names']
  /** Undefined if the token may assign nothing. */
  readonly selected: { value: Selected } | undefined
}

function PageTable({ pages, names, selected }: PageTableProps) {
  const select = (page: ListedPage, isSelected: boolean) => {
    if (!selected) return
    const changed = new Map(selected.value)
    if (isSelected) changed.set(page.id, page)
    else changed.delete(page.id)
    selected.value = changed
  }
  return (
    <Table
      rows={pages}
      keyOf={({ id }) => id}
      columns={[
        {
          title: 'Page',
          cell: (page) => (
            <span class="thing">
              {selected && (
                <input
                  type="checkbox"
                  aria-label={`Select ${textOf(page.title) || `page ${page.id}`}`}
                  checked={selected.value.has(page.id)}
                  onChange={({ currentTarget }) => select(page, currentTarget.checked)}
                />
              )}
              <PageLink page={page} />
            </span>
          ),
        },
        { title: 'Path', cell: ({ path }) => <PathOfPage path={path} /> },
        { title: 'Frame', cell: (page) => <FrameOfPage page={page} /> },
        { title: 'Visitors get', cell: (page) => <ForVisitors page={page} /> },
        { title: 'Static copy', cell: (page) => <StaticCopy page={page} /> },
        {
          title: 'Edited',
          cell: ({ edited_at_gmt, edited_by }) => (
            <>
              {edited_at_gmt !== null && <Time at={edited_at_gmt} />}
              {edited_by !== null && (
                <>
                  {' '}
                  by <bdi>{userName(edited_by, names)}</bdi>
                </>
              )}
            </>
          ),
        },
      ]}
    />
  )
}
