import { useSignal } from '@preact/signals'
import { useId } from 'preact/hooks'
import type { Output, ServiceError } from '../../../client/src/index.ts'
import { api, asServiceError } from '../client.ts'
import { maySend, useSite } from '../current.ts'
import { Empty, Pager, SearchField } from '../parts/list.tsx'
import { Loaded } from '../parts/loaded.tsx'
import { ErrorNotice } from '../parts/notice.tsx'
import { Page } from '../parts/page.tsx'
import { Table } from '../parts/table.tsx'
import { PageLink } from '../parts/things.tsx'
import { Time } from '../parts/time.tsx'
import { useRead } from '../reading.ts'
import { numberIn, replaceQuery, type ViewProps } from '../router.ts'
import { count, textOf } from '../text.ts'
import { userName } from './history/describe-entry.ts'
import { AssignMany, ClearMany } from './pages/assign-many.tsx'
import { ForVisitors, FrameOfPage, PathOfPage, StaticCopy } from './pages/page-parts.tsx'
import type { ListedPage } from './pages/visitors.ts'

/** Pages that are selected together. More would take minutes to assign. */
const MAX_SELECTED = 1000

type Selected = ReadonlyMap<number, ListedPage>

/** The pages of a site: found by filters, and assigned together. */
export function View({ query }: ViewProps<'site'>) {
  const { site_id: site } = useSite()
  const selected = useSignal<Selected>(new Map())
  const filter = filterOf(query)
  const { reading, reload } = useRead('listPages', {
    site_id: site,
    ...filter,
    limit: 50,
    after: numberIn(query, 'after'),
  })
  const mayAssign = maySend('frames')
  return (
    <Page title="Pages">
      <Filters query={query} />
      <Loaded reading={reading} retry={reload}>
        {({ total, pages, next, names }) => (
          <>
            {mayAssign && (
              <Selection
                {...{ site, total, filter, selected }}
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
              <PageTable {...{ site, pages, names }} selected={mayAssign ? selected : undefined} />
            )}
            <Pager {...{ total, next, query }} one="page" shown={pages.length} />
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

const filterOf = (query: URLSearchParams): Filter => ({
  search: query.get('q') ?? '',
  lang: query.get('lang') ?? '',
  frame: query.get('frame') ?? '',
  below: query.get('below') ?? '',
  without_frame: query.get('frame') === null && query.get('without') === 'frame' ? true : undefined,
})

function Filters({ query }: { readonly query: URLSearchParams }) {
  const { languages } = useSite()
  const set = (changes: Record<string, string | undefined>) =>
    replaceQuery({ ...changes, after: undefined, before: undefined })
  const frame = query.get('frame') ?? ''
  return (
    <div class="toolbar">
      <SearchField
        label="Search pages"
        placeholder="Title, slug or id"
        value={query.get('q') ?? ''}
      />
      {languages.length > 1 && (
        <label class="field">
          Language
          <select
            value={query.get('lang') ?? ''}
            onChange={({ currentTarget }) => set({ lang: currentTarget.value })}
          >
            <option value="">All</option>
            {languages.map(({ code, name }) => (
              <option key={code} value={code}>
                {name}
              </option>
            ))}
          </select>
        </label>
      )}
      <TextFilter
        label="Frame"
        placeholder="slug"
        value={frame}
        onSet={(text) => set({ frame: text, without: undefined })}
      />
      <TextFilter
        label="Below"
        placeholder="path"
        value={query.get('below') ?? ''}
        onSet={(text) => set({ below: text })}
      />
      <label class="check">
        <input
          type="checkbox"
          checked={frame === '' && query.get('without') === 'frame'}
          onChange={({ currentTarget }) =>
            set({ without: currentTarget.checked ? 'frame' : undefined, frame: undefined })
          }
        />
        Without a frame
      </label>
    </div>
  )
}

/** A filter that is applied when its field is left, or with Enter. */
function TextFilter({
  label,
  placeholder,
  value,
  onSet,
}: {
  readonly label: string
  readonly placeholder: string
  readonly value: string
  readonly onSet: (text: string) => void
}) {
  const id = useId()
  return (
    <span class="field">
      <label for={id}>{label}</label>
      <input
        key={value}
        id={id}
        class="short"
        defaultValue={value}
        placeholder={placeholder}
        autocomplete="off"
        spellcheck={false}
        onChange={({ currentTarget }) => onSet(currentTarget.value.trim())}
      />
    </span>
  )
}

function Selection({
  site,
  total,
  filter,
  selected,
  onDone,
}: {
  readonly site: number
  readonly total: number
  readonly filter: Filter
  readonly selected: { value: Selected }
  readonly onDone: () => void
}) {
  const open = useSignal<'assign' | 'clear' | undefined>(undefined)
  const error = useSignal<ServiceError | undefined>(undefined)
  const pages = [...selected.value.values()]
  const selectAll = async () => {
    error.value = undefined
    try {
      const all = new Map(selected.value)
      const input = Object.fromEntries(Object.entries(filter).filter(([, value]) => value))
      for await (const answer of api().pages('listPages', { site_id: site, ...input, limit: 200 }))
        for (const page of answer.pages) if (all.size < MAX_SELECTED) all.set(page.id, page)
      selected.value = all
    } catch (caught) {
      error.value = asServiceError(caught)
    }
  }
  const close = () => {
    open.value = undefined
  }
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
            <button type="button" onClick={() => (open.value = 'assign')}>
              Assign a frame
            </button>
            <button type="button" onClick={() => (open.value = 'clear')}>
              Remove the frame
            </button>
            <button
              type="button"
              class="quiet"
              onClick={() => {
                selected.value = new Map()
              }}
            >
              Select none
            </button>
          </>
        )}
      </section>
      {error.value && <ErrorNotice error={error.value} />}
      {open.value === 'assign' && <AssignMany {...{ site, pages, onDone }} onClose={close} />}
      {open.value === 'clear' && <ClearMany {...{ site, pages, onDone }} onClose={close} />}
    </>
  )
}

function PageTable({
  site,
  pages,
  names,
  selected,
}: {
  readonly site: number
  readonly pages: readonly ListedPage[]
  readonly names: Output<'listPages'>['names']
  /** Undefined if the token may assign nothing. */
  readonly selected: { value: Selected } | undefined
}) {
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
              <PageLink {...{ site, page }} />
            </span>
          ),
        },
        { title: 'Path', cell: ({ path }) => <PathOfPage {...{ site, path }} /> },
        { title: 'Frame', cell: (page) => <FrameOfPage {...{ site, page }} /> },
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
