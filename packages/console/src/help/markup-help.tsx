import { type ComponentChild, h } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { elements } from '../../../../docs/markup.md'
import type { MarkdownElement, MarkdownNode } from '../../../../tools/markdown-elements.ts'
import { Button } from '../parts/fields.tsx'

const isHeading = ({ tag }: MarkdownElement): boolean => tag === 'h3' || tag === 'h4'

/** The reference of the markup language beside the editor, which stays usable. Escape closes it. */
export function MarkupHelp({ onClose }: { readonly onClose: () => void }) {
  const panel = useRef<HTMLElement>(null)
  const heading = useRef<HTMLHeadingElement>(null)
  useLayoutEffect(() => heading.current?.focus(), [])
  const [, ...sections] = elements
  const scrollTo = (index: number) => {
    const target = panel.current?.querySelectorAll<HTMLElement>('h3, h4')[index]
    target?.scrollIntoView({ block: 'start' })
    target?.focus({ preventScroll: true })
  }
  return (
    <aside
      ref={panel}
      class="help"
      aria-labelledby="help-title"
      onKeyDown={(event) => {
        if (event.key !== 'Escape') return
        event.preventDefault()
        onClose()
      }}
    >
      <div class="help-head">
        <h2 ref={heading} id="help-title" tabIndex={-1}>
          The markup language
        </h2>
        <Button label="Close" class="quiet" onClick={onClose} />
      </div>
      <nav aria-label="Sections of the reference" class="help-nav">
        {sections.filter(isHeading).map((node, index) => (
          <Button key={index} label={textIn(node)} class="quiet" onClick={() => scrollTo(index)} />
        ))}
      </nav>
      <div class="help-body">{sections.map(render)}</div>
    </aside>
  )
}

function textIn(node: MarkdownNode): string {
  return typeof node === 'string' ? node : node.children.map(textIn).join('')
}

const startsWith = (node: MarkdownNode, text: string): boolean => textIn(node).startsWith(text)

/**
 * What the reference says about something that can be completed, in a sentence.
 * @param name an insert (`svc/menu`), the target of a bind (`if:`) or a value path (`page.title`)
 */
export function summaryOf(name: string): string | undefined {
  if (name.startsWith('svc/')) {
    const at = elements.findIndex((node) => isHeading(node) && startsWith(node, `${name}:`))
    const heading = elements[at]
    if (!heading) return undefined
    const said = textIn(heading).slice(name.length + 2)
    const next = elements[at + 1]
    const [sentence = ''] = next?.tag === 'p' ? (/^.+?\.(?= |$)/.exec(textIn(next)) ?? []) : []
    return `${said[0]?.toUpperCase()}${said.slice(1)}. ${sentence.endsWith(':') ? '' : sentence}`
  }
  const rows = elements.flatMap(rowsIn)
  if (name.endsWith(':')) {
    const row =
      rows.find(([bind]) => bind?.startsWith(name)) ??
      rows.find(([bind]) => bind?.startsWith('<attribute>:'))
    return row?.[1]
  }
  const [root = ''] = name.split('.')
  return rows.find(([path]) => path?.split(/[.,]/)[0] === root)?.[1]
}

/** The cells of a table of the reference. */
function rowsIn(node: MarkdownNode): string[][] {
  if (typeof node === 'string') return []
  return node.tag === 'tr' ? [node.children.map(textIn)] : node.children.flatMap(rowsIn)
}

function render(node: MarkdownNode): ComponentChild {
  if (typeof node === 'string') return node
  return h(node.tag, isHeading(node) ? { tabIndex: -1 } : null, ...node.children.map(render))
}
