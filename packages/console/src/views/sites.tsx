import type { Output } from '../../../client/src/index.ts'
import { me } from '../current.ts'
import { Empty, Pager, SearchField } from '../parts/list.tsx'
import { Loaded } from '../parts/loaded.tsx'
import { Page } from '../parts/page.tsx'
import { useRead } from '../reading.ts'
import { linkTo, numberIn, type ViewProps } from '../router.ts'
import { count } from '../text.ts'

type Numbered = Output<'listNetworkSites'>['sites'][number]

/** The frames and the work of the sites, for those who may see the network. */
function useNumbers(search: string, after: number | undefined): ReadonlyMap<number, Numbered> {
  const { reading } = useRead(
    'listNetworkSites',
    me.value?.may_manage_network ? { search, after, limit: 200 } : undefined,
  )
  const sites = reading.state === 'ready' ? reading.answer.sites : []
  return new Map(sites.map((site) => [site.site_id, site]))
}

function Numbers({ of }: { readonly of: Numbered | undefined }) {
  if (!of) return null
  const { pending, failing } = of.work
  const sum = ({ pages, frames, purges }: typeof pending) => pages + frames + purges
  return (
    <>
      {of.frames !== null && <span class="none">{count(of.frames, 'frame')}</span>}
      {sum(pending) > 0 && <span class="badge warn">{sum(pending)} pending</span>}
      {sum(failing) > 0 && <span class="badge bad">{sum(failing)} failing</span>}
    </>
  )
}

/** The sites of the token. */
export function View({ query }: ViewProps) {
  const search = query.get('q') ?? ''
  const { reading, reload } = useRead('listSites', {
    search,
    after: numberIn(query, 'after'),
    limit: 50,
  })
  const numbers = useNumbers(search, numberIn(query, 'after'))
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
                        <Numbers of={numbers.get(site_id)} />
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
