import { Empty, Pager } from '../../parts/list.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { isUpdate, useRead } from '../../reading.ts'
import { linkTo, numberIn } from '../../router.ts'
import { Entries } from '../history/entries.tsx'

/** What was written to all sites, and which tokens were issued and revoked. */
export function NetworkHistoryView({ query }: { readonly query: URLSearchParams }) {
  const request = query.get('request') ?? ''
  const cursor = numberIn(query, 'after')
  const { reading, reload } = useRead(
    'listNetworkHistory',
    { request, cursor, limit: 50 },
    // New entries are on the first page.
    () => (cursor === undefined ? { site: 0 } : undefined),
  )
  return (
    <>
      {request !== '' && (
        <p>
          Only what the request <code>{request}</code> wrote.{' '}
          <a href={linkTo('/network', { as: 'history' })}>Show all</a>
        </p>
      )}
      <Loaded reading={reading} retry={reload}>
        {({ entries, next_cursor, names }) => (
          <>
            {entries.length === 0 ? (
              <Empty>
                {request === ''
                  ? 'Nothing was written yet. Each write on any site appears here.'
                  : 'It wrote nothing, or the history does not have it any more.'}
              </Empty>
            ) : (
              <Entries
                entries={entries}
                names={({ site_id }) => ({ ...names, pages: names.pages[site_id] ?? {} })}
                others={[
                  {
                    title: 'Site',
                    cell: ({ site_id }) =>
                      site_id === 0 ? (
                        <span class="none">none</span>
                      ) : (
                        <a href={linkTo(`/sites/${site_id}`)}>site {site_id}</a>
                      ),
                  },
                ]}
              />
            )}
            <Pager
              {...{ total: undefined, next: next_cursor, query }}
              one="entry"
              many="entries"
              shown={entries.length}
              isUpdate={isUpdate(reading)}
            />
          </>
        )}
      </Loaded>
    </>
  )
}
