import { useSiteRead } from '../calls.ts'
import { maySend, useSite } from '../current.ts'
import { draftsOf } from '../editing/frame-changes.ts'
import { NewFrameDialog } from '../editing/new-frame-dialog.tsx'
import { userName } from '../entries.ts'
import { DialogButton } from '../parts/dialog.tsx'
import { Later } from '../parts/later.tsx'
import { Pager, QuerySelect, SearchField, Table, Time } from '../parts/list.tsx'
import { Loaded, Notice } from '../parts/notice.tsx'
import { Page } from '../parts/page.tsx'
import { FrameLink } from '../parts/things.tsx'
import { inSite, linkTo, parameter } from '../router.ts'
import { count, size } from '../text.ts'

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
  const drafts = draftsOf(useSite().site_id)
  const q = parameter('q')
  const only = SELECTIONS.find(([name]) => name === parameter('only'))?.[0]
  const isFiltered = q !== '' || only !== undefined
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
      {drafts.length > 0 && (
        <Notice tone="warn">
          <p>
            <a href={linkTo(inSite('/changes'))}>{count(drafts.length, 'frame')}</a> with unsaved
            text in this tab.
          </p>
        </Notice>
      )}
      <div class="toolbar">
        <SearchField label="Search frames" placeholder="Part of a slug" />
        <QuerySelect name="only" label="Show" options={[['', 'All'], ...SELECTIONS]} />
        <QuerySelect name="sort" label="Sort" options={ORDERS} />
      </div>
      <Loaded reading={reading} retry={reload}>
        {({ total, frames, next, names }) => (
          <>
            {frames.length === 0 && !isFiltered && maySend('frames') ? (
              <Later load={async () => (await import('./frames/begin.tsx')).Begin} props={{}} />
            ) : (
              <Table
                rows={frames}
                keyOf={({ id }) => id}
                empty={isFiltered ? 'No such frame.' : 'This site has no frames.'}
                numbers={['Pages', 'Embeds', 'Embedded by', 'Size']}
                columns={{
                  Frame: ({ slug }) => <FrameLink slug={slug} />,
                  Problems: ({ details }) =>
                    details && details.problems_total > 0 ? (
                      <span class="badge bad" title={details.problems[0]}>
                        {details.problems_total}
                      </span>
                    ) : (
                      <span class="none">none</span>
                    ),
                  Pages: ({ pages = [], details }) => {
                    const all = details?.shown_on ?? pages.length
                    const through = pages.length === 0 ? '' : `${all - pages.length} `
                    if (all === pages.length) return all
                    return (
                      <>
                        {all} <span class="none">{through}through others</span>
                      </>
                    )
                  },
                  Embeds: ({ details, frame_refs }) => details?.embeds ?? frame_refs.length,
                  'Embedded by': ({ details }) => details?.embedded_by,
                  Size: ({ bytes }) => size(bytes),
                  Changed: ({ updated_at_gmt }) => <Time at={updated_at_gmt} />,
                  By: ({ updated_by }) =>
                    updated_by > 0 && <bdi>{userName(updated_by, names)}</bdi>,
                }}
              />
            )}
            <Pager {...{ total, next }} one="frame" shown={frames.length} />
          </>
        )}
      </Loaded>
    </Page>
  )
}
