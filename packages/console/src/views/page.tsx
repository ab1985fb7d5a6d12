import { maySend, useSite } from '../current.ts'
import { Loaded } from '../parts/loaded.tsx'
import { Notice } from '../parts/notice.tsx'
import { Page } from '../parts/page.tsx'
import { asWidth, PagePreview, WidthChoice } from '../parts/page-preview.tsx'
import { useRead } from '../reading.ts'
import { linkTo, path, type ViewProps } from '../router.ts'
import { decodedPath, textOf } from '../text.ts'
import { AssignButtons } from './pages/assign-dialog.tsx'
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
            <PageView {...{ page, query, reload }} />
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
  page,
  query,
  reload,
}: {
  readonly page: ListedPage
  readonly query: URLSearchParams
  readonly reload: () => void
}) {
  const here = useSite()
  const { site_id: site } = here
  const obstacles = obstaclesOf(page, here)
  const slug = page.frame?.slug
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
            <PathOfPage path={page.path} />{' '}
            <a href={linkTo(`/sites/${site}/pages`, { below: page.id })}>pages below it</a>
          </dd>
          <dt>Frame</dt>
          <dd class="row">
            <FrameOfPage page={page} />
            {slug && (
              <a href={linkTo(path`/sites/${site}/frames/${slug}`, { page: page.id })}>
                Edit it with this page
              </a>
            )}
            {maySend('frames') && <AssignButtons pages={[page]} onDone={reload} />}
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
      <Shown key={slug} {...{ page, query }} />
    </>
  )
}

/** The page as visitors see it. */
function Shown({ page, query }: { readonly page: ListedPage; readonly query: URLSearchParams }) {
  const { site_id } = useSite()
  const hasFrame = Boolean(page.frame?.slug)
  const width = asWidth(query.get('width'), 1200)
  const { reading, reload } = useRead(
    'previewPage',
    hasFrame ? { site_id, body: { page: page.id } } : undefined,
  )
  return (
    <section class="panel" aria-label="Preview">
      <div class="panel-head">
        <h2>Preview</h2>
        <div class="toolbar flat">
          <Translations {...{ page, width }} />
          <WidthChoice value={width} />
        </div>
      </div>
      {hasFrame ? (
        <Loaded reading={reading} retry={reload}>
          {(preview) => <PagePreview preview={preview} width={width} />}
        </Loaded>
      ) : (
        <p class="panel-body none">Without a frame, nothing can be shown.</p>
      )}
    </section>
  )
}

function noticeOf(obstacles: readonly Obstacle[]) {
  const has = (wanted: Obstacle['tone']): boolean => obstacles.some(({ tone }) => tone === wanted)
  if (has('bad')) return { tone: 'bad', title: 'Visitors cannot open it' } as const
  if (has('warn')) return { tone: 'warn', title: 'Visitors may not get it everywhere' } as const
  return { tone: 'info', title: 'Not served by wp-frames' } as const
}

function Translations({
  page: { id, lang, translations },
  width,
}: {
  readonly page: ListedPage
  readonly width: number
}) {
  const { site_id: site, languages } = useSite()
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
