import { useSignal } from '@preact/signals'
import { useSiteRead, useTask } from '../calls.ts'
import { api } from '../client.ts'
import { maySend, useSite } from '../current.ts'
import { userName } from '../entries.ts'
import { Button, Check } from '../parts/fields.tsx'
import { Pager, QuerySelect, SearchField, Table, TextFilter, Time } from '../parts/list.tsx'
import { ErrorNotice, Loaded } from '../parts/notice.tsx'
import { Page } from '../parts/page.tsx'
import { PageLink } from '../parts/things.tsx'
import { filterBy, numberParameter, parameter } from '../router.ts'
import { count, pageTitle } from '../text.ts'
import { AssignButtons } from './pages/assign-dialog.tsx'
import { ForVisitors, FrameOfPage, PathOfPage, StaticCopy } from './pages/page-parts.tsx'
import type { ListedPage } from './pages/visitors.ts'

/** Pages that are selected together. More would take minutes to assign. */
const MAX_SELECTED = 1000

type Selected = ReadonlyMap<number, ListedPage>

/** The pages of a site: found by filters, and assigned together. */
export function View() {
  const selected = useSignal<Selected>(new Map())
  const { languages } = useSite()
  const filter = filterOf()
  const { reading, reload } = useSiteRead('listPages', {
    ...filter,
    limit: 50,
    after: numberParameter('after'),
  })
  const mayAssign = maySend('frames')
  const select = (page: ListedPage, isSelected: boolean) => {
    const changed = new Map(selected.value)
    if (isSelected) changed.set(page.id, page)
    else changed.delete(page.id)
    selected.value = changed
  }
  return (
    <Page title="Pages">
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
          checked={filter.without_frame === true}
          onChange={(isWanted) => filterBy({ without: isWanted ? 'frame' : '', frame: '' })}
        />
      </div>
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
            <Table
              rows={pages}
              keyOf={({ id }) => id}
              empty={
                Object.values(filter).some(Boolean)
                  ? 'No page fits the filters.'
                  : 'There is no page.'
              }
              columns={{
                Page: (page) => (
                  <span class="thing">
                    {mayAssign && (
                      <input
                        type="checkbox"
                        aria-label={`Select ${pageTitle(page)}`}
                        checked={selected.value.has(page.id)}
                        onChange={({ currentTarget }) => select(page, currentTarget.checked)}
                      />
                    )}
                    <PageLink page={page} />
                  </span>
                ),
                Path: ({ path }) => <PathOfPage path={path} />,
                Frame: (page) => <FrameOfPage page={page} />,
                'Visitors get': (page) => <ForVisitors page={page} />,
                'Static copy': (page) => <StaticCopy page={page} />,
                Edited: ({ edited_at_gmt, edited_by }) => (
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
              }}
            />
            <Pager {...{ total, next }} one="page" shown={pages.length} />
          </>
        )}
      </Loaded>
    </Page>
  )
}

type Filter = ReturnType<typeof filterOf>

const filterOf = () => ({
  search: parameter('q'),
  lang: parameter('lang'),
  frame: parameter('frame'),
  below: parameter('below'),
  without_frame:
    parameter('frame') === '' && parameter('without') === 'frame' ? (true as const) : undefined,
})

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
        <Button
          label={`Select ${total > MAX_SELECTED ? `the first ${MAX_SELECTED}` : `all ${total}`}`}
          disabled={total === 0}
          onClick={selectAll}
        />
        {pages.length > 0 && (
          <>
            <AssignButtons {...{ pages, onDone }} />
            <Button
              label="Select none"
              class="quiet"
              onClick={() => (selected.value = new Map())}
            />
          </>
        )}
      </section>
      {error && <ErrorNotice error={error} />}
    </>
  )
}
