import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { ServiceError } from '../../packages/client/src/index.ts'
import { api, asServiceError } from '../client.ts'
import { useSite } from '../current.ts'
import { Loaded, Loading } from '../parts/loaded.tsx'
import { ErrorNotice, Notice } from '../parts/notice.tsx'
import { Page } from '../parts/page.tsx'
import { asWidth, PagePreview, WidthChoice } from '../parts/page-preview.tsx'
import { FrameLink } from '../parts/things.tsx'
import { useRead } from '../reading.ts'
import { linkTo, path, replaceQuery, type ViewProps } from '../router.ts'
import { decodedPath, textOf } from '../text.ts'
import type { Preview } from './frame/preview-report.tsx'
import { type ListedPage, StaticCopy } from './pages.tsx'

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
            <PageView {...{ site, page, query }} />
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
}: {
  readonly site: number
  readonly page: ListedPage
  readonly query: URLSearchParams
}) {
  const preview = useSignal<Preview | undefined>(undefined)
  const error = useSignal<ServiceError | undefined>(undefined)
  const width = asWidth(query.get('width'), 1200)
  useEffect(() => {
    if (!page.frame?.slug) return
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
  }, [page.id])
  return (
    <>
      <section class="panel">
        <dl class="facts wide">
          <dt>Address</dt>
          <dd>
            <a href={page.url} rel="noreferrer" dir="auto">
              {decodedPath(page.url)}
            </a>
          </dd>
          <dt>Frame</dt>
          <dd>
            {page.frame?.slug ? (
              <FrameLink site={site} slug={page.frame.slug} />
            ) : (
              <span class="none">{page.frame === null ? 'none' : `missing: ${page.frame.id}`}</span>
            )}
          </dd>
          <dt>Status</dt>
          <dd>
            {page.status}
            {page.protected ? ', with a password' : ''}
          </dd>
          <dt>Static copy</dt>
          <dd>
            <StaticCopy copy={page.static} /> {page.static.error}
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
        {!page.frame?.slug && (
          <Notice tone="warn">
            <p>The page has no frame, so visitors get 404. Assign one in the view of a frame.</p>
          </Notice>
        )}
        {page.frame?.slug && !preview.value && !error.value && <Loading />}
        {preview.value && (
          <PagePreview
            html={preview.value.html}
            baseUrl={preview.value.page.url}
            width={width}
            label={`Preview of ${textOf(page.title)}`}
          />
        )}
      </section>
    </>
  )
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
