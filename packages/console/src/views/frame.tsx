import type { Output } from '../../../client/src/index.ts'
import { useSiteRead } from '../calls.ts'
import { api } from '../client.ts'
import { maySend } from '../current.ts'
import { useEditedFrame } from '../editing/edited-frame.ts'
import { Editing } from '../editing/editing.tsx'
import { NewFrameDialog } from '../editing/new-frame-dialog.tsx'
import { userName } from '../entries.ts'
import { DialogButton } from '../parts/dialog.tsx'
import { Time } from '../parts/list.tsx'
import { Loaded } from '../parts/notice.tsx'
import { Facts, Page, Panel } from '../parts/page.tsx'
import { FrameThings, PageLink, Things } from '../parts/things.tsx'
import { inSite, linkTo, path, type ViewProps } from '../router.ts'
import { count, pageTitle, size } from '../text.ts'
import { FrameActions } from './frame/frame-actions.tsx'
import { UnassignDialog } from './pages/assign-dialog.tsx'

/** A frame as it is now: without `at`, the answer is never a former state. */
type Frame = Extract<Output<'getFrame'>, { frame: { referenced_by: string[] } }>['frame']

/** One frame: its markup and a page with it, both at hand at once; below them its relations. */
export function View({ params: { frame: ref } }: ViewProps<'site' | 'frame'>) {
  const edited = useEditedFrame(ref)
  const { reading, answer, reload } = useSiteRead('getFrame', { ref, details: true })
  const frame = answer?.frame as Frame | undefined
  const names = answer && 'names' in answer ? answer.names : undefined
  const slug = frame?.slug ?? ref
  const isMissing = reading.state === 'failed' && reading.error.code === 'frame_not_found'
  return (
    <Page
      title={slug}
      trail={[{ label: 'Frames', href: linkTo(inSite()) }]}
      actions={
        <>
          {answer && <FrameActions {...{ slug, reload }} etag={api().etagOf(answer)} />}
          <nav class="segments" aria-label="Views of the frame">
            <a href={linkTo(inSite(path`/frames/${slug}`))} aria-current="page">
              Frame
            </a>
            {!isMissing && <a href={linkTo(inSite('/graph'), { frame: slug })}>Graph</a>}
            <a href={linkTo(inSite('/history'), { kind: 'frame', ref: slug })}>History</a>
          </nav>
        </>
      }
    >
      <Loaded reading={edited.reading} retry={edited.reload}>
        {(found) => <Editing edited={found} onStored={reload} />}
      </Loaded>
      {frame && (
        <div class="two">
          <Panel title="Where it is shown">
            <PagesOfFrame key={frame.pages.join()} {...{ frame, reload }} />
            <FrameThings title="Embedded by" items={frame.referenced_by.map(asFrame)} />
          </Panel>
          <Panel title="What it shows">
            <FrameThings title="Frames" items={frame.frame_refs.map(asFrame)} />
            <Things title="Data" items={frame.sources} none="No data.">
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
      )}
      {isMissing && edited.reading.state === 'failed' && maySend('frames') && (
        <DialogButton label="New frame" class="primary">
          {(onClose) => <NewFrameDialog name={slug} onClose={onClose} />}
        </DialogButton>
      )}
    </Page>
  )
}

const asFrame = (slug: string) => ({ slug })

function PagesOfFrame({ frame, reload }: { readonly frame: Frame; readonly reload: () => void }) {
  const isUsed = frame.pages.length > 0
  const { reading, answer } = useSiteRead(
    'listPages',
    isUsed ? { frame: frame.id, limit: 50 } : undefined,
  )
  const through = frame.details ? frame.details.shown_on - frame.pages.length : 0
  const { slug } = frame
  if (isUsed && !answer) return <Loaded reading={reading}>{() => null}</Loaded>
  const { total, pages } = answer ?? { total: 0, pages: [] }
  return (
    <>
      <Things title="Pages" total={total} items={pages} none="Assigned to no page itself.">
        {(page) => (
          <span class="thing">
            <PageLink page={page} />
            {maySend('frames') && (
              <DialogButton
                label="Unassign"
                class="link"
                aria-label={`Unassign: ${pageTitle(page)}`}
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
