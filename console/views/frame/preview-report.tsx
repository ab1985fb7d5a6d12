import type { Output } from '../../../packages/client/src/index.ts'

export type Preview = Output<'previewPage'>

import { FrameLink, PageLink, Things } from '../../parts/things.tsx'

const REASONS: Readonly<Record<Preview['unresolved'][number]['reason'], string>> = {
  no_value: 'has no value',
  unknown_name: 'names no source',
  not_allowed: 'is not allowed there',
}

/** What a preview has found, and what would change with it. */
export function PreviewReport({
  site,
  preview,
}: {
  readonly site: number
  readonly preview: Preview
}) {
  const { frames, warnings, unresolved, problems: inMarkup } = preview
  const { affected_frames, affected_pages } = preview
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
  const found = [...new Set(problems)]
  return (
    <div class="report">
      <section class="panel">
        <h2>Problems</h2>
        <div class="panel-body">
          {found.length === 0 ? (
            <p class="none">None found.</p>
          ) : (
            <ul class="problems">
              {found.map((problem) => (
                <li key={problem} dir="auto">
                  {problem}
                </li>
              ))}
            </ul>
          )}
        </div>
      </section>
      <section class="panel">
        <h2>What storing it would change</h2>
        <div class="panel-body stack side-by-side">
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
      </section>
    </div>
  )
}
