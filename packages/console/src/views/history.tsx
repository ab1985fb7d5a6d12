import { useSite } from '../current.ts'
import { Page } from '../parts/page.tsx'
import { useSiteRead } from '../reading.ts'
import { inSite, linkTo } from '../router.ts'
import { filtersIn, HistoryList } from './history/history-list.tsx'

/** The kinds of things of a site. */
const KINDS_OF_SITE = ['frame', 'menu', 'location', 'assignment', 'dataset', 'webhook'] as const

/** What was written to a site, newest first. */
export function View() {
  const { site_id: site } = useSite()
  const filters = filtersIn()
  const history = useSiteRead(
    'listHistory',
    { ...filters },
    // New entries are on the first page.
    () => (filters.cursor === undefined ? { site } : undefined),
  )
  return (
    <Page title="History" lead="What was written to the site, by whom, newest first.">
      <HistoryList
        {...{ ...history }}
        kinds={KINDS_OF_SITE}
        namesOf={({ names }) => names}
        pathOf={(request) => linkTo(inSite('/history'), { request })}
      />
    </Page>
  )
}
