import { useEffect } from 'preact/hooks'
import type { Output } from '../../../client/src/index.ts'
import { readingRound, useSiteRead } from '../calls.ts'
import { checkSite, checks, isUnfinished, sumOf } from '../checks.tsx'
import { useSite } from '../current.ts'
import { Button } from '../parts/fields.tsx'
import { More } from '../parts/list.tsx'
import { Loaded, Notice } from '../parts/notice.tsx'
import { Page } from '../parts/page.tsx'
import type { ViewProps } from '../router.ts'
import { Failures, Figures } from './health/builds.tsx'
import { SiteFindings } from './health/findings.tsx'

/** What of a site is not built, and what the doctor finds on it. */
export function View(_: ViewProps<'site'>) {
  const { site_id: site } = useSite()
  const { reading, reload } = useSiteRead('getWork', {}, (one) => ({
    site,
    isUnfinished: one.state === 'ready' && isUnfinished(one.answer),
  }))
  const check = () => void checkSite(site)
  useEffect(check, [site, readingRound()])
  return (
    <Page
      title="Health"
      lead="What is still to be built after the last changes, and what the doctor finds."
      actions={
        <Button
          label="Check again"
          onClick={() => {
            reload()
            check()
          }}
        />
      }
    >
      <section class="stack part" aria-labelledby="builds">
        <h2 id="builds">Builds</h2>
        <Loaded reading={reading} retry={reload}>
          {(work) => <Builds {...work} />}
        </Loaded>
      </section>
      <section class="stack part" aria-labelledby="findings">
        <h2 id="findings">Findings</h2>
        <Loaded reading={checks.value.get(site) ?? { state: 'loading' }} retry={check}>
          {(found) => <SiteFindings found={found} reload={check} />}
        </Loaded>
      </section>
    </Page>
  )
}

function Builds(work: Output<'getWork'>) {
  const { site_id, failures, failing, pending, names } = work
  if (sumOf(pending) === 0) return <Notice tone="good">Everything is built.</Notice>
  return (
    <>
      <Figures {...work} />
      {failures.length === 0 ? (
        <p>Nothing fails. What is pending is built by itself.</p>
      ) : (
        <Failures
          failures={failures.map((failure) => ({ site_id, ...failure }))}
          titles={() => names.pages}
        />
      )}
      <More left={sumOf(failing) - failures.length} />
    </>
  )
}
