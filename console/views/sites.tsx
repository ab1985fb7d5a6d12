import { Empty, Pager, SearchField } from '../parts/list.tsx'
import { Loaded } from '../parts/loaded.tsx'
import { Page } from '../parts/page.tsx'
import { useRead } from '../reading.ts'
import { linkTo, numberIn, type ViewProps } from '../router.ts'

/** The sites of the token. */
export function View({ query }: ViewProps) {
  const search = query.get('q') ?? ''
  const { reading, reload } = useRead('listSites', {
    search,
    after: numberIn(query, 'after'),
    limit: 50,
  })
  return (
    <Page title="Sites" lead="The sites that your token may administer.">
      <SearchField label="Search sites" placeholder="Name, address or id" value={search} />
      <Loaded reading={reading} retry={reload}>
        {({ total, sites, next }) => (
          <>
            {sites.length === 0 ? (
              <Empty>
                {search === '' ? 'Your token has no site.' : 'No site fits the search.'}
              </Empty>
            ) : (
              <ul class="cards">
                {sites.map(({ site_id, title, address, state, languages }) => (
                  <li key={site_id}>
                    <a class="card" href={linkTo(`/sites/${site_id}`)}>
                      <span class="card-title" dir="auto">
                        {title}
                      </span>
                      <span class="card-note">{address}</span>
                      <span class="tags">
                        <span class="badge">id {site_id}</span>
                        {state !== 'live' && <span class="badge warn">{state}</span>}
                        {languages.map(({ code }) => (
                          <span class="badge" key={code}>
                            {code}
                          </span>
                        ))}
                      </span>
                    </a>
                  </li>
                ))}
              </ul>
            )}
            <Pager {...{ total, next, query }} one="site" shown={sites.length} />
          </>
        )}
      </Loaded>
    </Page>
  )
}
