import { useSignal } from '@preact/signals'
import { chosenPage, type PagesToShow, usePagesToShow } from '../../editing/page-choice.tsx'
import { PreviewPanel } from '../../editing/preview-panel.tsx'
import { usePreview } from '../../editing/use-preview.ts'
import { Loaded } from '../../parts/loaded.tsx'

type FramePreviewProps = {
  readonly site: number
  readonly slug: string
  readonly query: URLSearchParams
}

/** A frame on a page. It is built when it is asked for, because that takes longer than everything else in the view. */
export function FramePreview(props: FramePreviewProps) {
  const isShown = useSignal(false)
  if (isShown.value) return <OnPages {...props} />
  return (
    <section class="panel">
      <div class="panel-head">
        <h2>On a page</h2>
        <button type="button" onClick={() => (isShown.value = true)}>
          Show it on a page
        </button>
      </div>
    </section>
  )
}

function OnPages(props: FramePreviewProps) {
  return (
    <Loaded reading={usePagesToShow(props.site, props.slug)}>
      {(shown) => <OnPage {...props} shown={shown} />}
    </Loaded>
  )
}

function OnPage({ site, slug, query, shown }: FramePreviewProps & { readonly shown: PagesToShow }) {
  const page = chosenPage(shown, query)
  const previewed = page && {
    page: page.id,
    frames: [],
    stored: '',
    assign: shown.areOthers ? slug : undefined,
  }
  const preview = usePreview(site, undefined, previewed)
  return <PreviewPanel {...{ shown, query, preview }} />
}
