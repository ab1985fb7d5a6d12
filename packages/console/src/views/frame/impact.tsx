import { Loaded } from '../../parts/loaded.tsx'
import { FrameThings, type Impact, PageThings } from '../../parts/things.tsx'
import { useSiteRead } from '../../reading.ts'

/** Frames that are built again, and pages that are published again. */
export function ChangeImpact({
  change: { frames, frames_total, pages, pages_total },
}: {
  readonly change: Impact['change']
}) {
  return (
    <>
      <FrameThings
        title="Frames built again"
        total={frames_total}
        items={frames}
        none="No other frame."
      />
      <PageThings title="Pages published again" total={pages_total} items={pages} none="No page." />
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
      <PageThings
        title="Pages that visitors cannot open afterwards"
        total={pages_total}
        items={pages}
        none="No page."
      />
      <FrameThings
        title="Frames in which it is missing afterwards"
        total={embedders_total}
        items={embedders}
        none="No other frame."
      />
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
  const { reading, reload } = useSiteRead('getGraph', { frame: slug })
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
