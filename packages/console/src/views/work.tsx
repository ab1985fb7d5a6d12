import type { Output } from '../../../client/src/index.ts'
import { useSite } from '../current.ts'
import { Empty } from '../parts/list.tsx'
import { Loaded } from '../parts/loaded.tsx'
import { Page } from '../parts/page.tsx'
import { useRead } from '../reading.ts'
import type { ViewProps } from '../router.ts'
import { count } from '../text.ts'
import { Failures } from './work/failures.tsx'
import { Figures, isUnfinished, sumOf } from './work/figures.tsx'

/** What of a site is not built yet, and what fails. */
export function View(_: ViewProps<'site'>) {
  const { site_id: site } = useSite()
  const { reading, reload } = useRead('getWork', { site_id: site }, (one) => ({
    site,
    isUnfinished: one.state === 'ready' && isUnfinished(one.answer),
  }))
  return (
    <Page
      title="Work"
      lead="Frames and pages that are still to be built after the last changes."
      actions={
        <button type="button" onClick={reload}>
          Refresh
        </button>
      }
    >
      <Loaded reading={reading} retry={reload}>
        {(work) => (
          <>
            <Figures work={work} />
            <Failing work={work} />
          </>
        )}
      </Loaded>
    </Page>
  )
}

function Failing({
  work: { site_id, failures, failing, pending, names },
}: {
  readonly work: Output<'getWork'>
}) {
  if (failures.length === 0)
    return (
      <Empty>
        {sumOf(pending) === 0
          ? 'Everything is built.'
          : 'Nothing fails. What is pending is built by itself.'}
      </Empty>
    )
  const more = sumOf(failing) - failures.length
  return (
    <>
      <Failures
        failures={failures.map((failure) => ({ site_id, ...failure }))}
        titles={() => names.pages}
      />
      {more > 0 && <p class="none">and {count(more, 'more', 'more')}</p>}
    </>
  )
}
