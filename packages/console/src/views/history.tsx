import { useRead, useSiteRead } from '../calls.ts'
import { useSite } from '../current.ts'
import { KINDS } from '../entries.ts'
import { More } from '../parts/list.tsx'
import { Page } from '../parts/page.tsx'
import { inSite, linkTo } from '../router.ts'
import { filtersIn, HistoryList, type ListedEntry } from './history/history-list.tsx'

/** The kinds of things of a site. */
const KINDS_OF_SITE = ['frame', 'menu', 'location', 'assignment', 'dataset', 'webhook'] as const

/** What was written to a site, newest first. */
export function View() {
  const { site_id: site } = useSite()
  const filters = filtersIn()
  const history = useSiteRead(
    'listHistory',
    filters,
    // New entries are on the first page.
    () => (filters.cursor === undefined ? { site } : undefined),
  )
  return (
    <Page title="History" lead="What was written to the site, by whom, newest first.">
      <HistoryList
        history={history}
        kinds={KINDS_OF_SITE}
        namesOf={({ names }) => names}
        pathOf={(request) => linkTo(inSite('/history'), { request })}
      />
    </Page>
  )
}

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
      history={history}
      kinds={ALL_KINDS}
      namesOf={({ names }, site) => ({ ...names, pages: names.pages[site] ?? {} })}
      pathOf={(request) => linkTo('/network', { as: 'history', request })}
      others={({ names }) => ({
        Sites: (row) => {
          const [first, ...more] = [...new Set(row.flatMap(({ site_id }) => site_id || []))]
          if (first === undefined) return <span class="none">none</span>
          return (
            <>
              <a href={linkTo(`/sites/${first}`)}>{names.sites[first] ?? `site ${first}`}</a>{' '}
              <More left={more.length} as="span" />
            </>
          )
        },
      })}
    />
  )
}
