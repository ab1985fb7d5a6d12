import type { ComponentChildren } from 'preact'
import { useContext } from 'preact/hooks'
import type { Output } from '../../../client/src/index.ts'
import { useSiteRead } from '../calls.ts'
import { SiteContext } from '../current.ts'
import { linkTo, path } from '../router.ts'
import { count, pageTitle } from '../text.ts'
import { Loaded } from './notice.tsx'

/** What a change or a deletion of a frame would touch. */
type Impact = NonNullable<Output<'getGraph'>['impact']>
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

type PageLinkProps = {
  readonly site?: number
  readonly page: Pick<PageName, 'id' | 'title' | 'lang'>
}

/** A link to the view of a page. */
export function PageLink({ site, page: { id, title, lang } }: PageLinkProps) {
  return (
    <span class="thing">
      <a href={linkTo(path`/sites/${useSiteOf(site)}/pages/${id}`)} dir="auto">
        {pageTitle({ id, title })}
      </a>
      {lang !== null && <span class="badge">{lang}</span>}
    </span>
  )
}

/** Things that are shown at once. */
const SHOWN = 12

type ThingsProps<Thing> = {
  readonly title: string
  readonly items: readonly Thing[]
  /** How many there are [all of them are given]. */
  readonly total?: number
  /** What is said if there are none. */
  readonly none: string
}

type LinksProps<Thing> = Omit<ThingsProps<Thing>, 'none'> & { readonly none?: string }

/** Frames, as links. */
export const FrameThings = (props: LinksProps<{ readonly slug: string }>) => (
  <Things none="No other frame." {...props}>
    {({ slug }) => <FrameLink slug={slug} />}
  </Things>
)

/** Pages, as links. */
export const PageThings = (props: LinksProps<PageName>) => (
  <Things none="No page." {...props}>
    {(page) => <PageLink page={page} />}
  </Things>
)

/** A list of things below a heading with their number; what the list leaves out is counted. */
export function Things<Thing>({
  title,
  items,
  total = items.length,
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

/** Frames that are built again, and pages that are published again. */
export function ChangeImpact({ change }: { readonly change: Impact['change'] }) {
  const { frames, frames_total, pages, pages_total } = change
  return (
    <>
      <FrameThings title="Frames built again" total={frames_total} items={frames} />
      <PageThings title="Pages published again" total={pages_total} items={pages} />
    </>
  )
}

/** Pages and frames that lack a frame when it is deleted. */
export function DeletionImpact({ deletion }: { readonly deletion: Impact['deletion'] }) {
  const { embedders, embedders_total, pages, pages_total } = deletion
  return (
    <>
      <PageThings
        title="Pages that visitors cannot open afterwards"
        total={pages_total}
        items={pages}
      />
      <FrameThings
        title="Frames in which it is missing afterwards"
        total={embedders_total}
        items={embedders}
      />
    </>
  )
}

type ImpactOfProps = {
  readonly slug: string
  readonly isDeletion?: boolean
}

/** Reads and shows what a change or the deletion of a frame touches. */
export function ImpactOf({ slug, isDeletion = false }: ImpactOfProps) {
  const { reading, reload } = useSiteRead('getGraph', { frame: slug })
  return (
    <Loaded reading={reading} retry={reload}>
      {({ impact }) =>
        impact &&
        (isDeletion ? (
          <DeletionImpact deletion={impact.deletion} />
        ) : (
          <ChangeImpact change={impact.change} />
        ))
      }
    </Loaded>
  )
}
