import type { Output } from '../../../client/src/index.ts'
import { FrameThings, PageThings } from '../parts/things.tsx'

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
export function WouldChange({
  preview: { affected_frames, affected_pages },
}: {
  readonly preview: Preview
}) {
  return (
    <div class="stack side-by-side">
      <FrameThings
        title="Frames"
        total={affected_frames.total}
        items={affected_frames.items}
        none="Nothing is changed yet."
      />
      <PageThings
        title="Pages"
        total={affected_pages.total}
        items={affected_pages.items}
        none="No page shows it yet."
      />
    </div>
  )
}
