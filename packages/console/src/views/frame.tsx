import { useSignal } from '@preact/signals'
import type { Output } from '../../../client/src/index.ts'
import { api } from '../client.ts'
import { maySend, useSite } from '../current.ts'
import { NewFrameDialog } from '../editing/new-frame-dialog.tsx'
import { Code, showLine } from '../parts/code.tsx'
import { Loaded } from '../parts/loaded.tsx'
import { Page } from '../parts/page.tsx'
import { FrameLink, PageLink, Things } from '../parts/things.tsx'
import { Time } from '../parts/time.tsx'
import { useRead } from '../reading.ts'
import { linkTo, path, type ViewProps } from '../router.ts'
import { count, size, textOf } from '../text.ts'
import { ClearDialog } from './frame/assign-dialog.tsx'
import { FrameActions, FrameViews } from './frame/frame-actions.tsx'
import { FramePreview } from './frame/frame-preview.tsx'
import { type Names, userName } from './history/describe-entry.ts'

/** A frame as it is now: without `at`, the answer is never a former state. */
type Frame = Extract<Output<'getFrame'>, { frame: { referenced_by: string[] } }>['frame']

/** One frame: its markup, problems and relations. */
export function View({ params: { frame: ref }, query }: ViewProps<'site' | 'frame'>) {
  const { site_id: site } = useSite()
  const { reading, reload } = useRead('getFrame', { site_id: site, ref, details: true })
  const isCreating = useSignal(false)
  const slug = reading.state === 'ready' ? reading.answer.frame.slug : ref
  const isMissing = reading.state === 'failed' && reading.error.code === 'frame_not_found'
  return (
    <Page
      title={slug}
      trail={[{ label: 'Frames', href: linkTo(`/sites/${site}`) }]}
      actions={
        reading.state === 'ready' && (
          <a class="button primary" href={linkTo(path`/sites/${site}/frames/${slug}/edit`)}>
            Edit and preview
          </a>
        )
      }
    >
      <div class="toolbar">
        <FrameViews {...{ site, slug, isMissing }} />
        {reading.state === 'ready' && (
          <FrameActions {...{ site, slug, reload }} etag={api().etagOf(reading.answer)} />
        )}
      </div>
      <Loaded reading={reading} retry={reload}>
        {(answer) => (
          <FrameView
            {...{ site, query, reload }}
            frame={answer.frame as Frame}
            names={'names' in answer ? answer.names : undefined}
          />
        )}
      </Loaded>
      {isMissing && maySend('frames') && (
        <button type="button" class="primary" onClick={() => (isCreating.value = true)}>
          New frame
        </button>
      )}
      {isCreating.value && (
        <NewFrameDialog
          {...{ site, slug }}
          onClose={() => {
            isCreating.value = false
          }}
        />
      )}
    </Page>
  )
}

function FrameView({
  frame,
  names,
  site,
  query,
  reload,
}: {
  readonly frame: Frame
  readonly names: Names | undefined
  readonly site: number
  readonly query: URLSearchParams
  readonly reload: () => void
}) {
  const problems = frame.details?.problems ?? []
  const { slug } = frame
  return (
    <div class="columns">
      <div>
        <section class="panel">
          <div class="panel-head">
            <h2>Markup</h2>
            <p class="hint">
              {count(frame.html.split('\n').length, 'line')}, {size(frame.bytes)}
            </p>
          </div>
          <Code
            text={frame.html}
            label={`Markup of ${slug}`}
            marked={[...new Set(problems.flatMap((problem) => lineOf(problem, slug) ?? []))]}
          />
        </section>
        <FramePreview {...{ site, slug, query }} />
      </div>
      <div>
        <section class="panel">
          <h2>Problems</h2>
          <div class="panel-body">
            <Problems frame={frame} />
          </div>
        </section>
        <section class="panel">
          <h2>Relations</h2>
          <div class="panel-body stack">
            <Things
              title="Embeds"
              total={frame.frame_refs.length}
              items={frame.frame_refs}
              none="No other frame."
            >
              {(name) => <FrameLink site={site} slug={name} />}
            </Things>
            <Things
              title="Embedded by"
              total={frame.referenced_by.length}
              items={frame.referenced_by}
              none="No other frame."
            >
              {(name) => <FrameLink site={site} slug={name} />}
            </Things>
            <Things
              title="Reads"
              total={frame.sources.length}
              items={frame.sources}
              none="No data."
            >
              {(source) => <code>{source}</code>}
            </Things>
            <PagesOfFrame key={frame.pages.join()} {...{ frame, site, reload }} />
          </div>
        </section>
        <section class="panel">
          <h2>Facts</h2>
          <dl class="facts">
            <dt>Id</dt>
            <dd>
              <code>{frame.id}</code>
            </dd>
            <dt>Changed</dt>
            <dd>
              <Time at={frame.updated_at_gmt} />
              {frame.updated_by > 0 && (
                <>
                  {' '}
                  by <bdi>{userName(frame.updated_by, names)}</bdi>
                </>
              )}
            </dd>
            <dt>Created</dt>
            <dd>
              <Time at={frame.created_at_gmt} />
            </dd>
            <dt>Binds</dt>
            <dd>{frame.binds}</dd>
            <dt>Rendered</dt>
            <dd>{frame.renders_on_request ? 'for each page' : 'once for all pages'}</dd>
          </dl>
        </section>
      </div>
    </div>
  )
}

