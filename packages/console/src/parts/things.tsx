import type { ComponentChildren } from 'preact'
import type { Output } from '../../../client/src/index.ts'
import { linkTo, path } from '../router.ts'
import { count, textOf } from '../text.ts'

/** What a change or a deletion of a frame would touch. */
export type Impact = NonNullable<Output<'getGraph'>['impact']>
export type PageName = Impact['change']['pages'][number]

/** A link to the view of a frame. */
export function FrameLink({ site, slug }: { readonly site: number; readonly slug: string }) {
  return <a href={linkTo(path`/sites/${site}/frames/${slug}`)}>{slug}</a>
}

/** A link to the view of a page. */
export function PageLink({
  site,
  page: { id, title, lang },
}: {
  readonly site: number
  readonly page: Pick<PageName, 'id' | 'title' | 'lang'>
}) {
  return (
    <span class="thing">
      <a href={linkTo(path`/sites/${site}/pages/${id}`)} dir="auto">
        {textOf(title) || `Page ${id}`}
      </a>
      {lang !== null && <span class="badge">{lang}</span>}
    </span>
  )
}

/** A list of things below a heading with their number; what the list leaves out is counted. */
export function Things<Thing>({
  title,
  total,
  items,
  none,
  children,
}: {
  readonly title: string
  readonly total: number
  readonly items: readonly Thing[]
  readonly none: string
  readonly children: (item: Thing) => ComponentChildren
}) {
  return (
    <section class="things">
      <h3>
        {title} <span class="badge">{total}</span>
      </h3>
      {total === 0 ? (
        <p class="none">{none}</p>
      ) : (
        <ul>
          {items.map((item, at) => (
            <li key={at}>{children(item)}</li>
          ))}
          {total > items.length && (
            <li class="none">and {count(total - items.length, 'more', 'more')}</li>
          )}
        </ul>
      )}
    </section>
  )
}
