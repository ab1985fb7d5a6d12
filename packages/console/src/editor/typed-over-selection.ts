import { EditorView } from '@codemirror/view'

/**
 * Text that is typed over a selection. Browsers would give it the style of the replaced text as an inline style, which the console's policy reports as a
 * violation. What this does not handle, the editor reads from the document as usual.
 */
export const typedOverSelection = EditorView.domEventHandlers({
  beforeinput: ({ inputType, data: text }, view) => {
    if (inputType !== 'insertText' || text === null || view.composing) return false
    const { from, to, empty } = view.state.selection.main
    if (empty || view.state.selection.ranges.length > 1 || !isShown(view, from, to)) return false
    const insert = () =>
      view.state.update({
        changes: { from, to, insert: text },
        selection: { anchor: from + view.state.toText(text).length },
        scrollIntoView: true,
        userEvent: 'input.type',
      })
    const handlers = view.state.facet(EditorView.inputHandler)
    if (!handlers.some((handle) => handle(view, from, to, text, insert))) view.dispatch(insert())
    return true
  },
})

/** Whether the browser has this range selected, as far as it is rendered: a new selection is reported to the editor late. */
function isShown(view: EditorView, from: number, to: number): boolean {
  // Only Chromium has the selection of a shadow root; in others the document's is within it.
  const selection = (view.root as Partial<Document>).getSelection?.() ?? document.getSelection()
  const { anchorNode, focusNode } = selection ?? {}
  if (!selection || !anchorNode || !focusNode) return false
  if (!view.contentDOM.contains(anchorNode) || !view.contentDOM.contains(focusNode)) return false
  const anchor = view.posAtDOM(anchorNode, selection.anchorOffset)
  const head = view.posAtDOM(focusNode, selection.focusOffset)
  const { viewport } = view
  return (
    Math.min(anchor, head) === Math.max(from, viewport.from) &&
    Math.max(anchor, head) === Math.min(to, viewport.to)
  )
}
