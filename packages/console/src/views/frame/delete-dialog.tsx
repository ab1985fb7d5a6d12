import { BatchDialog } from '../../parts/batch-dialog.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { FrameLink, PageLink, Things } from '../../parts/things.tsx'
import { useRead } from '../../reading.ts'
import { goTo, path } from '../../router.ts'
import type { FrameDialogProps } from './frame-dialog.ts'

/** Deletes a frame: first shows what that breaks, then asks. */
export function DeleteDialog({ site, slug, etag, onClose }: FrameDialogProps) {
  return (
    <BatchDialog
      site={site}
      title={`Delete ${slug}`}
      label="Delete"
      isDangerous
      writes={[{ method: 'DELETE', path: path`/frames/${slug}`, headers: { 'If-Match': etag } }]}
      done={() => `${slug} is deleted.`}
      onStored={() => goTo(`/sites/${site}`)}
      onClose={onClose}
    >
      {() => <Broken {...{ site, slug }} />}
    </BatchDialog>
  )
}

function Broken({ site, slug }: { readonly site: number; readonly slug: string }) {
  const { reading, reload } = useRead('getGraph', { site_id: site, frame: slug })
  return (
    <Loaded reading={reading} retry={reload}>
      {({ impact }) =>
        impact && (
          <>
            <Things
              title="Pages that visitors cannot open afterwards"
              total={impact.deletion.pages_total}
              items={impact.deletion.pages}
              none="No page."
            >
              {(page) => <PageLink {...{ site, page }} />}
            </Things>
            <Things
              title="Frames in which it is missing afterwards"
              total={impact.deletion.embedders_total}
              items={impact.deletion.embedders}
              none="No other frame."
            >
              {({ slug: embedder }) => <FrameLink site={site} slug={embedder} />}
            </Things>
          </>
        )
      }
    </Loaded>
  )
}
