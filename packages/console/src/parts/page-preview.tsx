import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import type { Output } from '../../../client/src/index.ts'
import type { PreviewMessage } from '../preview-frame.ts'
import { parameter, replaceQuery } from '../router.ts'
import { textOf } from '../text.ts'
import { Radios } from './fields.tsx'

/** Widths of a preview, in CSS pixels, with the height that it has by itself. */
const WIDTHS = [
  [360, 'Phone', 740],
  [768, 'Tablet', 860],
  [1200, 'Desktop', 900],
] as const
export type Width = (typeof WIDTHS)[number][0]

/** The width of the address. In a narrow window the default is the least. */
export const shownWidth = (byDefault: Width = 1200): Width =>
  WIDTHS.find(([width]) => String(width) === parameter('width'))?.[0] ??
  (innerWidth < 600 ? 360 : byDefault)

type PagePreviewProps = {
  readonly preview: Pick<Output<'previewPage'>, 'html' | 'page'>
  readonly width: Width
}

/**
 * Shows HTML of a site in a sandboxed document of a true width, scaled down to the available one. Its scripts do not run, and its links do nothing. Within the
 * editor it is as high as the editor.
 */
export function PagePreview({ preview: { html, page }, width }: PagePreviewProps) {
  const { url: baseUrl, title } = page
  const box = useRef<HTMLDivElement>(null)
  const frame = useRef<HTMLIFrameElement>(null)
  const isReady = useSignal(false)
  const available = useSignal({ width: width as number, height: 0 })

  useEffect(() => {
    const { current } = box
    if (!current) return
    const fit = new ResizeObserver(([entry]) => {
      if (entry) available.value = entry.contentRect
    })
    fit.observe(current)
    return () => fit.disconnect()
  }, [])
  useEffect(() => {
    const message: PreviewMessage = { html, baseUrl }
    // The document has an opaque origin, which has no name but `*`.
    if (isReady.value) frame.current?.contentWindow?.postMessage(message, '*')
  }, [html, baseUrl, isReady.value])

  const scale = Math.min(1, available.value.width / width)
  const fills = box.current?.closest('.bench') !== null
  const [, , own] = WIDTHS.find(([one]) => one === width) ?? WIDTHS[0]
  const height = fills && scale > 0 ? Math.max(1, available.value.height - 2) / scale : own
  return (
    <div class="preview-box" ref={box}>
      <div
        class="preview-page"
        style={{ inlineSize: `${width * scale}px`, blockSize: `${height * scale}px` }}
      >
        <iframe
          ref={frame}
          title={`Preview of ${textOf(title)}`}
          src="preview-frame"
          sandbox="allow-scripts"
          referrerpolicy="no-referrer"
          style={{
            inlineSize: `${width}px`,
            blockSize: `${height}px`,
            transform: `scale(${scale})`,
          }}
          onLoad={() => (isReady.value = true)}
        />
      </div>
    </div>
  )
}

/** Chooses the width of the preview, which is in the address of the view. */
export function WidthChoice({ value }: { readonly value: Width }) {
  return (
    <Radios
      legend="Width"
      name="width"
      options={WIDTHS.map(([width, name]) => [width, name, `${width} pixels`])}
      value={value}
      onChange={(width) => replaceQuery({ width })}
    />
  )
}
