import type { Output } from '../../../../client/src/index.ts'
import { checks } from '../../checks.ts'
import { CheckSites } from '../../parts/check-sites.tsx'
import { Pager } from '../../parts/list.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { Notice } from '../../parts/notice.tsx'
import { Table } from '../../parts/table.tsx'
import { type Reading, useRead } from '../../reading.ts'
import { linkTo, numberParameter } from '../../router.ts'
import { count, duration } from '../../text.ts'
import { Failures } from '../health/failures.tsx'
import { Figures, isUnfinished, sumOf } from '../health/figures.tsx'
import { type Finding, FindingTitle } from '../health/findings.tsx'

type NetworkWork = Output<'getNetworkWork'>
type NetworkSites = Output<'listNetworkSites'>

/** What of all sites is not built, and what the doctor finds on them. */
export function HealthView() {
  const work = useRead('getNetworkWork', {}, (one) => ({
    site: 0,
    isUnfinished: one.state === 'ready' && isUnfinished(one.answer.total),
  }))
  const after = numberParameter('after')
  const { reading, reload } = useRead('listNetworkSites', { after, limit: 50 })
  return (
    <>
      <section class="stack part" aria-labelledby="builds">
        <h2 id="builds">Builds</h2>
        <Loaded reading={work.reading} retry={work.reload}>
          {(answer) => <Builds work={answer} />}
        </Loaded>
      </section>
      {!isRefused(work.reading) && (
        <section class="stack part" aria-labelledby="findings">
          <h2 id="findings">Findings</h2>
          <Loaded reading={reading} retry={reload}>
            {({ total, sites, next, feed }) => (
              <>
                <Feed feed={feed} />
                <Findings sites={sites.filter(isReachable)} />
                <Pager {...{ total, next }} one="site" shown={sites.length} />
              </>
            )}
          </Loaded>
        </section>
      )}
    </>
  )
}

/** Then both reads are, and one says it. */
const isRefused = (reading: Reading<unknown>): boolean =>
  reading.state === 'failed' && reading.error.status === 403

type Site = NetworkSites['sites'][number]

const isReachable = ({ installed, state }: Site): boolean => installed && state !== 'deleted'

function Builds({
  work: { total, sites, sites_total, failures, names },
}: {
  readonly work: NetworkWork
}) {
  if (sites_total === 0) return <Notice tone="good">Everything is built, on all sites.</Notice>
  const siteOf = new Map(sites.map((site) => [site.site_id, site]))
  return (
    <>
      <Figures work={total} />
      <p class="inline">
        Still to be built on:
        {sites.map(({ site_id, address, pending, failing }) => (
          <a key={site_id} href={linkTo(`/sites/${site_id}/health`)}>
            {address ?? `site ${site_id}, deleted`}{' '}
            <span class={`badge ${sumOf(failing) > 0 ? 'bad' : ''}`}>{sumOf(pending)}</span>
          </a>
        ))}
        {sites_total > sites.length && (
          <span class="none">and {count(sites_total - sites.length, 'more site')}</span>
        )}
      </p>
      {failures.length > 0 && (
        <Failures
          failures={failures}
          titles={(site) => names.pages[site]}
          others={[
            {
              title: 'Site',
              cell: ({ site_id }) => (
                <a href={linkTo(`/sites/${site_id}/health`)}>
                  {siteOf.get(site_id)?.address ?? `site ${site_id}`}
                </a>
              ),
            },
          ]}
        />
      )}
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

type FoundOn = { readonly site: Site; readonly finding: Finding }

/** The same check on all sites is one row. */
function Findings({ sites }: { readonly sites: readonly Site[] }) {
  const found = sites.flatMap((site): FoundOn[] => {
    const check = checks.value.get(site.site_id)
    return check?.state === 'ready'
      ? check.answer.findings.map((finding) => ({ site, finding }))
      : []
  })
  const failed = sites.filter(({ site_id }) => checks.value.get(site_id)?.state === 'failed')
  const checked = sites.filter(({ site_id }) => checks.value.get(site_id)?.state === 'ready')
  const rows = [...Map.groupBy(found, ({ finding }) => `${finding.severity} ${finding.check}`)]
  const order = ['error', 'warning', 'info']
  rows.sort(
    ([a], [b]) => order.indexOf(a.split(' ')[0] ?? '') - order.indexOf(b.split(' ')[0] ?? ''),
  )
  return (
    <>
      <div class="toolbar flat">
        <CheckSites sites={sites.map(({ site_id }) => site_id)} />
      </div>
      {failed.length > 0 && (
        <Notice tone="warn" title={`${count(failed.length, 'site')} not checked`}>
          <p class="inline">
            {failed.map(({ site_id, address }) => (
              <a key={site_id} href={linkTo(`/sites/${site_id}/health`)}>
                {address}
              </a>
            ))}
          </p>
        </Notice>
      )}
      {rows.length === 0 && checked.length > 0 && (
        <Notice tone="good">Nothing is wrong on {count(checked.length, 'checked site')}.</Notice>
      )}
      {rows.length > 0 && (
        <Table
          label="Findings"
          rows={rows}
          keyOf={([key]) => key}
          columns={[
            {
              title: 'What',
              cell: ([, [first]]) => first && <FindingTitle of={first.finding} />,
            },
            { title: 'Findings', isNumber: true, cell: ([, all]) => all.length },
            {
              title: 'Sites',
              cell: ([, all]) => (
                <span class="inline">
                  {[...Map.groupBy(all, ({ site }) => site)].map(([{ site_id, address }, own]) => (
                    <a key={site_id} href={linkTo(`/sites/${site_id}/health`)}>
                      {address} <span class="badge">{own.length}</span>
                    </a>
                  ))}
                </span>
              ),
            },
          ]}
        />
      )}
    </>
  )
}
