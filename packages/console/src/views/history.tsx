import { useSite } from '../current.ts'
import { Empty, Pager } from '../parts/list.tsx'
import { Loaded } from '../parts/loaded.tsx'
import { Page } from '../parts/page.tsx'
import { isUpdate, useRead } from '../reading.ts'
import { linkTo, numberIn, replaceQuery, type ViewProps } from '../router.ts'
import { KINDS } from './history/describe-entry.ts'
import { Entries } from './history/entries.tsx'

/** The kinds of things of a site. */
const SITE_KINDS = ['frame', 'menu', 'location', 'assignment', 'dataset', 'webhook'] as const

/** What was written to a site, newest first. */
export function View({ query }: ViewProps<'site'>) {
  const { site_id: site } = useSite()
  const kind = SITE_KINDS.find((one) => one === query.get('kind'))
  const ref = query.get('ref') ?? ''
  const request = query.get('request') ?? ''
  const cursor = numberIn(query, 'after')
  const { reading, reload } = useRead(
    'listHistory',
    { site_id: site, kind, ref, request, cursor, limit: 50 },
    // New entries are on the first page.
    () => (cursor === undefined ? { site } : undefined),
  )
  const isFiltered = ref !== '' || request !== ''
  return (
    <Page title="History" lead="What was written to the site, by whom, newest first.">
      <div class="toolbar">
        <label class="field">
          Kind
          <select
            value={kind ?? ''}
            onChange={({ currentTarget }) =>
              replaceQuery({ kind: currentTarget.value, after: undefined, before: undefined })
            }
          >
            <option value="">All</option>
            {SITE_KINDS.map((name) => (
              <option key={name} value={name}>
                {KINDS[name]}
              </option>
            ))}
          </select>
        </label>
        {isFiltered && (
          <p>
            Only <bdi>{ref || `request ${request}`}</bdi>.{' '}
            <a href={linkTo(`/sites/${site}/history`, { kind })}>Show all</a>
          </p>
        )}
      </div>
      <Loaded reading={reading} retry={reload}>
        {({ entries, next_cursor, names }) => (
          <>
            {entries.length === 0 ? (
              <Empty>
                {kind !== undefined || isFiltered
                  ? 'No entry fits.'
                  : 'Nothing was written yet. Each write of a frame, a menu or an assignment appears here.'}
              </Empty>
            ) : (
              <Entries {...{ entries, names }} />
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
    </Page>
  )
}
