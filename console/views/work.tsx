import type { Output } from '../../packages/client/src/index.ts'
import { useSite } from '../current.ts'
import { Empty } from '../parts/list.tsx'
import { Loaded } from '../parts/loaded.tsx'
import { Page } from '../parts/page.tsx'
import { FrameLink } from '../parts/things.tsx'
import { useRead } from '../reading.ts'
import { linkTo, path, type ViewProps } from '../router.ts'
import { count, duration, time } from '../text.ts'

type Work = Output<'getWork'>

/** What of a site is not built yet, and what fails. */
export function View(_: ViewProps<'site'>) {
  const { site_id: site } = useSite()
  const { reading, reload } = useRead('getWork', { site_id: site })
  return (
    <Page
      title="Work"
      lead="Frames and pages that are still to be built after the last changes."
      actions={
        <button type="button" onClick={reload}>
          Read again
        </button>
      }
    >
      <Loaded reading={reading} retry={reload}>
        {(work) => (
          <>
            <Figures work={work} />
            <Failures site={site} work={work} />
          </>
        )}
      </Loaded>
    </Page>
  )
}

function Figures({ work: { pending, running, failing, oldest } }: { readonly work: Work }) {
  return (
    <dl class="figures">
      <Figure name="Pending" counts={pending} />
      <Figure name="Running now" counts={running} />
      <Figure name="Failing" counts={failing} />
      <div class="figure">
        <dt>Oldest</dt>
        <dd>
          {oldest === null ? <small>nothing waits</small> : duration(oldest.age_s)}
          {oldest !== null && <small> since {time(oldest.since)}</small>}
        </dd>
      </div>
    </dl>
  )
}

function Figure({
  name,
  counts: { pages, frames, purges },
}: {
  readonly name: string
  readonly counts: Work['pending']
}) {
  return (
    <div class="figure">
      <dt>{name}</dt>
      <dd>
        {pages} <small>{pages === 1 ? 'page' : 'pages'}, </small>
        {frames} <small>{frames === 1 ? 'frame' : 'frames'}</small>
        {purges > 0 && (
          <>
            , {purges} <small>{purges === 1 ? 'purge' : 'purges'}</small>
          </>
        )}
      </dd>
    </div>
  )
}

function Failures({
  site,
  work: { failures, failing, pending },
}: {
  readonly site: number
  readonly work: Work
}) {
  const total = failing.pages + failing.frames + failing.purges
  if (failures.length === 0)
    return (
      <Empty>
        {pending.pages + pending.frames + pending.purges === 0
          ? 'Everything is built.'
          : 'Nothing fails. What is pending is built by itself.'}
      </Empty>
    )
  return (
    <>
      <table class="list">
        <thead>
          <tr>
            <th scope="col">What</th>
            <th scope="col">Reason</th>
            <th scope="col" class="number">
              Tries
            </th>
            <th scope="col">Since</th>
            <th scope="col">Next try</th>
          </tr>
        </thead>
        <tbody>
          {failures.map((failure) => (
            <tr key={`${failure.kind} ${failure.name}`}>
              <th scope="row">
                <WorkName site={site} {...failure} />
              </th>
              <td data-label="Reason" dir="auto">
                {failure.error ?? 'unknown'}
              </td>
              <td data-label="Tries" class="number">
                {failure.tries}
              </td>
              <td data-label="Since">{time(failure.since)}</td>
              <td data-label="Next try">
                {failure.next_try_in_s === 0 ? 'due' : `in ${duration(failure.next_try_in_s)}`}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {total > failures.length && (
        <p class="none">and {count(total - failures.length, 'more', 'more')}</p>
      )}
    </>
  )
}

type Failure = Work['failures'][number]

/** What a row of the work builds, with a link where there is a view. */
function WorkName({
  site,
  kind,
  name,
}: Pick<Failure, 'kind' | 'name'> & { readonly site: number }) {
  switch (kind) {
    case 'page':
      return <a href={linkTo(path`/sites/${site}/pages/${name}`)}>Page {name}</a>
    case 'purge':
      return <>Purge of {name === '' ? 'all pages' : `page ${name}`} from page caches</>
    case 'frame':
      return (
        <>
          Frame <FrameLink site={site} slug={name} />
        </>
      )
    case 'embeds':
      return (
        <>
          Frames that embed <bdi>{name}</bdi>
        </>
      )
    case 'dataset':
      return (
        <>
          Frames that read the data set <bdi>{name}</bdi>
        </>
      )
    case 'outdated':
      return (
        <>
          Pages that show <bdi>{name}</bdi>
        </>
      )
    case 'all':
      return <>All frames</>
    case 'copies':
      return <>Static copies that are to be removed</>
    default:
      return <>Frames that show {kind}</>
  }
}
