import { useRead } from '../../reading.ts'
import { linkTo } from '../../router.ts'
import { KINDS } from '../history/describe-entry.ts'
import { filtersIn, HistoryList } from '../history/history-list.tsx'
import type { ListedEntry } from '../history/requests.ts'

const ALL_KINDS = Object.keys(KINDS) as ListedEntry['kind'][]

/** What was written to all sites, and which tokens were issued and revoked. */
export function NetworkHistoryView() {
  const filters = filtersIn()
  const history = useRead(
    'listNetworkHistory',
    filters,
    // New entries are on the first page.
    () => (filters.cursor === undefined ? { site: 0 } : undefined),
  )
  return (
    <HistoryList
      {...{ ...history }}
      kinds={ALL_KINDS}
      namesOf={({ names }, site) => ({ ...names, pages: names.pages[site] ?? {} })}
      pathOf={(request) => linkTo('/network', { as: 'history', request })}
      others={({ names }) => [
        {
          title: 'Sites',
          cell: (row) => {
            const [first, ...more] = [...new Set(row.flatMap(({ site_id }) => site_id || []))]
            if (first === undefined) return <span class="none">none</span>
            return (
              <>
                <a href={linkTo(`/sites/${first}`)}>{names.sites[first] ?? `site ${first}`}</a>
                {more.length > 0 && <span class="none"> and {more.length} more</span>}
              </>
            )
          },
        },
      ]}
    />
  )
}
