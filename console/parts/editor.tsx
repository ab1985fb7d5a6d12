import { useRef } from 'preact/hooks'
import { lineNumbers } from './code.tsx'

/** Edits markup, with line numbers. Ctrl+Enter runs it; Tab moves the focus, as everywhere. */
export function MarkupEditor({
  label,
  value,
  onInput,
  onRun,
}: {
  readonly label: string
  readonly value: string
  readonly onInput: (text: string) => void
  readonly onRun: () => void
}) {
  const gutter = useRef<HTMLPreElement>(null)
  return (
    <div class="editor">
      <pre class="code-gutter" ref={gutter} aria-hidden="true">
        {lineNumbers(value)}
      </pre>
      <textarea
        aria-label={label}
        title="Ctrl+Enter shows the preview"
        dir="ltr"
        wrap="off"
        spellcheck={false}
        autocomplete="off"
        value={value}
        onInput={({ currentTarget }) => onInput(currentTarget.value)}
        onScroll={({ currentTarget }) => {
          if (gutter.current) gutter.current.scrollTop = currentTarget.scrollTop
        }}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
          event.preventDefault()
          onRun()
        }}
      />
    </div>
  )
}
