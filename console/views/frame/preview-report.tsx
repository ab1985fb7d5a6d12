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
  const { warnings, unresolved, frames, affected_frames, affected_pages } = preview
  const problems = [
    ...frames.flatMap((frame) => frame.warnings),
    ...warnings,
    ...unresolved.map(
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
