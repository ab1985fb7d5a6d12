import { useSignal } from '@preact/signals'
import { BatchDialog } from '../../parts/batch-dialog.tsx'
import { useRead } from '../../reading.ts'
import { path } from '../../router.ts'
import { bestOf, decodedPath, textOf } from '../../text.ts'
import { answerOf, type Write, type Written } from '../../writes.ts'

type AssignDialogProps = {
  readonly site: number
  readonly slug: string
  readonly onClose: () => void
  readonly onDone: () => void
}

/** It does not depend on the version of the frame. The plan of the dry run covers the frame that the page has before. */
const assigning = (
  slug: string,
  body: { readonly page: number; readonly clear?: boolean },
): Write[] => [{ method: 'POST', path: path`/frames/${slug}/assign`, body }]

const pageOf = (written: Written) => answerOf<'assignFrame'>(written).page

/** Assigns a frame to a page: first shows which page that is and what it has now, then asks. */
export function AssignDialog(props: AssignDialogProps) {
  const { site, slug, onClose, onDone } = props
  const search = useSignal('')
  const chosen = useSignal<
    { readonly id: number; readonly former: string | undefined } | undefined
  >(undefined)
  const { reading } = useRead('listPages', { site_id: site, search: search.value, limit: 20 })
  const found = reading.state === 'ready' ? reading.answer.pages : []
  const writes = assigning(slug, { page: chosen.value?.id ?? 0 })
  const choose = (page: (typeof found)[number] | undefined) => {
    if (page) chosen.value = { id: page.id, former: page.frame?.slug ?? undefined }
  }
  return (
    <BatchDialog
      title={`Assign ${slug} to a page`}
      label="Assign"
      of={chosen.value?.id ?? 0}
      input={
        <>
          <div class="field">
            <label for="page-search">Page</label>
            <input
              id="page-search"
              type="search"
              autocomplete="off"
              placeholder="Part of its title; Enter takes the first"
              onKeyDown={(event) => {
                if (event.key !== 'Enter') return
                event.preventDefault()
                const typed = event.currentTarget.value.trim().toLowerCase()
                choose(bestOf(found, typed, ({ title }) => textOf(title)))
              }}
              onInput={({ currentTarget }) => {
                search.value = currentTarget.value.trim()
              }}
            />
          </div>
          <ul class="choices">
            {found.map((page) => {
              const { id, title, lang, path: pagePath, frame } = page
              return (
                <li key={id}>
                  <button
                    type="button"
                    class="quiet"
                    aria-pressed={chosen.value?.id === id}
                    onClick={() => choose(page)}
                  >
                    <bdi>{textOf(title) || `Page ${id}`}</bdi>
                    {lang !== null && <span class="badge">{lang}</span>}
                    <span class="none" dir="auto">
                      {decodedPath(pagePath)}
                    </span>
                    <span class="none">
                      {frame === null ? 'no frame' : (frame.slug ?? frame.id)}
                    </span>
                  </button>
                </li>
              )
            })}
          </ul>
        </>
      }
      {...{ site, onClose }}
      writes={chosen.value && writes}
      done={(written) => `${slug} is assigned to ${textOf(pageOf(written).title)}.`}
      onStored={onDone}
    >
      {(tried) => {
        const { title, url } = pageOf(tried)
        return (
          <p role="status">
            <strong dir="auto">{textOf(title)}</strong>{' '}
            {chosen.value?.former === undefined
              ? 'has no frame. It will be built from'
              : `is built from ${chosen.value.former}. It will be built from`}{' '}
            <strong>{slug}</strong> and published again: <bdi>{decodedPath(url)}</bdi>
          </p>
        )
      }}
    </BatchDialog>
  )
}

/** Takes a frame off a page: first shows which page loses it, then asks. */
export function ClearDialog(props: AssignDialogProps & { readonly page: number }) {
  const { site, slug, page, onClose, onDone } = props
  const writes = assigning(slug, { page, clear: true })
  return (
    <BatchDialog
      title={`Take ${slug} off a page`}
      label="Take it off"
      isDangerous
      {...{ site, writes, onClose }}
      done={(written) => `${textOf(pageOf(written).title)} has no frame now.`}
      onStored={onDone}
    >
      {(tried) => {
        const { title, url } = pageOf(tried)
        return (
          <p role="status">
            <strong dir="auto">{textOf(title)}</strong> will have no frame. Its static copy is
            removed: visitors cannot open <bdi>{decodedPath(url)}</bdi>, unless WordPress serves it.
          </p>
        )
      }}
    </BatchDialog>
  )
}
