import {
  type Diagnostic,
  forEachDiagnostic,
  linter,
  nextDiagnostic,
  previousDiagnostic,
} from '@codemirror/lint'
import type { Extension, Text } from '@codemirror/state'
import { type Command, EditorView } from '@codemirror/view'
import { api, asServiceError } from '../client.ts'
import { forPeople } from '../parts/notice.tsx'

/** What the check has found, and where that is in the text as it is now. */
export type MarkupProblem = {
  readonly severity: 'error' | 'warning'
  readonly message: string
  /** Both from 1. */
  readonly line: number
  readonly column: number
  readonly isAtCursor: boolean
  /** The name that was probably meant, and what writes it. */
  readonly fix: { readonly name: string; readonly apply: () => void } | undefined
}

export type MarkupProblems = {
  readonly found: readonly MarkupProblem[]
  /** Why the markup could not be checked. */
  readonly failure: string | undefined
}

/** Milliseconds without a key before the markup is checked. */
const PAUSE = 500
/** Megabytes are sent less often. */
const LARGE = 200_000
const PAUSE_IF_LARGE = 2000

/** Marks what is wrong, as `POST /frames/check` finds it, after each pause in typing. An answer about a former text is dropped. */
export function markProblems(
  site: number,
  slug: string,
  length: number,
  onFailure: (message: string | undefined) => void,
): Extension {
  let running: AbortController | undefined
  const check = async ({ state }: EditorView): Promise<readonly Diagnostic[]> => {
    running?.abort()
    running = new AbortController()
    const { signal } = running
    const html = state.sliceDoc()
    try {
      const body = { frames: [{ slug, html }] }
      const { problems } = await api().checkFrames({ site_id: site, body }, { signal })
      onFailure(undefined)
      return problems.map(({ severity, message, line, column }) =>
        diagnosticAt(state.doc, severity, message, line ?? 1, column ?? 1),
      )
    } catch (caught) {
      if (signal.aborted) return []
      const { status, message: text, fields } = asServiceError(caught)
      const message = forPeople(text)
      // What a write would refuse is a problem of the markup; anything else is none.
      const isRefused = status === 400 || status === 409 || status === 413 || status === 422
      onFailure(isRefused ? undefined : message)
      const { line = 1, column = 1 } = fields as { line?: number; column?: number }
      return isRefused ? [diagnosticAt(state.doc, 'error', message, line, column)] : []
    }
  }
  return linter(check, { delay: length > LARGE ? PAUSE_IF_LARGE : PAUSE })
}

function diagnosticAt(
  doc: Text,
  severity: MarkupProblem['severity'],
  message: string,
  line: number,
  column: number,
): Diagnostic {
  const { from, to } = rangeAt(doc, line, column)
  const [, meant] = /Did you mean "([^"]+)"\?/.exec(message) ?? []
  const [, name = ''] = /svc\/([\w-]+)|"([^"]+)"/.exec(message)?.filter(Boolean) ?? []
  const at = doc.sliceString(from, to).indexOf(name)
  if (meant === undefined || name === '' || at < 0) return { from, to, severity, message }
  const apply = (view: EditorView, start: number) => {
    const found = view.state.sliceDoc(start).indexOf(name)
    if (found < 0) return
    const wrong = start + found
    view.dispatch({
      changes: { from: wrong, to: wrong + name.length, insert: meant },
      selection: { anchor: wrong + meant.length },
      userEvent: 'input.complete',
    })
    view.focus()
  }
  return { from, to, severity, message, actions: [{ name: `Use ${meant}`, apply }] }
}

/** From a position to the end of its tag or comment on the line. A column counts characters, an offset UTF-16 units. */
export function rangeAt(doc: Text, line: number, column: number): { from: number; to: number } {
  const { from, text } = doc.line(Math.min(Math.max(line, 1), doc.lines))
  let offset = 0
  for (let at = 1; at < column && offset < text.length; at += 1)
    offset += (text.codePointAt(offset) ?? 0) > 0xffff ? 2 : 1
  const isComment = text.startsWith('<!--', offset)
  const end = text.indexOf(isComment ? '-->' : '>', offset)
  const to = end < 0 ? text.length : end + (isComment ? 3 : 1)
  return { from: from + offset, to: from + to }
}

/** The problems that the editor marks. */
export function problemsIn(view: EditorView): readonly MarkupProblem[] {
  const { doc, selection } = view.state
  const { head } = selection.main
  const found: MarkupProblem[] = []
  forEachDiagnostic(view.state, ({ severity, message, actions }, from, to) => {
    const { number: line, from: start } = doc.lineAt(from)
    const [action] = actions ?? []
    found.push({
      severity: severity === 'error' ? severity : 'warning',
      message,
      line,
      column: [...doc.sliceString(start, from)].length + 1,
      isAtCursor: from <= head && head <= to,
      fix: action && { name: action.name, apply: () => action.apply(view, from, to) },
    })
  })
  return found
}

/** Moves to another problem, and reads it to screen readers. */
const goTo =
  (move: Command): Command =>
  (view) => {
    if (!move(view)) return false
    const { from } = view.state.selection.main
    const { number } = view.state.doc.lineAt(from)
    forEachDiagnostic(view.state, ({ message }, start) => {
      if (start === from)
        view.dispatch({ effects: EditorView.announce.of(`Line ${number}: ${message}`) })
    })
    return true
  }

export const goToNextProblem = goTo(nextDiagnostic)
export const goToPreviousProblem = goTo(previousDiagnostic)
