import type { Output } from '../../../packages/client/src/index.ts'
import { FrameLink, PageLink, Things } from '../../parts/things.tsx'

export type Preview = Output<'previewPage'>

const REASONS: Readonly<Record<Preview['unresolved'][number]['reason'], string>> = {
  no_value: 'has no value',
  unknown_name: 'names no source',
  not_allowed: 'is not allowed there',
}

/** What a preview has found, without duplicates. */
export function problemsOf(preview: Preview): string[] {
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
  const problems = [
    ...inMarkup.map(({ frame, line, column, message }) =>
      line === null
        ? `${frame}: ${message}`
        : `${frame}, line ${line}, column ${column}: ${message}`,
    ),
    ...frames.flatMap((frame) => frame.warnings.filter((warning) => !known.has(warning))),
    ...warnings,
    ...unresolved
      .filter(isNew)
      .map(
        ({ frame, bind, line, column, reason }) =>
          `${frame}, line ${line}, column ${column}: the bind "${bind}" ${REASONS[reason]}.`,
      ),
  ]
  return [...new Set(problems)]
}

/** Problems of markup, as sentences. */
export function Problems({ found }: { readonly found: readonly string[] }) {
  if (found.length === 0) return <p class="none">No problems found.</p>
  return (
    <ul class="problems" aria-label="Problems">
      {found.map((problem) => (
        <li key={problem} dir="auto">
          {problem}
        </li>
      ))}
    </ul>
  )
}

/** The frames and pages that would change. */
export function WouldChange({
  site,
  preview: { affected_frames, affected_pages },
}: {
  readonly site: number
  readonly preview: Preview
}) {
  return (
    <div class="stack side-by-side">
      <Things
        title="Frames"
        total={affected_frames.total}
        items={affected_frames.items}
        none="Nothing is changed yet."
      >
        {({ slug }) => <FrameLink {...{ site, slug }} />}
      </Things>
      <Things
        title="Pages"
        total={affected_pages.total}
        items={affected_pages.items}
        none="No page."
      >
        {(page) => <PageLink {...{ site, page }} />}
      </Things>
    </div>
  )
}
