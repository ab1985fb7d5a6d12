import type { Output } from '../../packages/client/src/index.ts'
import { Empty, Pager, SearchField } from '../parts/list.tsx'
import { Loaded } from '../parts/loaded.tsx'
import { Notice } from '../parts/notice.tsx'
import { Page } from '../parts/page.tsx'
import { useRead } from '../reading.ts'
import { linkTo, numberIn, type ViewProps } from '../router.ts'
import { duration } from '../text.ts'
import { DriftView } from './network/drift-view.tsx'

type NetworkSites = Output<'listNetworkSites'>

/** All sites of the network: their health, or what differs from the description that was applied last. */
export function View({ query }: ViewProps) {
  const isDrift = query.get('as') === 'drift'
  return (
    <Page title="Network" lead="All sites, for super administrators.">
      <nav class="segments scroll" aria-label="Parts of the network">
        <a href={linkTo('/network')} aria-current={isDrift ? undefined : 'page'}>
          Health
        </a>
        <a href={linkTo('/network', { as: 'drift' })} aria-current={isDrift ? 'page' : undefined}>
          Drift
        </a>
      </nav>
      {isDrift ? <DriftView query={query} /> : <Health query={query} />}
    </Page>
  )
}

function Health({ query }: { readonly query: URLSearchParams }) {
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
    <table class="list">
      <thead>
        <tr>
          <th scope="col">Site</th>
          <th scope="col">Address</th>
          <th scope="col">State</th>
          <th scope="col" class="number">
            Frames
          </th>
          <th scope="col" class="number">
            Pending
          </th>
          <th scope="col" class="number">
            Failing
          </th>
          <th scope="col">Oldest work</th>
        </tr>
      </thead>
      <tbody>
        {sites.map((site) => (
          <SiteRow key={site.site_id} site={site} />
        ))}
      </tbody>
    </table>
  )
}

function SiteRow({ site }: { readonly site: Site }) {
  const { site_id, title, address, state, installed, frames, work } = site
  const name = title || `Site ${site_id}`
  const isReachable = installed && state !== 'deleted'
  const failing = work.failing.pages + work.failing.frames + work.failing.purges
  return (
    <tr>
      <th scope="row">
        {isReachable ? (
          <a href={linkTo(`/sites/${site_id}`)} dir="auto">
            {name}
          </a>
        ) : (
          <bdi>{name}</bdi>
        )}
      </th>
      <td data-label="Address">{address}</td>
      <td data-label="State">
        <span class={`badge ${state === 'live' && installed ? 'good' : 'warn'}`}>
          {installed ? state : 'no tables'}
        </span>
      </td>
      <td data-label="Frames" class="number">
        {frames ?? (isReachable ? 'unreadable' : 'none')}
      </td>
      <td data-label="Pending" class="number">
        {work.pending.pages + work.pending.frames + work.pending.purges}
      </td>
      <td data-label="Failing" class="number">
        {failing > 0 && isReachable ? (
          <a class="badge bad" href={linkTo(`/sites/${site_id}/work`)}>
            {failing} failing
          </a>
        ) : (
          failing
        )}
      </td>
      <td data-label="Oldest work">
        {work.oldest ? duration(work.oldest.age_s) : <span class="none">none</span>}
      </td>
    </tr>
  )
}