function Problems({ frame: { slug, details } }: { readonly frame: Frame }) {
  if (!details) return null
  const { problems, problems_total, built } = details
  return (
    <>
      {problems_total === 0 ? (
        <p class="none">{built ? 'None found.' : 'None known before it is built.'}</p>
      ) : (
        <ul class="problems">
          {problems.map((problem) => {
            const line = lineOf(problem, slug)
            return (
              <li key={problem} dir="auto">
                {problem}{' '}
                {line !== undefined && (
                  <button type="button" class="link" onClick={() => showLine(line)}>
                    Show line {line}
                  </button>
                )}
              </li>
            )
          })}
        </ul>
      )}
      {problems_total > problems.length && (
        <p class="none">and {count(problems_total - problems.length, 'more', 'more')}</p>
      )}
    </>
  )
}

/** The line that a problem of this frame names. Problems of embedded frames begin with their slugs. */
function lineOf(problem: string, slug: string): number | undefined {
  const [, of, line] = /^(?:([\w-]+): )?.*?\bline (\d+)/i.exec(problem) ?? []
  return line === undefined || (of !== undefined && of !== slug) ? undefined : Number(line)
}

function PagesOfFrame({
  frame,
  site,
  reload,
}: {
  readonly frame: Frame
  readonly site: number
  readonly reload: () => void
}) {
  const isUsed = frame.pages.length > 0
  const cleared = useSignal<number | undefined>(undefined)
  const { reading } = useRead(
    'listPages',
    isUsed ? { site_id: site, frame: frame.id, limit: 50 } : undefined,
  )
  const through = frame.details ? frame.details.shown_on - frame.pages.length : 0
  const { slug } = frame
  if (isUsed && reading.state !== 'ready') return <Loaded reading={reading}>{() => null}</Loaded>
  const { total, pages } = reading.state === 'ready' ? reading.answer : { total: 0, pages: [] }
  return (
    <>
      <Things title="Pages" total={total} items={pages} none="Assigned to no page.">
        {(page) => (
          <span class="thing">
            <PageLink site={site} page={page} />
            {maySend('frames') && (
              <button
                type="button"
                class="link"
                aria-label={`Take off: ${textOf(page.title) || `page ${page.id}`}`}
                onClick={() => (cleared.value = page.id)}
              >
                Take off
              </button>
            )}
          </span>
        )}
      </Things>
      {through > 0 && (
        <p>
          Also shown on{' '}
          <a href={linkTo(`/sites/${site}/graph`, { frame: slug })}>{count(through, 'page')}</a>{' '}
          through frames that embed it.
        </p>
      )}
      {cleared.value !== undefined && (
        <ClearDialog
          {...{ site, slug }}
          page={cleared.value}
          onClose={() => {
            cleared.value = undefined
          }}
          onDone={reload}
        />
      )}
    </>
  )
}
