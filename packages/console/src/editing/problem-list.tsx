import type { RefObject } from 'preact'
import { useEffect } from 'preact/hooks'
import type { MarkupProblems } from '../editor/problems.ts'
import { announce } from '../parts/notice.tsx'
import { count } from '../text.ts'
import type { Position, Problem } from './preview-report.tsx'

type ProblemListProps = {
  readonly list: RefObject<HTMLElement | null>
  readonly markup: MarkupProblems
  readonly onPage: readonly Problem[]
  readonly onGo: (at: Position) => void
}

/**
 * All problems of the edited frame, at a place that never moves: those of its text as it is now, and those that only the shown page has.
 * @param onPage what the preview has found beyond the text of this frame
 */
export function ProblemList({ list, markup: { found, failure }, onPage, onGo }: ProblemListProps) {
  const errors = found.filter(({ severity }) => severity === 'error').length
  const warnings = found.length - errors + onPage.length
  const summary =
    [errors > 0 && count(errors, 'error'), warnings > 0 && count(warnings, 'warning')]
      .filter((text) => text !== false)
      .join(', ') || 'No problems'
  useEffect(() => announce(failure ? 'Not checked' : summary), [failure, summary])
  return (
    <section class="bench-problems" aria-label="Problems" ref={list} tabIndex={-1}>
      <h2>{failure ? 'Not checked' : summary}</h2>
      {failure !== undefined && <p dir="auto">{failure}</p>}
      <ul>
        {found.map(({ severity, message, line, column, isAtCursor, fix }, at) => (
          <li key={at} aria-current={isAtCursor || undefined}>
            <span class={`badge ${severity === 'error' ? 'bad' : 'warn'}`}>Line {line}</span>
            <button type="button" class="link" dir="auto" onClick={() => onGo({ line, column })}>
              {message}
            </button>
            {fix && (
              <button type="button" class="fix" onClick={fix.apply}>
                {fix.name}
              </button>
            )}
          </li>
        ))}
        {onPage.map(({ text, at }) => (
          <li key={text}>
            <span class="badge warn">{at ? `Line ${at.line}` : 'On the page'}</span>
            {at ? (
              <button type="button" class="link" dir="auto" onClick={() => onGo(at)}>
                {text}
              </button>
            ) : (
              <span dir="auto">{text}</span>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}
