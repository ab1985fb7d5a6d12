import type { Output } from '../../../../client/src/index.ts'
import type { BuildCounts, BuildStatus } from '../../checks.tsx'
import { type Columns, Table, Time } from '../../parts/list.tsx'
import { FrameLink } from '../../parts/things.tsx'
import { linkTo, path } from '../../router.ts'
import { count, duration, pageTitle } from '../../text.ts'

/** How much is to be built, of one site or of all. */
export function Figures({ pending, running, failing, oldest }: BuildStatus) {
  return (
    <dl class="figures">
      {Object.entries({
        Pending: describe(pending),
        'Running now': describe(running),
        Failing: describe(failing),
        Oldest: oldest === null ? 'nothing waits' : <Time at={oldest.since} />,
      }).map(([name, figure]) => (
        <div key={name} class="figure">
          <dt>{name}</dt>
          <dd>{figure}</dd>
        </div>
      ))}
    </dl>
  )
}

const describe = ({ pages, frames, purges }: BuildCounts): string =>
  [
    count(pages, 'page'),
    count(frames, 'frame'),
    ...(purges > 0 ? [count(purges, 'purge')] : []),
  ].join(', ')

/** Work whose last attempt failed, with its site. */
type Failure = Output<'getNetworkWork'>['failures'][number]

type FailuresProps = {
  readonly failures: readonly Failure[]
  /** Titles of pages by id, of a site. */
  readonly titles: (site: number) => Readonly<Record<string, string>> | undefined
  /** Further columns. */
  readonly others?: Columns<Failure>
}

/** What fails, and why. */
export function Failures({ failures, titles, others = {} }: FailuresProps) {
  return (
    <Table
      label="What fails"
      rows={failures}
      keyOf={({ site_id, kind, name }) => `${site_id} ${kind} ${name}`}
      numbers={['Tries']}
      columns={{
        What: (failure) => (
          <WorkName {...failure} title={titles(failure.site_id)?.[failure.name]} />
        ),
        ...others,
        Reason: ({ error }) => <span dir="auto">{error ?? 'unknown'}</span>,
        Tries: ({ tries }) => tries,
        Since: ({ since }) => <Time at={since} />,
        'Next try': ({ next_try_in_s }) =>
          next_try_in_s === 0 ? 'due' : `in ${duration(next_try_in_s)}`,
      }}
    />
  )
}

/** What a row of the work builds, with a link where there is a view. */
function WorkName({
  site_id: site,
  kind,
  name,
  title,
}: Failure & { readonly title: string | undefined }) {
  switch (kind) {
    case 'page':
      return (
        <a href={linkTo(path`/sites/${site}/pages/${name}`)} dir="auto">
          {pageTitle({ id: name, title })}
        </a>
      )
    case 'frame':
      return (
        <>
          Frame <FrameLink site={site} slug={name} />
        </>
      )
    case 'purge':
      return <>Purge of {name === '' ? 'all pages' : `page ${name}`} from page caches</>
    default: {
      const [before = `Frames that show ${kind}`, ofName = false] = OTHERS[kind] ?? []
      return (
        <>
          {before} {ofName && <bdi>{name}</bdi>}
        </>
      )
    }
  }
}

/** Other kinds for readers, and whether their name belongs to it. */
const OTHERS: Readonly<Record<string, readonly [text: string, ofName?: boolean]>> = {
  embeds: ['Frames that embed', true],
  dataset: ['Frames that read the data set', true],
  outdated: ['Pages that show', true],
  all: ['All frames'],
  copies: ['Static copies that are to be removed'],
}
