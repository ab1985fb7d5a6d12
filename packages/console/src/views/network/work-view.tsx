import type { Output } from '../../../../client/src/index.ts'
import { Empty } from '../../parts/list.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Table } from '../../parts/table.tsx'
import { Time } from '../../parts/time.tsx'
import { useRead } from '../../reading.ts'
import { linkTo } from '../../router.ts'
import { count } from '../../text.ts'
import { Failures } from '../work/failures.tsx'
import { Figures, isUnfinished, sumOf } from '../work/figures.tsx'

type NetworkWork = Output<'getNetworkWork'>

/** What of all sites is not built yet, and what fails. */
export function WorkView() {
  const { reading, reload } = useRead('getNetworkWork', {}, (one) => ({
    site: 0,
    isUnfinished: one.state === 'ready' && isUnfinished(one.answer.total),
  }))
  return (
    <>
      <div class="toolbar">
        <button type="button" onClick={reload}>
          Refresh
        </button>
      </div>
      <Loaded reading={reading} retry={reload}>
        {({ total, sites, sites_total, failures, names }) => (
          <div class="stack">
            <Figures work={total} />
            {sites_total === 0 && <Empty>Everything is built, on all sites.</Empty>}
            {sites.length > 0 && <SitesWithWork sites={sites} />}
            {sites_total > sites.length && (
              <p class="none">and {count(sites_total - sites.length, 'more site')}</p>
            )}
            {failures.length > 0 && (
              <section class="stack">
                <h2>What fails</h2>
                <Failures
                  failures={failures}
                  titles={(site) => names.pages[site]}
                  others={[
                    {
                      title: 'Site',
                      cell: ({ site_id }) => (
                        <a href={linkTo(`/sites/${site_id}/work`)}>site {site_id}</a>
                      ),
                    },
                  ]}
                />
              </section>
            )}
          </div>
        )}
      </Loaded>
    </>
  )
}

function SitesWithWork({ sites }: { readonly sites: NetworkWork['sites'] }) {
  return (
    <Table
      label="Sites with work"
      rows={sites}
      keyOf={({ site_id }) => site_id}
      columns={[
        {
          title: 'Site',
          cell: ({ site_id, address }) =>
            address === null ? (
              `Site ${site_id}, deleted`
            ) : (
              <a href={linkTo(`/sites/${site_id}/work`)}>{address}</a>
            ),
        },
        { title: 'Pages', isNumber: true, cell: ({ pending }) => pending.pages },
        { title: 'Frames', isNumber: true, cell: ({ pending }) => pending.frames },
        { title: 'Purges', isNumber: true, cell: ({ pending }) => pending.purges },
        { title: 'Running', isNumber: true, cell: ({ running }) => sumOf(running) },
        {
          title: 'Failing',
          isNumber: true,
          cell: ({ failing }) =>
            sumOf(failing) === 0 ? 0 : <span class="badge bad">{sumOf(failing)} failing</span>,
        },
        {
          title: 'Waits since',
          cell: ({ oldest }) => (oldest ? <Time at={oldest.since} /> : 'nothing waits'),
        },
      ]}
    />
  )
}
