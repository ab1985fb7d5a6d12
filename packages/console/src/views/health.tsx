import { useEffect } from 'preact/hooks'
import type { Output } from '../../../client/src/index.ts'
import { checkSite, checks } from '../checks.ts'
import { useSite } from '../current.ts'
import { Loaded } from '../parts/loaded.tsx'
import { Notice } from '../parts/notice.tsx'
import { Page } from '../parts/page.tsx'
import { readingRound, useSiteRead } from '../reading.ts'
import type { ViewProps } from '../router.ts'
import { count } from '../text.ts'
import { Failures } from './health/failures.tsx'
import { Figures, isUnfinished, sumOf } from './health/figures.tsx'
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
        <button
          type="button"
          onClick={() => {
            reload()
            check()
          }}
        >
          Check again
        </button>
      }
    >
      <section class="stack part" aria-labelledby="builds">
        <h2 id="builds">Builds</h2>
        <Loaded reading={reading} retry={reload}>
          {(work) => <Builds work={work} />}
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

function Builds({
  work,
  work: { site_id, failures, failing, pending, names },
}: {
  readonly work: Output<'getWork'>
}) {
  if (sumOf(pending) === 0) return <Notice tone="good">Everything is built.</Notice>
  const more = sumOf(failing) - failures.length
  return (
    <>
      <Figures work={work} />
      {failures.length === 0 ? (
        <p>Nothing fails. What is pending is built by itself.</p>
      ) : (
        <Failures
          failures={failures.map((failure) => ({ site_id, ...failure }))}
          titles={() => names.pages}
        />
      )}
      {more > 0 && <p class="none">and {count(more, 'more', 'more')}</p>}
    </>
  )
}
