import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import type { PreviewMessage } from '../preview-frame.ts'

/** Widths of a preview, in CSS pixels: a phone, a tablet, a computer. */
const WIDTHS = [360, 768, 1200] as const
export type Width = (typeof WIDTHS)[number]

/** The width of this text. In a narrow window the default is the least. */
export const asWidth = (text: string | null, byDefault: Width): Width =>
  WIDTHS.find((width) => String(width) === text) ?? (innerWidth < 600 ? 360 : byDefault)

const HEIGHTS: Readonly<Record<Width, number>> = { 360: 740, 768: 860, 1200: 900 }

/** Shows HTML of a site in a sandboxed document, scaled down to the available width. Its scripts do not run, and its links do nothing. */
export function PagePreview({
  html,
  baseUrl,
  width,
  label,
}: PreviewMessage & { readonly width: Width; readonly label: string }) {
  const box = useRef<HTMLDivElement>(null)
  const frame = useRef<HTMLIFrameElement>(null)
  const isReady = useSignal(false)
  const scale = useSignal(1)

  useEffect(() => {
    const { current } = box
    if (!current) return
    const fit = new ResizeObserver(([entry]) => {
      scale.value = Math.min(1, (entry?.contentRect.width ?? width) / width)
    })
    fit.observe(current)
    return () => fit.disconnect()
  }, [width])
  useEffect(() => {
    const message: PreviewMessage = { html, baseUrl }
    // The document has an opaque origin, which has no name but `*`.
    if (isReady.value) frame.current?.contentWindow?.postMessage(message, '*')
  }, [html, baseUrl, isReady.value])

  const height = HEIGHTS[width]
  return (
    <div class="preview-box" ref={box}>
      <div
        class="preview-page"
        style={{ inlineSize: `${width * scale.value}px`, blockSize: `${height * scale.value}px` }}
      >
        <iframe
          ref={frame}
          title={label}
          src="preview-frame"
          sandbox="allow-scripts"
          referrerpolicy="no-referrer"
          style={{
            inlineSize: `${width}px`,
            blockSize: `${height}px`,
            transform: `scale(${scale.value})`,
          }}
          onLoad={() => {
            isReady.value = true
          }}
        />
      </div>
    </div>
  )
}

/** Chooses the width of a preview. */
export function WidthChoice({
  value,
  onChange,
}: {
  readonly value: Width
  readonly onChange: (width: Width) => void
}) {
  return (
    <fieldset class="segments">
      <legend>Width</legend>
      {WIDTHS.map((width) => (
        <label key={width}>
          <input
            type="radio"
            name="width"
            value={width}
            checked={width === value}
            onChange={() => onChange(width)}
          />
          <span>{width}</span>
        </label>
      ))}
    </fieldset>
  )
}
