import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { ServiceError } from '../../../client/src/index.ts'
import { api, asServiceError } from '../client.ts'
import { maySend, useSite } from '../current.ts'
import type { Preview } from '../editing/preview-report.tsx'
import { Loaded, Loading } from '../parts/loaded.tsx'
import { ErrorNotice, Notice } from '../parts/notice.tsx'
import { Page } from '../parts/page.tsx'
import { asWidth, PagePreview, WidthChoice } from '../parts/page-preview.tsx'
import { useRead } from '../reading.ts'
import { linkTo, path, replaceQuery, type ViewProps } from '../router.ts'
import { decodedPath, textOf } from '../text.ts'
import { AssignMany, ClearMany } from './pages/assign-many.tsx'
import { FrameOfPage, PathOfPage, StaticCopy } from './pages/page-parts.tsx'
import { type ListedPage, type Obstacle, obstaclesOf } from './pages/visitors.ts'

/** One page as visitors see it, in each language and width. */
export function View({ params: { page: id }, query }: ViewProps<'site' | 'page'>) {
  const { site_id: site } = useSite()
  const { reading, reload } = useRead('listPages', { site_id: site, search: id, limit: 200 })
  const page =
    reading.state === 'ready'
      ? reading.answer.pages.find((one) => String(one.id) === id)
      : undefined
  return (
    <Page
      title={page ? textOf(page.title) || `Page ${id}` : `Page ${id}`}
      isContent
      trail={[{ label: 'Pages', href: linkTo(`/sites/${site}/pages`) }]}
    >
      <Loaded reading={reading} retry={reload}>
        {() =>
          page ? (
            <PageView {...{ site, page, query, reload }} />
          ) : (
            <Notice tone="bad" title="Not found">
              <p>This site has no page {id}.</p>
            </Notice>
          )
        }
      </Loaded>
    </Page>
  )
}

function PageView({
  site,
  page,
  query,
  reload,
}: {
  readonly site: number
  readonly page: ListedPage
  readonly query: URLSearchParams
  readonly reload: () => void
}) {
  const open = useSignal<'assign' | 'clear' | undefined>(undefined)
  const obstacles = obstaclesOf(page, useSite())
  const slug = page.frame?.slug
  const dialog = {
    site,
    pages: [page],
    onClose: () => {
      open.value = undefined
    },
    onDone: reload,
  }
  const preview = useSignal<Preview | undefined>(undefined)
  const error = useSignal<ServiceError | undefined>(undefined)
  const width = asWidth(query.get('width'), 1200)
  useEffect(() => {
    preview.value = undefined
    if (!slug) return
    api()
      .previewPage({ site_id: site, body: { page: page.id } })
      .then(
        (answer) => {
          preview.value = answer
        },
        (caught) => {
          error.value = asServiceError(caught)
        },
      )
  }, [page.id, slug])
  return (
    <>
      {obstacles.length > 0 && (
        <Notice {...noticeOf(obstacles)}>
          {obstacles.map(({ short, message }) => (
            <p key={short} dir="auto">
              {message}
            </p>
          ))}
        </Notice>
      )}
      <section class="panel">
        <dl class="facts wide">
          <dt>Address</dt>
          <dd>
            <a href={page.url} target="_blank" rel="noopener noreferrer" dir="auto">
              {decodedPath(page.url)}
            </a>
          </dd>
          <dt>Path</dt>
          <dd>
            <PathOfPage site={site} path={page.path} />{' '}
            <a href={linkTo(`/sites/${site}/pages`, { below: page.id })}>pages below it</a>
          </dd>
          <dt>Frame</dt>
          <dd class="row">
            <FrameOfPage {...{ site, page }} />
            {slug && (
              <a href={linkTo(path`/sites/${site}/frames/${slug}`, { page: page.id })}>
                Edit it with this page
              </a>
            )}
            {maySend('frames') && (
              <>
                <button type="button" onClick={() => (open.value = 'assign')}>
                  Assign a frame
                </button>
                {page.frame !== null && (
                  <button type="button" onClick={() => (open.value = 'clear')}>
                    Remove the frame
                  </button>
                )}
              </>
            )}
          </dd>
          <dt>Status</dt>
          <dd>
            {page.status}
            {page.protected ? ', with a password' : ''}
          </dd>
          <dt>Static copy</dt>
          <dd>
            <StaticCopy page={page} /> <span dir="auto">{page.static.error}</span>
          </dd>
        </dl>
      </section>
      <section class="panel" aria-label="Preview">
        <div class="panel-head">
          <h2>Preview</h2>
          <div class="toolbar flat">
            <Translations {...{ site, page, width }} />
            <WidthChoice value={width} onChange={(chosen) => replaceQuery({ width: chosen })} />
          </div>
        </div>
        {error.value && <ErrorNotice error={error.value} />}
        {!slug && <p class="panel-body none">Without a frame, nothing can be shown.</p>}
        {slug && !preview.value && !error.value && <Loading />}
        {preview.value && (
          <PagePreview
            html={preview.value.html}
            baseUrl={preview.value.page.url}
            width={width}
            label={`Preview of ${textOf(page.title)}`}
          />
        )}
      </section>
      {open.value === 'assign' && <AssignMany {...dialog} />}
      {open.value === 'clear' && <ClearMany {...dialog} />}
    </>
  )
}

function noticeOf(obstacles: readonly Obstacle[]) {
  const has = (wanted: Obstacle['tone']): boolean => obstacles.some(({ tone }) => tone === wanted)
  if (has('bad')) return { tone: 'bad', title: 'Visitors cannot open it' } as const
  if (has('warn')) return { tone: 'warn', title: 'Visitors may not get it everywhere' } as const
  return { tone: 'info', title: 'Not served by wp-frames' } as const
}

function Translations({
  site,
  page: { id, lang, translations },
  width,
}: {
  readonly site: number
  readonly page: ListedPage
  readonly width: number
}) {
  const { languages } = useSite()
  const translated = languages.filter(({ code }) => translations[code] !== undefined)
  if (translated.length < 2) return null
  return (
    <nav aria-label="Languages" class="segments">
      {translated.map(({ code, name }) => (
        <a
          key={code}
          href={linkTo(path`/sites/${site}/pages/${translations[code] ?? id}`, { width })}
          aria-current={code === lang ? 'page' : undefined}
          lang={code}
        >
          {name}
        </a>
      ))}
    </nav>
  )
}
