import { useSite } from '../../current.ts'
import { Loaded } from '../../parts/loaded.tsx'
import { FrameLink, type Impact, PageLink, Things } from '../../parts/things.tsx'
import { useRead } from '../../reading.ts'

/** Frames that are built again, and pages that are published again. */
export function ChangeImpact({
  change: { frames, frames_total, pages, pages_total },
}: {
  readonly change: Impact['change']
}) {
  return (
    <>
      <Things title="Frames built again" total={frames_total} items={frames} none="No other frame.">
        {({ slug }) => <FrameLink slug={slug} />}
      </Things>
      <Things title="Pages published again" total={pages_total} items={pages} none="No page.">
        {(page) => <PageLink page={page} />}
      </Things>
    </>
  )
}

/** Pages and frames that lack a frame when it is deleted. */
export function DeletionImpact({
  deletion: { embedders, embedders_total, pages, pages_total },
}: {
  readonly deletion: Impact['deletion']
}) {
  return (
    <>
      <Things
        title="Pages that visitors cannot open afterwards"
        total={pages_total}
        items={pages}
        none="No page."
      >
        {(page) => <PageLink page={page} />}
      </Things>
      <Things
        title="Frames in which it is missing afterwards"
        total={embedders_total}
        items={embedders}
        none="No other frame."
      >
        {({ slug }) => <FrameLink slug={slug} />}
      </Things>
    </>
  )
}

/** Reads and shows what a change or the deletion of a frame touches. */
export function ImpactOf({
  slug,
  isDeletion = false,
}: {
  readonly slug: string
  readonly isDeletion?: boolean
}) {
  const { site_id } = useSite()
  const { reading, reload } = useRead('getGraph', { site_id, frame: slug })
  return (
    <Loaded reading={reading} retry={reload}>
      {({ impact }) =>
        impact &&
        (isDeletion ? (
          <DeletionImpact deletion={impact.deletion} />
        ) : (
          <ChangeImpact change={impact.change} />
        ))
      }
    </Loaded>
  )
}
