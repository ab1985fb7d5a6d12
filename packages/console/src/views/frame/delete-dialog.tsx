import { BatchDialog } from '../../parts/batch-dialog.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { FrameLink, PageLink, Things } from '../../parts/things.tsx'
import { useRead } from '../../reading.ts'
import { goTo, path } from '../../router.ts'
import { answerOf } from '../../writes.ts'
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
      {(found) => <Broken {...{ site, slug }} warnings={answerOf<'deleteFrame'>(found).warnings} />}
    </BatchDialog>
  )
}

function Broken({
  site,
  slug,
  warnings,
}: {
  readonly site: number
  readonly slug: string
  readonly warnings: readonly string[]
}) {
  const { reading, reload } = useRead('getGraph', { site_id: site, frame: slug })
  return (
    <>
      {warnings.length === 0 ? (
        <p>No page and no other frame uses it.</p>
      ) : (
        <ul class="problems">
          {warnings.map((warning) => (
            <li key={warning}>{warning}</li>
          ))}
        </ul>
      )}
      <Loaded reading={reading} retry={reload}>
        {({ impact }) =>
          impact && (
            <>
              <Things
                title="Pages without a frame afterwards"
                total={impact.deletion.pages_total}
                items={impact.deletion.pages}
                none="No page."
              >
                {(page) => <PageLink {...{ site, page }} />}
              </Things>
              <Things
                title="Frames that print nothing for it afterwards"
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
    </>
  )
}
