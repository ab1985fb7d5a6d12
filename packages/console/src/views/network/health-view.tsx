import type { Output } from '../../../../client/src/index.ts'
import { type Reading, useRead } from '../../calls.ts'
import { CheckSites, checks, isUnfinished, sumOf } from '../../checks.tsx'
import { More, Pager, Table } from '../../parts/list.tsx'
import { Loaded, Notice } from '../../parts/notice.tsx'
import { linkTo, numberParameter } from '../../router.ts'
import { count, duration } from '../../text.ts'
import { Failures, Figures } from '../health/builds.tsx'
import { type Finding, FindingTitle } from '../health/findings.tsx'

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
          {(answer) => <Builds {...answer} />}
        </Loaded>
      </section>
      {!isRefused(work.reading) && (
        <section class="stack part" aria-labelledby="findings">
          <h2 id="findings">Findings</h2>
          <Loaded reading={reading} retry={reload}>
            {({ total, sites, next, feed }) => (
              <>
                {feed && !(feed.healthy && feed.error === null) && (
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
                )}
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

type Site = Output<'listNetworkSites'>['sites'][number]

const isReachable = ({ installed, state }: Site): boolean => installed && state !== 'deleted'

function Builds({ total, sites, sites_total, failures, names }: Output<'getNetworkWork'>) {
  if (sites_total === 0) return <Notice tone="good">Everything is built, on all sites.</Notice>
  const siteOf = new Map(sites.map((site) => [site.site_id, site]))
  return (
    <>
      <Figures {...total} />
      <p class="inline">
        Still to be built on:
        {sites.map(({ site_id, address, pending, failing }) => (
          <a key={site_id} href={linkTo(`/sites/${site_id}/health`)}>
            {address ?? `site ${site_id}, deleted`}{' '}
            <span class={`badge ${sumOf(failing) > 0 ? 'bad' : ''}`}>{sumOf(pending)}</span>
          </a>
        ))}
        <More left={sites_total - sites.length} one="site" as="span" />
      </p>
      {failures.length > 0 && (
        <Failures
          failures={failures}
          titles={(site) => names.pages[site]}
          others={{
            Site: ({ site_id }) => (
              <a href={linkTo(`/sites/${site_id}/health`)}>
                {siteOf.get(site_id)?.address ?? `site ${site_id}`}
              </a>
            ),
          }}
        />
      )}
    </>
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
  const order = ['error', 'warning', 'info']
  const rank = ({ finding }: FoundOn): number => order.indexOf(finding.severity)
  found.sort((a, b) => rank(a) - rank(b))
  const rows = [...Map.groupBy(found, ({ finding }) => `${finding.severity} ${finding.check}`)]
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
          numbers={['Findings']}
          columns={{
            What: ([, [first]]) => first && <FindingTitle of={first.finding} />,
            Findings: ([, all]) => all.length,
            Sites: ([, all]) => (
              <span class="inline">
                {[...Map.groupBy(all, ({ site }) => site)].map(([{ site_id, address }, own]) => (
                  <a key={site_id} href={linkTo(`/sites/${site_id}/health`)}>
                    {address} <span class="badge">{own.length}</span>
                  </a>
                ))}
              </span>
            ),
          }}
        />
      )}
    </>
  )
}
