import { useSite } from '../../current.ts'
import { FrameLink } from '../../parts/things.tsx'
import { inSite, linkTo } from '../../router.ts'
import { decodedPath } from '../../text.ts'
import { copyText, type ListedPage, obstaclesOf } from './visitors.ts'

/** The frame of a page. */
export function FrameOfPage({ page: { frame } }: { readonly page: ListedPage }) {
  if (frame === null) return <span class="none">none</span>
  if (frame.slug === null) return <span class="badge bad">missing: {frame.id}</span>
  return <FrameLink slug={frame.slug} />
}

const TONES: Readonly<Record<ListedPage['static']['state'], string>> = {
  written: 'good',
  pending: 'warn',
  failing: 'bad',
  none: '',
}

/** Whether a page is published as a file, and why not. */
export function StaticCopy({ page }: { readonly page: ListedPage }) {
  return (
    <span class={`badge ${TONES[page.static.state]}`} title={page.static.error ?? undefined}>
      {copyText(page)}
    </span>
  )
}

/** What visitors get, in short. */
export function ForVisitors({ page }: { readonly page: ListedPage }) {
  const obstacles = obstaclesOf(page, useSite())
  if (obstacles.length === 0) return <span class="badge good">the page</span>
  return (
    <span class="tags">
      {obstacles.map(({ tone, short, message }) => (
        <span key={short} class={`badge ${tone}`} title={message}>
          {tone === 'bad' ? `nothing: ${short}` : tone === '' ? `WordPress: ${short}` : short}
        </span>
      ))}
    </span>
  )
}

/** The path of a page, in which each page above is a link to the list of the pages below it. */
export function PathOfPage({ path }: { readonly path: string }) {
  const slugs = path.split('/')
  return (
    <span dir="ltr">
      {slugs.map((slug, at) => {
        const above = slugs.slice(0, at + 1).join('/')
        return (
          <span key={above}>
            {at < slugs.length - 1 ? (
              <>
                <a href={linkTo(inSite('/pages'), { below: above })}>
                  <bdi>{decodedPath(slug)}</bdi>
                </a>
                {' / '}
              </>
            ) : (
              <bdi class="path">{decodedPath(slug)}</bdi>
            )}
          </span>
        )
      })}
    </span>
  )
}
