import type { Output } from '../../../../client/src/index.ts'
import { type Column, Table } from '../../parts/table.tsx'
import { FrameLink } from '../../parts/things.tsx'
import { Time } from '../../parts/time.tsx'
import { linkTo, path } from '../../router.ts'
import { duration, textOf } from '../../text.ts'

/** Work whose last attempt failed, with its site. */
type Failure = Output<'getNetworkWork'>['failures'][number]

type FailuresProps = {
  readonly failures: readonly Failure[]
  /** Titles of pages by id, of a site. */
  readonly titles: (site: number) => Readonly<Record<string, string>> | undefined
  /** Further columns. */
  readonly others?: readonly Column<Failure>[]
}

/** What fails, and why. */
export function Failures({ failures, titles, others = [] }: FailuresProps) {
  return (
    <Table
      label="What fails"
      rows={failures}
      keyOf={({ site_id, kind, name }) => `${site_id} ${kind} ${name}`}
      columns={[
        {
          title: 'What',
          cell: (failure) => (
            <WorkName {...failure} title={titles(failure.site_id)?.[failure.name]} />
          ),
        },
        ...others,
        { title: 'Reason', cell: ({ error }) => <span dir="auto">{error ?? 'unknown'}</span> },
        { title: 'Tries', isNumber: true, cell: ({ tries }) => tries },
        { title: 'Since', cell: ({ since }) => <Time at={since} /> },
        {
          title: 'Next try',
          cell: ({ next_try_in_s }) =>
            next_try_in_s === 0 ? 'due' : `in ${duration(next_try_in_s)}`,
        },
      ]}
    />
  )
}

/** What a row of the work builds, with a link where there is a view. */
function WorkName({
  site_id: site,
  kind,
  name,
  title = '',
}: Failure & { readonly title: string | undefined }) {
  switch (kind) {
    case 'page':
      return (
        <a href={linkTo(path`/sites/${site}/pages/${name}`)} dir="auto">
          {textOf(title) || `Page ${name}`}
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
