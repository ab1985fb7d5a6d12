import { Loaded } from '../../parts/loaded.tsx'
import { FrameLink, type Impact, PageLink, Things } from '../../parts/things.tsx'
import { useRead } from '../../reading.ts'

/** Frames that are baked again, and pages that are published again. */
export function ChangeImpact({
  site,
  change: { frames, frames_total, pages, pages_total },
}: {
  readonly site: number
  readonly change: Impact['change']
}) {
  return (
    <>
      <Things title="Frames built again" total={frames_total} items={frames} none="No other frame.">
        {({ slug }) => <FrameLink {...{ site, slug }} />}
      </Things>
      <Things title="Pages published again" total={pages_total} items={pages} none="No page.">
        {(page) => <PageLink {...{ site, page }} />}
      </Things>
    </>
  )
}

/** Reads and shows what a change of a frame touches. */
export function ImpactOf({ site, slug }: { readonly site: number; readonly slug: string }) {
  const { reading, reload } = useRead('getGraph', { site_id: site, frame: slug })
  return (
    <Loaded reading={reading} retry={reload}>
      {({ impact }) => impact && <ChangeImpact site={site} change={impact.change} />}
    </Loaded>
  )
}
