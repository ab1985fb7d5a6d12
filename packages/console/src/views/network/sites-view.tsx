import type { Output } from '../../../../client/src/index.ts'
import { Empty, Pager, SearchField } from '../../parts/list.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Notice } from '../../parts/notice.tsx'
import { Table } from '../../parts/table.tsx'
import { useRead } from '../../reading.ts'
import { linkTo, numberIn } from '../../router.ts'
import { duration } from '../../text.ts'

type NetworkSites = Output<'listNetworkSites'>

/** All sites of the network with their state. */
export function SitesView({ query }: { readonly query: URLSearchParams }) {
  const search = query.get('q') ?? ''
  const { reading, reload } = useRead('listNetworkSites', {
    search,
    after: numberIn(query, 'after'),
    limit: 50,
  })
  return (
    <>
      <SearchField label="Search sites" placeholder="Name, address or id" value={search} />
      <Loaded reading={reading} retry={reload}>
        {({ total, sites, next, feed }) => (
          <>
            <Feed feed={feed} />
            {sites.length === 0 ? (
              <Empty>No site fits the search.</Empty>
            ) : (
              <SiteTable sites={sites} />
            )}
            <Pager {...{ total, next, query }} one="site" shown={sites.length} />
          </>
        )}
      </Loaded>
    </>
  )
}

function Feed({ feed }: { readonly feed: NetworkSites['feed'] }) {
  if (feed === null || (feed.healthy && feed.error === null)) return null
  return (
    <Notice tone={feed.healthy ? 'info' : 'warn'} title="Change feed">
      <p>
        {feed.healthy
          ? 'Edits in WordPress are reported in time.'
          : 'Edits in WordPress reach static copies with the next poll only.'}
      </p>
      {feed.error && (
        <p class="hint" dir="auto">
          Failed {duration(feed.error.age_s)} ago: {feed.error.message}
        </p>
      )}
    </Notice>
  )
}

type Site = NetworkSites['sites'][number]

function SiteTable({ sites }: { readonly sites: readonly Site[] }) {
  return (
    <Table
      rows={sites}
      keyOf={({ site_id }) => site_id}
      columns={[
        { title: 'Site', cell: (site) => <SiteName site={site} /> },
        { title: 'Address', cell: ({ address }) => address },
        {
          title: 'State',
          cell: ({ state, installed }) => (
            <span class={`badge ${state === 'live' && installed ? 'good' : 'warn'}`}>
              {installed ? state : 'no tables'}
            </span>
          ),
        },
        {
          title: 'Frames',
          isNumber: true,
          cell: (site) => site.frames ?? (isReachable(site) ? 'unreadable' : 'none'),
        },
        {
          title: 'Pending',
          isNumber: true,
          cell: ({ work: { pending } }) => pending.pages + pending.frames + pending.purges,
        },
        { title: 'Failing', isNumber: true, cell: (site) => <Failing site={site} /> },
        {
          title: 'Oldest work',
          cell: ({ work: { oldest } }) =>
            oldest ? duration(oldest.age_s) : <span class="none">none</span>,
        },
      ]}
    />
  )
}

const isReachable = ({ installed, state }: Site): boolean => installed && state !== 'deleted'

function SiteName({ site }: { readonly site: Site }) {
  const name = site.title || `Site ${site.site_id}`
  if (!isReachable(site)) return <bdi>{name}</bdi>
  return (
    <a href={linkTo(`/sites/${site.site_id}`)} dir="auto">
      {name}
    </a>
  )
}

function Failing({ site }: { readonly site: Site }) {
  const { pages, frames, purges } = site.work.failing
  const failing = pages + frames + purges
  if (failing === 0 || !isReachable(site)) return <>{failing}</>
  return (
    <a class="badge bad" href={linkTo(`/sites/${site.site_id}/work`)}>
      {failing} failing
    </a>
  )
}
