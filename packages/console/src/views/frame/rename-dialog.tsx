import { useSignal } from '@preact/signals'
import { BatchDialog } from '../../parts/batch-dialog.tsx'
import { SlugField } from '../../parts/slug-field.tsx'
import { FrameLink, Things } from '../../parts/things.tsx'
import { goTo, path } from '../../router.ts'
import { count } from '../../text.ts'
import { answerOf, type Written } from '../../writes.ts'
import type { FrameDialogProps } from './frame-dialog.ts'
import { ImpactOf } from './impact.tsx'

/** Renames a frame: first shows what that changes, then asks. */
export function RenameDialog({ site, slug, etag, onClose }: FrameDialogProps) {
  const wanted = useSignal<string | undefined>(undefined)
  const to = wanted.value
  const frame = path`/frames/${slug}`
  return (
    <BatchDialog
      site={site}
      title={`Rename ${slug}`}
      label="Rename"
      of={to ?? ''}
      input={
        <SlugField
          site={site}
          initial={slug}
          current={slug}
          onSlug={(found, isSettled) => {
            wanted.value = isSettled ? found : undefined
          }}
        />
      }
      writes={
        to === undefined
          ? undefined
          : [{ method: 'PATCH', path: frame, headers: { 'If-Match': etag }, body: { slug: to } }]
      }
      done={(written) => `${slug} is renamed to ${renamedIn(written).to}.`}
      onStored={(written) => goTo(path`/sites/${site}/frames/${renamedIn(written).to}`)}
      backTo={`/sites/${site}${frame}`}
      onClose={onClose}
    >
      {(found) => {
        const { from, to, details } = renamedIn(found)
        return (
          <>
            <p>
              <strong>{from}</strong> becomes <strong>{to}</strong>.
            </p>
            <Things
              title="Frames whose markup is rewritten"
              total={details.length}
              items={details}
              none="No frame embeds it."
            >
              {({ slug: name, replaced }) => (
                <span class="thing">
                  <FrameLink site={site} slug={name} />
                  <span class="none">{count(replaced, 'reference')}</span>
                </span>
              )}
            </Things>
            <ImpactOf {...{ site, slug }} />
          </>
        )
      }}
    </BatchDialog>
  )
}

const renamedIn = (written: Written) => answerOf<'renameFrame'>(written).renamed
