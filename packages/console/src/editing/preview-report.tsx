import type { RefObject } from 'preact'
import { useEffect } from 'preact/hooks'
import type { Output } from '../../../client/src/index.ts'
import type { MarkupProblems } from '../editor/problems.ts'
import { Button } from '../parts/fields.tsx'
import { announce } from '../parts/notice.tsx'
import { FrameThings, PageThings } from '../parts/things.tsx'
import { count } from '../text.ts'

export type Preview = Output<'previewPage'>

const REASONS: Readonly<Record<Preview['unresolved'][number]['reason'], string>> = {
  no_value: 'has no value on this page',
  unknown_name: 'names no source',
  not_allowed: 'is not allowed there',
}

/** Where a problem is in the markup of a frame; both from 1. */
export type Position = { readonly line: number; readonly column: number }

/** A problem as a sentence. */
export type Problem = {
  readonly text: string
  /** Where it is in the frame that is edited. */
  readonly at?: Position | undefined
}

/**
 * What a preview has found, without duplicates.
 * @param edited the frame whose own markup the editor checks: only what it cannot know is found
 */
export function problemsOf(preview: Preview, edited?: string): Problem[] {
  const { frames, warnings, unresolved, problems: inMarkup } = preview
  // Those of the markup are problems, too.
  const known = new Set(
    inMarkup.map(({ line, column, message }) => `Line ${line}, column ${column}: ${message}`),
  )
  // The evaluation finds some of them too.
  const isNew = (found: Preview['unresolved'][number]): boolean =>
    !inMarkup.some(
      ({ frame, line, column }) =>
        frame === found.frame && line === found.line && column === found.column,
    )
  const place = (frame: string, line: number, column: number | null): string =>
    frame === edited ? '' : `${frame}, line ${line}, column ${column}: `
  const problems: Problem[] = [
    ...inMarkup
      .filter(({ frame }) => frame !== edited)
      .map(({ frame, line, column, message }) => ({
        text: line === null ? `${frame}: ${message}` : `${place(frame, line, column)}${message}`,
      })),
    ...frames.flatMap((frame) =>
      frame.warnings.filter((warning) => !known.has(warning)).map((text) => ({ text })),
    ),
    ...warnings.map((text) => ({ text })),
    ...unresolved.filter(isNew).map(({ frame, bind, line, column, reason }) => ({
      text: `${place(frame, line, column)}the bind "${bind}" ${REASONS[reason]}.`,
      at: frame === edited ? { line, column } : undefined,
    })),
  ]
  return [...new Map(problems.map((problem) => [problem.text, problem])).values()]
}

/** Problems of markup, as sentences. */
export function Problems({ found }: { readonly found: readonly Problem[] }) {
  if (found.length === 0) return <p class="none">No problems found.</p>
  return (
    <ul class="problems" aria-label="Problems">
      {found.map(({ text }) => (
        <li key={text} dir="auto">
          {text}
        </li>
      ))}
    </ul>
  )
}

/** The frames and pages that would change. */
export function WouldChange({ preview }: { readonly preview: Preview }) {
  const { affected_frames, affected_pages } = preview
  return (
    <div class="stack side-by-side">
      <FrameThings title="Frames" none="No frame changes." {...affected_frames} />
      <PageThings title="Pages" none="No page shows it yet." {...affected_pages} />
    </div>
  )
}

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
            <Button
              label={message}
              class="link"
              dir="auto"
              onClick={() => onGo({ line, column })}
            />
            {fix && <Button label={fix.name} class="fix" onClick={fix.apply} />}
          </li>
        ))}
        {onPage.map(({ text, at }) => (
          <li key={text}>
            <span class="badge warn">{at ? `Line ${at.line}` : 'On the page'}</span>
            {at ? (
              <Button label={text} class="link" dir="auto" onClick={() => onGo(at)} />
            ) : (
              <span dir="auto">{text}</span>
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}
