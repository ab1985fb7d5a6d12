import type { Output } from '../../../client/src/index.ts'
import { maySend, useSite } from '../current.ts'
import { draftsOf } from '../editing/drafts.ts'
import { NewFrameDialog } from '../editing/new-frame-dialog.tsx'
import { DialogButton } from '../parts/dialog.tsx'
import { Later } from '../parts/later.tsx'
import { Empty, Pager, QuerySelect, SearchField } from '../parts/list.tsx'
import { Loaded } from '../parts/loaded.tsx'
import { Notice } from '../parts/notice.tsx'
import { Page } from '../parts/page.tsx'
import { Table } from '../parts/table.tsx'
import { FrameLink } from '../parts/things.tsx'
import { Time } from '../parts/time.tsx'
import { useSiteRead } from '../reading.ts'
import { inSite, linkTo, parameter } from '../router.ts'
import { count, size } from '../text.ts'
import { type Names, userName } from './history/describe-entry.ts'

const SELECTIONS = [
  ['problems', 'With problems'],
  ['unused', 'Unused'],
] as const

const ORDERS = [
  ['slug', 'By slug'],
  ['updated', 'Latest change'],
  ['size', 'Largest'],
] as const

/** The frames of a site. */
export function View() {
  const q = parameter('q')
  const only = SELECTIONS.find(([name]) => name === parameter('only'))?.[0]
  const { reading, reload } = useSiteRead('listFrames', {
    q,
    only,
    sort: ORDERS.find(([name]) => name === parameter('sort'))?.[0],
    after: parameter('after') || undefined,
    limit: 100,
    details: true,
  })
  return (
    <Page
      title="Frames"
      actions={
        maySend('frames') && (
          <DialogButton label="New frame" class="primary" isAsked={parameter('new') !== ''}>
            {(onClose) => <NewFrameDialog onClose={onClose} />}
          </DialogButton>
        )
      }
    >
      <UnsavedChanges />
      <div class="toolbar">
        <SearchField label="Search frames" placeholder="Part of a slug" />
        <QuerySelect name="only" label="Show" options={[['', 'All'], ...SELECTIONS]} />
        <QuerySelect name="sort" label="Sort" options={ORDERS} />
      </div>
      <Loaded reading={reading} retry={reload}>
        {({ total, frames, next, names }) => (
          <>
            {frames.length === 0 ? (
              q !== '' || only ? (
                <Empty>No such frame.</Empty>
              ) : maySend('frames') ? (
                <Later load={async () => (await import('./frames/begin.tsx')).Begin} props={{}} />
              ) : (
                <Empty>This site has no frames.</Empty>
              )
            ) : (
              <FrameTable {...{ frames, names }} />
            )}
            <Pager {...{ total, next }} one="frame" shown={frames.length} />
          </>
        )}
      </Loaded>
    </Page>
  )
}

/** A link to the unsaved changes of this tab, if there are any. */
function UnsavedChanges() {
  const drafts = draftsOf(useSite().site_id)
  if (drafts.length === 0) return null
  return (
    <Notice tone="warn">
      <p>
        <a href={linkTo(inSite('/changes'))}>{count(drafts.length, 'frame')}</a> with unsaved text
        in this tab.
      </p>
    </Notice>
  )
}

type Frames = Output<'listFrames'>['frames']

function FrameTable({
  frames,
  names,
}: {
  readonly frames: Frames
  readonly names: Names | undefined
}) {
  return (
    <Table
      rows={frames}
      keyOf={({ id }) => id}
      columns={[
        {
          title: 'Frame',
          cell: ({ slug }) => <FrameLink slug={slug} />,
        },
        {
          title: 'Problems',
          cell: ({ details }) =>
            details && details.problems_total > 0 ? (
              <span class="badge bad" title={details.problems[0]}>
                {details.problems_total}
              </span>
            ) : (
              <span class="none">none</span>
            ),
        },
        {
          title: 'Pages',
          isNumber: true,
          cell: ({ pages = [], details }) => (
            <PagesShowing direct={pages.length} all={details?.shown_on ?? pages.length} />
          ),
        },
        {
          title: 'Embeds',
          isNumber: true,
          cell: ({ details, frame_refs }) => details?.embeds ?? frame_refs.length,
        },
        {
          title: 'Embedded by',
          isNumber: true,
          cell: ({ details }) => details?.embedded_by,
        },
        { title: 'Size', isNumber: true, cell: ({ bytes }) => size(bytes) },
        { title: 'Changed', cell: ({ updated_at_gmt }) => <Time at={updated_at_gmt} /> },
        {
          title: 'By',
          cell: ({ updated_by }) => updated_by > 0 && <bdi>{userName(updated_by, names)}</bdi>,
        },
      ]}
    />
  )
}

/** Pages of a frame, and those that show it through frames that embed it. */
function PagesShowing({ direct, all }: { readonly direct: number; readonly all: number }) {
  if (all === direct) return <>{direct}</>
  return (
    <>
      {all}{' '}
      <span class="none">{direct === 0 ? 'through others' : `${all - direct} through others`}</span>
    </>
  )
}
