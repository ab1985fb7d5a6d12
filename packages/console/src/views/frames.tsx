import type { Output } from '../../../client/src/index.ts'
import { maySend, me, useSite } from '../current.ts'
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
import { useRead } from '../reading.ts'
import { linkTo, type ViewProps } from '../router.ts'
import { count, size } from '../text.ts'
import { type Names, userName } from './history/describe-entry.ts'

const SELECTIONS = [
  ['all', 'All'],
  ['problems', 'With problems'],
  ['unused', 'Unused'],
] as const

const ORDERS = [
  ['slug', 'By slug'],
  ['updated', 'Latest change'],
  ['size', 'Largest'],
] as const

/** The frames of a site. */
export function View({ query }: ViewProps<'site'>) {
  const { site_id } = useSite()
  const q = query.get('q') ?? ''
  const only = SELECTIONS.find(([name]) => name === query.get('only'))?.[0] ?? 'all'
  const sort = ORDERS.find(([name]) => name === query.get('sort'))?.[0] ?? 'slug'
  const { reading, reload } = useRead('listFrames', {
    site_id,
    q,
    only: only === 'all' ? undefined : only,
    sort,
    after: query.get('after') ?? undefined,
    limit: 100,
    details: true,
  })
  return (
    <Page
      title="Frames"
      actions={
        maySend('frames') && (
          <DialogButton label="New frame" class="primary" isAsked={query.has('new')}>
            {(onClose) => <NewFrameDialog onClose={onClose} />}
          </DialogButton>
        )
      }
    >
      <UnsavedChanges site={site_id} />
      <div class="toolbar">
        <SearchField label="Search frames" placeholder="Part of a slug" value={q} />
        <QuerySelect name="only" label="Show" value={only} options={SELECTIONS} />
        <QuerySelect name="sort" label="Sort" value={sort} options={ORDERS} />
      </div>
      <Loaded reading={reading} retry={reload}>
        {({ total, frames, next, names }) => (
          <>
            {frames.length === 0 ? (
              q !== '' || only !== 'all' ? (
                <Empty>No such frame.</Empty>
              ) : maySend('frames') ? (
                <Later
                  load={async () => (await import('./frames/begin.tsx')).Begin}
                  props={{ site: site_id }}
                />
              ) : (
                <Empty>This site has no frames.</Empty>
              )
            ) : (
              <FrameTable {...{ frames, names }} />
            )}
            <Pager {...{ total, next, query }} one="frame" shown={frames.length} />
          </>
        )}
      </Loaded>
    </Page>
  )
}

/** A link to the unsaved changes of this tab, if there are any. */
function UnsavedChanges({ site }: { readonly site: number }) {
  const drafts = me.value ? draftsOf({ user: me.value.user.id, site }) : []
  if (drafts.length === 0) return null
  return (
    <Notice tone="warn">
      <p>
        <a href={linkTo(`/sites/${site}/changes`)}>{count(drafts.length, 'frame')}</a> with unsaved
        text in this tab.
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
