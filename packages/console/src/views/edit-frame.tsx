import { useSite } from '../current.ts'
import { useEditedFrame } from '../editing/edited-frame.ts'
import { Editing } from '../editing/editing.tsx'
import { type PagesToShow, usePagesToShow } from '../editing/page-choice.tsx'
import { Loaded } from '../parts/loaded.tsx'
import { Page } from '../parts/page.tsx'
import { linkTo, path, type ViewProps } from '../router.ts'

/** Edits the markup of a frame, shows pages before and after the change, and stores it. */
export function View({ params: { frame: ref }, query }: ViewProps<'site' | 'frame'>) {
  const { site_id: site } = useSite()
  const { reading, reload } = useEditedFrame(site, ref)
  const isNew = reading.state === 'ready' && reading.answer.stored === undefined
  return (
    <Page
      title={`Edit ${ref}`}
      trail={[
        { label: 'Frames', href: linkTo(`/sites/${site}`) },
        ...(isNew ? [] : [{ label: ref, href: linkTo(path`/sites/${site}/frames/${ref}`) }]),
      ]}
      lead="Change the markup and look at any page with it. Visitors see the page as before until you save."
    >
      <Loaded reading={reading} retry={reload}>
        {(edited) => (
          <WithPages {...{ site }} stored={edited.stored?.id}>
            {(shown) => <Editing {...{ site, query, shown, edited }} />}
          </WithPages>
        )}
      </Loaded>
    </Page>
  )
}

function WithPages({
  site,
  stored,
  children,
}: {
  readonly site: number
  /** Id of the frame if it is stored. */
  readonly stored: string | undefined
  readonly children: Parameters<typeof Loaded<PagesToShow>>[0]['children']
}) {
  return <Loaded reading={usePagesToShow(site, stored)}>{children}</Loaded>
}
