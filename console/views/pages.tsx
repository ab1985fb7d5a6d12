import type { Output } from '../../packages/client/src/index.ts'
import { useSite } from '../current.ts'
import { Empty, Pager, SearchField } from '../parts/list.tsx'
import { Loaded } from '../parts/loaded.tsx'
import { Page } from '../parts/page.tsx'
import { FrameLink, PageLink } from '../parts/things.tsx'
import { useRead } from '../reading.ts'
import { numberIn, replaceQuery, type ViewProps } from '../router.ts'
import { decodedPath } from '../text.ts'

export type ListedPage = Output<'listPages'>['pages'][number]

/** The pages of a site. */
export function View({ query }: ViewProps<'site'>) {
  const { site_id: site, languages } = useSite()
  const search = query.get('q') ?? ''
  const lang = query.get('lang') ?? ''
  const { reading, reload } = useRead('listPages', {
    site_id: site,
    search,
    lang,
    limit: 50,
    frame: query.get('frame') ?? undefined,
    after: numberIn(query, 'after'),
  })
  return (
    <Page title="Pages">
      <div class="toolbar">
        <SearchField label="Search pages" placeholder="Title, slug or id" value={search} />
        {languages.length > 1 && (
          <label class="field">
            Language
            <select
              value={lang}
              onChange={({ currentTarget }) =>
                replaceQuery({ lang: currentTarget.value, after: undefined, before: undefined })
              }
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
      </div>
      <Loaded reading={reading} retry={reload}>
        {({ total, pages, next }) => (
          <>
            {pages.length === 0 ? (
              <Empty>{search === '' ? 'There is no page.' : 'No page fits the search.'}</Empty>
            ) : (
              <PageTable site={site} pages={pages} />
            )}
            <Pager {...{ total, next, query }} one="page" shown={pages.length} />
          </>
        )}
      </Loaded>
    </Page>
  )
}

function PageTable({
  site,
  pages,
}: {
  readonly site: number
  readonly pages: readonly ListedPage[]
}) {
  return (
    <table class="list">
      <thead>
        <tr>
          <th scope="col">Page</th>
          <th scope="col">Path</th>
          <th scope="col">Frame</th>
          <th scope="col">Status</th>
          <th scope="col">Static copy</th>
        </tr>
      </thead>
      <tbody>
        {pages.map((page) => (
          <tr key={page.id}>
            <th scope="row">
              <PageLink {...{ site, page }} />
            </th>
            <td data-label="Path">
              <bdi class="path">{decodedPath(page.path)}</bdi>
            </td>
            <td data-label="Frame">
              <FrameOfPage {...{ site, page }} />
            </td>
            <td data-label="Status">
              {page.status}
              {page.protected ? ', password' : ''}
            </td>
            <td data-label="Static copy">
              <StaticCopy copy={page.static} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function FrameOfPage({
  site,
  page: { frame },
}: {
  readonly site: number
  readonly page: ListedPage
}) {
  if (frame === null) return <span class="none">none</span>
  if (frame.slug === null) return <span class="badge bad">missing: {frame.id}</span>
  return <FrameLink site={site} slug={frame.slug} />
}

const TONES: Readonly<Record<ListedPage['static']['state'], string>> = {
  written: 'good',
  pending: 'warn',
  failing: 'bad',
  none: '',
}

/** Whether a page is published as a file. */
export function StaticCopy({ copy: { state, error } }: { readonly copy: ListedPage['static'] }) {
  return (
    <span class={`badge ${TONES[state]}`} title={error ?? undefined}>
      {state}
    </span>
  )
}
