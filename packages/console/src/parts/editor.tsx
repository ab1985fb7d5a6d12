import { useSignal } from '@preact/signals'
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks'
import type { ServiceError } from '../../../client/src/index.ts'
import { asServiceError } from '../client.ts'
import { useSite } from '../current.ts'
import type { EditorOptions, OpenEditor } from '../editor/open-editor.ts'
import { goTo, path } from '../router.ts'
import { focusedElement } from './dialog.tsx'
import { Button } from './fields.tsx'
import { useKey } from './keys.ts'
import { useLater } from './later.tsx'
import { announce, ErrorNotice, Loading } from './notice.tsx'

type EditorProps = Omit<EditorOptions, 'site' | 'onFrame'> & {
  readonly isWrapped: boolean
  /** Where the cursor goes when this is another object; both from 1. */
  readonly position: { readonly line: number; readonly column: number } | undefined
}

/** Edits markup. The editor is loaded when it is first shown. */
export function MarkupEditor(props: EditorProps) {
  const { label, value, slug, position, isWrapped } = props
  const { site_id: site } = useSite()
  const host = useRef<HTMLDivElement>(null)
  const editor = useRef<OpenEditor>(undefined)
  const latest = useRef(props)
  latest.current = props
  const state = useSignal<'loading' | 'open' | ServiceError>('loading')

  useEffect(() => {
    let isGone = false
    import('../editor/open-editor.ts').then(
      ({ openEditor }) => {
        if (isGone || !host.current) return
        editor.current = openEditor(host.current, {
          label,
          site,
          slug,
          value: latest.current.value,
          onInput: (text) => latest.current.onInput(text),
          onRun: () => latest.current.onRun(),
          onProblems: (problems) => latest.current.onProblems(problems),
          onList: () => latest.current.onList(),
          onFrame: (frame) => goTo(path`/sites/${site}/frames/${frame}`),
        })
        editor.current.wrap(latest.current.isWrapped)
        state.value = 'open'
      },
      (error) => (state.value = asServiceError(error)),
    )
    return () => {
      isGone = true
      editor.current?.close()
      editor.current = undefined
    }
  }, [label, site, slug])
  // With the state beside it: whoever reads "as stored" sees, and types into, what is stored.
  useLayoutEffect(() => editor.current?.show(value), [value])
  useLayoutEffect(() => editor.current?.wrap(isWrapped), [isWrapped])
  useLayoutEffect(() => {
    if (position) editor.current?.goTo(position.line, position.column)
  }, [position])

  return (
    <>
      {state.value === 'loading' && <Loading />}
      {typeof state.value === 'object' && <ErrorNotice error={state.value} />}
      <div class="editor" ref={host} hidden={state.value !== 'open'} />
    </>
  )
}

const isHelpKey = ({ key, defaultPrevented }: KeyboardEvent): boolean =>
  key === 'F1' && !defaultPrevented

/** Opens the reference of the markup language; F1 does too. It is loaded when it is first opened. */
export function HelpButton() {
  const isOpen = useSignal(false)
  const load = async () => (await import('../help/markup-help.tsx')).MarkupHelp
  const MarkupHelp = useLater(load, isOpen.value, (error) =>
    announce(asServiceError(error).message),
  )
  const before = useRef<Element | null>(null)
  const open = () => {
    before.current = focusedElement()
    isOpen.value = true
  }
  const close = () => {
    isOpen.value = false
    if (before.current instanceof HTMLElement) before.current.focus()
  }
  useKey(isHelpKey, isOpen.value ? undefined : open)
  return (
    <>
      <Button
        label="Reference"
        class="quiet"
        title="F1"
        aria-expanded={isOpen.value}
        onClick={() => (isOpen.value ? close() : open())}
      />
      {isOpen.value && MarkupHelp && <MarkupHelp onClose={close} />}
    </>
  )
}
