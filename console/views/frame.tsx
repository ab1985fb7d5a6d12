import { useSignal } from '@preact/signals'
import type { Output } from '../../packages/client/src/index.ts'
import { maySend, useSite } from '../current.ts'
import { Code } from '../parts/code.tsx'
import { Loaded } from '../parts/loaded.tsx'
import { Page } from '../parts/page.tsx'
import { FrameLink, PageLink, Things } from '../parts/things.tsx'
import { useRead } from '../reading.ts'
import { goTo, linkTo, path, type ViewProps } from '../router.ts'
import { count, size, time } from '../text.ts'
import { AssignDialog } from './frame/assign-dialog.tsx'
import { RebakeDialog } from './frame/rebake-dialog.tsx'
import { RenameDialog } from './frame/rename-dialog.tsx'

/** A frame as it is now: without `at`, the answer is never a former state. */
type Frame = Extract<Output<'getFrame'>, { frame: { referenced_by: string[] } }>['frame']

type Open = 'rename' | 'assign' | 'rebake' | undefined

/** One frame: its markup, problems and relations. */
export function View({ params: { frame: ref } }: ViewProps<'site' | 'frame'>) {
  const { site_id: site } = useSite()
  const { reading, reload } = useRead('getFrame', { site_id: site, ref, details: true })
  const open = useSignal<Open>(undefined)
  const close = () => {
    open.value = undefined
  }
  const slug = reading.state === 'ready' ? reading.answer.frame.slug : ref
  return (
    <Page
      title={slug}
      trail={[{ label: 'Frames', href: linkTo(`/sites/${site}`) }]}
      actions={
        <>
          <a class="button primary" href={linkTo(path`/sites/${site}/frames/${slug}/edit`)}>
            Edit and preview
          </a>
          <a class="button" href={linkTo(`/sites/${site}/graph`, { frame: slug })}>
            Graph
          </a>
          <a class="button" href={linkTo(`/sites/${site}/history`, { kind: 'frame', ref: slug })}>
            History
          </a>
          {maySend('frames') && (
            <>
              <button type="button" onClick={() => (open.value = 'rename')}>
                Rename
              </button>
              <button type="button" onClick={() => (open.value = 'assign')}>
                Assign to a page
              </button>
              <button type="button" onClick={() => (open.value = 'rebake')}>
                Rebake
              </button>
            </>
          )}
        </>
      }
    >
      <Loaded reading={reading} retry={reload}>
        {({ frame }) => (
          <>
            <FrameView frame={frame as Frame} site={site} />
            {open.value === 'rename' && (
              <RenameDialog
                {...{ site, slug }}
                onClose={close}
                onDone={(to) => goTo(path`/sites/${site}/frames/${to}`)}
              />
            )}
            {open.value === 'assign' && (
              <AssignDialog {...{ site, slug }} onClose={close} onDone={reload} />
            )}
            {open.value === 'rebake' && (
              <RebakeDialog {...{ site, slug }} onClose={close} onDone={reload} />
            )}
          </>
        )}
      </Loaded>
    </Page>
  )
}

function FrameView({ frame, site }: { readonly frame: Frame; readonly site: number }) {
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
            marked={problems.flatMap((problem) => lineOf(problem, slug) ?? [])}
          />
        </section>
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
            <PagesOfFrame key={frame.pages.join()} frame={frame} site={site} />
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
            <dd>{time(frame.updated_at_gmt)}</dd>
            <dt>Created</dt>
            <dd>{time(frame.created_at_gmt)}</dd>
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

function Problems({ frame: { details } }: { readonly frame: Frame }) {
  if (!details) return null
  const { problems, problems_total, built } = details
  return (
    <>
      {problems_total === 0 ? (
        <p class="none">{built ? 'None found.' : 'None known before it is built.'}</p>
      ) : (
        <ul class="problems">
          {problems.map((problem) => (
            <li key={problem} dir="auto">
              {problem}
            </li>
          ))}
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

function PagesOfFrame({ frame, site }: { readonly frame: Frame; readonly site: number }) {
  const isUsed = frame.pages.length > 0
  const { reading } = useRead(
    'listPages',
    isUsed ? { site_id: site, frame: frame.id, limit: 50 } : undefined,
  )
  if (isUsed && reading.state !== 'ready') return <Loaded reading={reading}>{() => null}</Loaded>
  const { total, pages } = reading.state === 'ready' ? reading.answer : { total: 0, pages: [] }
  return (
    <Things title="Pages" total={total} items={pages} none="Assigned to no page.">
      {(page) => <PageLink site={site} page={page} />}
    </Things>
  )
}
