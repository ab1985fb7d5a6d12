import type { Output } from '../../../client/src/index.ts'
import { api } from '../client.ts'
import { maySend } from '../current.ts'
import { useEditedFrame } from '../editing/edited-frame.ts'
import { Editing } from '../editing/editing.tsx'
import { NewFrameDialog } from '../editing/new-frame-dialog.tsx'
import { DialogButton } from '../parts/dialog.tsx'
import { Loaded } from '../parts/loaded.tsx'
import { Facts, Page, Panel } from '../parts/page.tsx'
import { FrameThings, PageLink, Things } from '../parts/things.tsx'
import { Time } from '../parts/time.tsx'
import { useSiteRead } from '../reading.ts'
import { inSite, linkTo, type ViewProps } from '../router.ts'
import { count, size, textOf } from '../text.ts'
import { FrameActions, FrameViews } from './frame/frame-actions.tsx'
import { type Names, userName } from './history/describe-entry.ts'
import { UnassignDialog } from './pages/assign-dialog.tsx'

/** A frame as it is now: without `at`, the answer is never a former state. */
type Frame = Extract<Output<'getFrame'>, { frame: { referenced_by: string[] } }>['frame']

/** One frame: its markup and a page with it, both at hand at once; below them its relations. */
export function View({ params: { frame: ref } }: ViewProps<'site' | 'frame'>) {
  const edited = useEditedFrame(ref)
  const { reading, reload } = useSiteRead('getFrame', { ref, details: true })
  const slug = reading.state === 'ready' ? reading.answer.frame.slug : ref
  const isMissing = reading.state === 'failed' && reading.error.code === 'frame_not_found'
  return (
    <Page
      title={slug}
      trail={[{ label: 'Frames', href: linkTo(inSite()) }]}
      actions={
        <>
          {reading.state === 'ready' && (
            <FrameActions {...{ slug, reload }} etag={api().etagOf(reading.answer)} />
          )}
          <FrameViews {...{ slug, isMissing }} />
        </>
      }
    >
      <Loaded reading={edited.reading} retry={edited.reload}>
        {(frame) => <Editing edited={frame} onStored={reload} />}
      </Loaded>
      {reading.state === 'ready' && (
        <About
          reload={reload}
          frame={reading.answer.frame as Frame}
          names={'names' in reading.answer ? reading.answer.names : undefined}
        />
      )}
      {isMissing && edited.reading.state === 'failed' && maySend('frames') && (
        <DialogButton label="New frame" class="primary">
          {(onClose) => <NewFrameDialog name={slug} onClose={onClose} />}
        </DialogButton>
      )}
    </Page>
  )
}

type AboutProps = {
  readonly frame: Frame
  readonly names: Names | undefined
  readonly reload: () => void
}

/** What is known of the stored frame. */
function About({ frame, names, reload }: AboutProps) {
  return (
    <div class="two">
      <Panel title="Where it is shown">
        <PagesOfFrame key={frame.pages.join()} {...{ frame, reload }} />
        <FrameThings
          title="Embedded by"
          total={frame.referenced_by.length}
          items={frame.referenced_by.map(asFrame)}
          none="No other frame."
        />
      </Panel>
      <Panel title="What it shows">
        <FrameThings
          title="Frames"
          total={frame.frame_refs.length}
          items={frame.frame_refs.map(asFrame)}
          none="No other frame."
        />
        <Things title="Data" total={frame.sources.length} items={frame.sources} none="No data.">
          {(source) => <code>{source}</code>}
        </Things>
      </Panel>
      <section class="panel">
        <h2>About it</h2>
        <Facts
          facts={{
            Changed: (
              <>
                <Time at={frame.updated_at_gmt} />{' '}
                {frame.updated_by > 0 && (
                  <>
                    by <bdi>{userName(frame.updated_by, names)}</bdi>
                  </>
                )}
              </>
            ),
            Created: <Time at={frame.created_at_gmt} />,
            Size: `${count(frame.html.split('\n').length, 'line')}, ${size(frame.bytes)}`,
            Rendered: frame.renders_on_request ? 'for each page' : 'once for all pages',
            Id: <code>{frame.id}</code>,
          }}
        />
      </section>
    </div>
  )
}

const asFrame = (slug: string) => ({ slug })

function PagesOfFrame({ frame, reload }: { readonly frame: Frame; readonly reload: () => void }) {
  const isUsed = frame.pages.length > 0
  const { reading } = useSiteRead('listPages', isUsed ? { frame: frame.id, limit: 50 } : undefined)
  const through = frame.details ? frame.details.shown_on - frame.pages.length : 0
  const { slug } = frame
  if (isUsed && reading.state !== 'ready') return <Loaded reading={reading}>{() => null}</Loaded>
  const { total, pages } = reading.state === 'ready' ? reading.answer : { total: 0, pages: [] }
  return (
    <>
      <Things title="Pages" total={total} items={pages} none="Assigned to no page.">
        {(page) => (
          <span class="thing">
            <PageLink page={page} />
            {maySend('frames') && (
              <DialogButton
                label="Unassign"
                class="link"
                aria-label={`Unassign: ${textOf(page.title) || `page ${page.id}`}`}
              >
                {(onClose) => <UnassignDialog pages={[page]} onClose={onClose} onDone={reload} />}
              </DialogButton>
            )}
          </span>
        )}
      </Things>
      {through > 0 && (
        <p>
          Also shown on{' '}
          <a href={linkTo(inSite('/graph'), { frame: slug })}>{count(through, 'page')}</a> through
          frames that embed it.
        </p>
      )}
    </>
  )
}
