import type { Site } from '../../../client/src/index.ts'
import { useRead } from '../calls.ts'
import { CheckSites, checks, problemsOf, sumOf } from '../checks.tsx'
import { Empty, Pager, SearchField, Table, Time } from '../parts/list.tsx'
import { Loaded } from '../parts/notice.tsx'
import { Page } from '../parts/page.tsx'
import { linkTo, numberParameter, parameter } from '../router.ts'
import { count } from '../text.ts'

/** The sites of the token, with what is wrong on each. */
export function View() {
  const search = parameter('q')
  const { reading, reload } = useRead('listSites', {
    search,
    after: numberParameter('after'),
    limit: 50,
  })
  return (
    <Page title="Sites" lead="The sites that your token may administer.">
      <Loaded reading={reading} retry={reload}>
        {({ total, sites, next }) => {
          const live = sites.filter(({ state }) => state === 'live')
          const others = sites.filter(({ state }) => state !== 'live')
          return (
            <>
              <div class="toolbar">
                <SearchField label="Search sites" placeholder="Name, address or id" />
                {sites.length > 0 && <CheckSites sites={sites.map(({ site_id }) => site_id)} />}
              </div>
              {sites.length === 0 && (
                <Empty>
                  {search === '' ? 'Your token has no site.' : 'No site fits the search.'}
                </Empty>
              )}
              <div class="stack">
                {live.length > 0 && <SiteTable label="Live sites" sites={live} />}
                {others.length > 0 && (
                  <section class="stack">
                    <h2>Visitors do not see these</h2>
                    <SiteTable label="Other sites" sites={others} />
                  </section>
                )}
              </div>
              <Pager {...{ total, next }} one="site" shown={sites.length} />
            </>
          )
        }}
      </Loaded>
    </Page>
  )
}

type SiteTableProps = {
  readonly label: string
  readonly sites: readonly Site[]
}

function SiteTable({ label, sites }: SiteTableProps) {
  return (
    <Table
      label={label}
      rows={sites}
      keyOf={({ site_id }) => site_id}
      numbers={['Frames']}
      columns={{
        Site: ({ site_id, title, address, state, languages }) => (
          <span class="two-lines">
            <a href={linkTo(`/sites/${site_id}`)} dir="auto">
              {title || `Site ${site_id}`}
            </a>{' '}
            {state !== 'live' && <span class="badge warn">{state}</span>}
            <small>{[address, ...languages.map(({ code }) => code)].join(' · ')}</small>
          </span>
        ),
        Problems,
        'Pending builds': ({ work: { pending, failing } }) =>
          sumOf(pending) - sumOf(failing) || <span class="none">none</span>,
        'Last change': ({ site_id, changed_at }) =>
          changed_at === null ? (
            <span class="none">none</span>
          ) : (
            <a href={linkTo(`/sites/${site_id}/history`)}>
              <Time at={changed_at} />
            </a>
          ),
        Frames: ({ frames }) => frames ?? <span class="badge bad">unreadable</span>,
      }}
    />
  )
}

/** Failing builds, and what the doctor has found. */
function Problems({ site_id, work }: Site) {
  const failing = sumOf(work.failing)
  const found = problemsOf(site_id)
  const href = linkTo(`/sites/${site_id}/health`)
  if (failing + (found ?? 0) > 0)
    return (
      <a class="tags" href={href}>
        {failing > 0 && <span class="badge bad">{count(failing, 'failing build')}</span>}
        {(found ?? 0) > 0 && <span class="badge warn">{count(found ?? 0, 'finding')}</span>}
      </a>
    )
  if (found === 0) return <span class="badge good">none</span>
  const isChecking = checks.value.get(site_id)?.state === 'loading'
  return <span class="none">{isChecking ? 'is being checked' : 'not checked'}</span>
}
