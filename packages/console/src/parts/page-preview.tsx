import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import type { PreviewMessage } from '../preview-frame.ts'

/** Widths of a preview, in CSS pixels. */
const WIDTHS = [
  [360, 'Phone'],
  [768, 'Tablet'],
  [1200, 'Desktop'],
] as const
export type Width = (typeof WIDTHS)[number][0]

/** The width of this text. In a narrow window the default is the least. */
export const asWidth = (text: string | null, byDefault: Width): Width =>
  WIDTHS.find(([width]) => String(width) === text)?.[0] ?? (innerWidth < 600 ? 360 : byDefault)

const HEIGHTS: Readonly<Record<Width, number>> = { 360: 740, 768: 860, 1200: 900 }

/**
 * Shows HTML of a site in a sandboxed document of a true width, scaled down to the available one. Its scripts do not run, and its links do nothing. Within the
 * editor it is as high as the editor.
 */
export function PagePreview({
  html,
  baseUrl,
  width,
  label,
}: PreviewMessage & { readonly width: Width; readonly label: string }) {
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
  const height =
    fills && scale > 0 ? Math.max(1, available.value.height - 2) / scale : HEIGHTS[width]
  return (
    <div class="preview-box" ref={box}>
      <div
        class="preview-page"
        style={{ inlineSize: `${width * scale}px`, blockSize: `${height * scale}px` }}
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
            transform: `scale(${scale})`,
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
      <legend class="visually-hidden">Width</legend>
      {WIDTHS.map(([width, name]) => (
        <label key={width} title={`${width} pixels`}>
          <input
            type="radio"
            name="width"
            value={width}
            checked={width === value}
            onChange={() => onChange(width)}
          />
          <span>{name}</span>
        </label>
      ))}
    </fieldset>
  )
}
