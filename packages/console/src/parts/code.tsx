import { useEffect, useRef } from 'preact/hooks'

/** What is coloured in markup, by the name of its style. The last one that fits wins. */
const PATTERNS: readonly (readonly [name: string, pattern: RegExp])[] = [
  ['tag', /<\/?[a-z][^\s/>]*|\/?>/gi],
  ['comment', /<!--[\s\S]*?-->/g],
  ['bind', /\bdata-op-bind\s*=\s*(?:"[^"]*"|'[^']*')/gi],
  ['insert', /<!--\s*(?:svc|op)\/[\s\S]*?-->/g],
]
/** Ranges cost time with each layout, so the end of very large markup is not coloured. */
const MAX_COLOURED = 200_000

type CodeProps = {
  readonly text: string
  readonly label: string
  /** Numbers of lines to mark, from 1. */
  readonly marked?: readonly number[]
}

/** Markup with line numbers. It is one text node, however long it is. */
export function Code({ text, label, marked = [] }: CodeProps) {
  const code = useRef<HTMLElement>(null)
  useEffect(() => colour(code.current?.firstChild, text), [text])
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, also without a pointer.
    <section class="code" aria-label={label} tabIndex={0}>
      <pre class="code-gutter" aria-hidden="true">
        {lineNumbers(text)}
      </pre>
      <pre class="code-text" dir="ltr">
        {marked.map((line) => (
          <span
            key={line}
            id={`line-${line}`}
            class="code-mark"
            style={{ insetBlockStart: `${line - 1}lh` }}
          />
        ))}
        <code ref={code}>{text}</code>
      </pre>
    </section>
  )
}

/** The numbers of all lines of the text, one on each line. */
function lineNumbers(text: string): string {
  const lines = text.split('\n').length
  return Array.from({ length: lines }, (_, at) => at + 1).join('\n')
}

/** Colours a text node with CSS highlights: without an element for each coloured part. */
function colour(node: Node | null | undefined, text: string): (() => void) | undefined {
  if (!node || typeof Highlight === 'undefined') return undefined
  const coloured = text.slice(0, MAX_COLOURED)
  for (const [priority, [name, pattern]] of PATTERNS.entries()) {
    const ranges = Array.from(coloured.matchAll(pattern), ({ index, 0: { length } }) => {
      const range = new Range()
      range.setStart(node, index)
      range.setEnd(node, index + length)
      return range
    })
    const highlight = new Highlight(...ranges)
    highlight.priority = priority
    CSS.highlights.set(name, highlight)
  }
  return () => {
    for (const [name] of PATTERNS) CSS.highlights.delete(name)
  }
}

/** Scrolls to a marked line of the markup. */
export function showLine(line: number): void {
  const mark = document.getElementById(`line-${line}`)
  mark?.scrollIntoView({ block: 'center' })
  mark?.closest<HTMLElement>('.code')?.focus({ preventScroll: true })
}
