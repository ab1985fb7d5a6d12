import { useSiteRead } from '../calls.ts'
import { maySend, useSite } from '../current.ts'
import { Loaded, Notice } from '../parts/notice.tsx'
import { Facts, Page } from '../parts/page.tsx'
import { PagePreview, shownWidth, WidthChoice } from '../parts/page-preview.tsx'
import { inSite, linkTo, path, type ViewProps } from '../router.ts'
import { decodedPath, pageTitle } from '../text.ts'
import { AssignButtons } from './pages/assign-dialog.tsx'
import { FrameOfPage, PathOfPage, StaticCopy } from './pages/page-parts.tsx'
import { type ListedPage, type Obstacle, obstaclesOf } from './pages/visitors.ts'

/** One page as visitors see it, in each language and width. */
export function View({ params: { page: id } }: ViewProps<'site' | 'page'>) {
  const { reading, answer, reload } = useSiteRead('listPages', { search: id, limit: 200 })
  const page = answer?.pages.find((one) => String(one.id) === id)
  return (
    <Page
      title={pageTitle(page ?? { id })}
      isContent
      trail={[{ label: 'Pages', href: linkTo(inSite('/pages')) }]}
    >
      <Loaded reading={reading} retry={reload}>
        {() =>
          page ? (
            <PageView {...{ page, reload }} />
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

function PageView({ page, reload }: { readonly page: ListedPage; readonly reload: () => void }) {
  const here = useSite()
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
        <Facts
          facts={{
            Address: (
              <a href={page.url} target="_blank" rel="noopener noreferrer" dir="auto">
                {decodedPath(page.url)}
              </a>
            ),
            Path: (
              <>
                <PathOfPage path={page.path} />{' '}
                <a href={linkTo(inSite('/pages'), { below: page.id })}>pages below it</a>
              </>
            ),
            Frame: (
              <span class="row">
                <FrameOfPage page={page} />
                {slug && (
                  <a href={linkTo(inSite(path`/frames/${slug}`), { page: page.id })}>
                    Edit it with this page
                  </a>
                )}
                {maySend('frames') && <AssignButtons pages={[page]} onDone={reload} />}
              </span>
            ),
            Status: `${page.status}${page.protected ? ', with a password' : ''}`,
            'Static copy': (
              <>
                <StaticCopy page={page} /> <span dir="auto">{page.static.error}</span>
              </>
            ),
          }}
        />
      </section>
      <Shown key={slug} {...{ page }} />
    </>
  )
}

/** The page as visitors see it. */
function Shown({ page }: { readonly page: ListedPage }) {
  const { languages } = useSite()
  const translated = languages.filter(({ code }) => page.translations[code] !== undefined)
  const hasFrame = Boolean(page.frame?.slug)
  const width = shownWidth()
  const { reading, reload } = useSiteRead(
    'previewPage',
    hasFrame ? { body: { page: page.id } } : undefined,
  )
  return (
    <section class="panel" aria-label="Preview">
      <div class="panel-head">
        <h2>Preview</h2>
        <div class="toolbar flat">
          {translated.length > 1 && (
            <nav aria-label="Languages" class="segments">
              {translated.map(({ code, name }) => (
                <a
                  key={code}
                  href={linkTo(inSite(path`/pages/${page.translations[code] ?? page.id}`), {
                    width,
                  })}
                  aria-current={code === page.lang ? 'page' : undefined}
                  lang={code}
                >
                  {name}
                </a>
              ))}
            </nav>
          )}
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
