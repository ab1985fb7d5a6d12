import type { ComponentChildren } from 'preact'
import { useContext } from 'preact/hooks'
import type { Output } from '../../../client/src/index.ts'
import { SiteContext } from '../current.ts'
import { linkTo, path } from '../router.ts'
import { count, textOf } from '../text.ts'

/** What a change or a deletion of a frame would touch. */
export type Impact = NonNullable<Output<'getGraph'>['impact']>
export type PageName = Impact['change']['pages'][number]

/** The site of a link: the one that is given, or that of the view. */
function useSiteOf(given: number | undefined): number {
  const here = useContext(SiteContext)
  return given ?? here?.site_id ?? 0
}

/** A link to the view of a frame. */
export function FrameLink({ site, slug }: { readonly site?: number; readonly slug: string }) {
  return <a href={linkTo(path`/sites/${useSiteOf(site)}/frames/${slug}`)}>{slug}</a>
}

/** A link to the view of a page. */
export function PageLink({
  site,
  page: { id, title, lang },
}: {
  readonly site?: number
  readonly page: Pick<PageName, 'id' | 'title' | 'lang'>
}) {
  return (
    <span class="thing">
      <a href={linkTo(path`/sites/${useSiteOf(site)}/pages/${id}`)} dir="auto">
        {textOf(title) || `Page ${id}`}
      </a>
      {lang !== null && <span class="badge">{lang}</span>}
    </span>
  )
}

/** Things that are shown at once. */
const SHOWN = 12

type ThingsProps<Thing> = {
  readonly title: string
  readonly total: number
  readonly items: readonly Thing[]
  readonly none: string
}

/** Frames, as links. */
export const FrameThings = (props: ThingsProps<{ readonly slug: string }>) => (
  <Things {...props}>{({ slug }) => <FrameLink slug={slug} />}</Things>
)

/** Pages, as links. */
export const PageThings = (props: ThingsProps<PageName>) => (
  <Things {...props}>{(page) => <PageLink page={page} />}</Things>
)

/** A list of things below a heading with their number; what the list leaves out is counted. */
export function Things<Thing>({
  title,
  total,
  items,
  none,
  children,
}: ThingsProps<Thing> & { readonly children: (item: Thing) => ComponentChildren }) {
  const asListItem = (item: Thing, at: number) => <li key={at}>{children(item)}</li>
  return (
    <section class="things">
      <h3>
        {title} <span class="badge">{total}</span>
      </h3>
      {total === 0 ? (
        <p class="none">{none}</p>
      ) : (
        <>
          <ul>{items.slice(0, SHOWN).map(asListItem)}</ul>
          {total > SHOWN && (
            <details>
              <summary class="none">and {count(total - SHOWN, 'more', 'more')}</summary>
              <ul>
                {items.slice(SHOWN).map(asListItem)}
                {total > items.length && (
                  <li class="none">{count(total - items.length, 'other', 'others')}</li>
                )}
              </ul>
            </details>
          )}
        </>
      )}
    </section>
  )
}
