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

/** What the check has found, and what the problem at the cursor is. */
export type ProblemSummary = {
  readonly errors: number
  readonly warnings: number
  /** Why the markup could not be checked. */
  readonly failure: string | undefined
  readonly atCursor: string | undefined
}

/** Milliseconds without a key before the markup is checked. */
const PAUSE = 500
/** Megabytes are sent less often. */
const LARGE = 200_000
const PAUSE_IF_LARGE = 2000

/**
 * Marks what is wrong, as `POST /frames/check` finds it, after each pause in typing. An answer about a former text is dropped.
 * @param slug undefined for a frame that has none yet
 */
export function markProblems(
  site: number,
  slug: string | undefined,
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
      const body = { frames: [{ slug: slug ?? 'unsaved', html }] }
      const { problems } = await api().checkFrames({ site_id: site, body }, { signal })
      onFailure(undefined)
      return problems.map(({ severity, message, line, column }) => ({
        ...rangeAt(state.doc, line ?? 1, column ?? 1),
        severity,
        message,
      }))
    } catch (caught) {
      if (signal.aborted) return []
      const { status, message, fields } = asServiceError(caught)
      // What a write would refuse is a problem of the markup; anything else is none.
      const isRefused = status === 400 || status === 409 || status === 413 || status === 422
      onFailure(isRefused ? undefined : message)
      const { line = 1, column = 1 } = fields as { line?: number; column?: number }
      return isRefused ? [{ ...rangeAt(state.doc, line, column), severity: 'error', message }] : []
    }
  }
  return linter(check, { delay: length > LARGE ? PAUSE_IF_LARGE : PAUSE })
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

/** How many problems the editor marks. */
export function summarize({ state }: EditorView): Omit<ProblemSummary, 'failure'> {
  let errors = 0
  let warnings = 0
  let atCursor: string | undefined
  const { head } = state.selection.main
  forEachDiagnostic(state, ({ severity, message }, from, to) => {
    if (severity === 'error') errors += 1
    else warnings += 1
    if (from <= head && head <= to) atCursor ??= message
  })
  return { errors, warnings, atCursor }
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
