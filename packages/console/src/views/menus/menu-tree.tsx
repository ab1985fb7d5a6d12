import type { Output } from '../../../../client/src/index.ts'
import { useSite } from '../../current.ts'
import { Loaded } from '../../parts/loaded.tsx'
import { useSiteRead } from '../../reading.ts'
import { inSite, linkTo, path } from '../../router.ts'
import { count, decodedPath, shortAddress, textOf } from '../../text.ts'

type MenuItem = Output<'getMenu'>['items'][number]

/** Items of one menu beside others; its own view shows all of them. */
const MAX_SHOWN = 200

/** The items of a menu as a tree, with the links that are broken. */
export function MenuTree({ id, isRtl }: { readonly id: number; readonly isRtl: boolean }) {
  const { reading, reload } = useSiteRead('getMenu', { ref: String(id), links: true })
  return (
    <Loaded reading={reading} retry={reload}>
      {({ items }) =>
        items.length === 0 ? (
          <p class="panel-body none">The menu has no items.</p>
        ) : (
          <div class="panel-body" dir={isRtl ? 'rtl' : undefined}>
            <Level children={childrenOf(items.slice(0, MAX_SHOWN))} parent={0} />
            {items.length > MAX_SHOWN && (
              <p class="none">
                and {count(items.length - MAX_SHOWN, 'more item')}:{' '}
                <a href={linkTo(inSite(path`/menus/${id}`))}>show all</a>
              </p>
            )}
          </div>
        )
      }
    </Loaded>
  )
}

/** The items below each item. An item whose parent is missing is at the top level, as WordPress shows it. */
function childrenOf(items: readonly MenuItem[]): ReadonlyMap<number, readonly MenuItem[]> {
  const ids = new Set(items.map(({ id }) => id))
  return Map.groupBy(items, ({ parent }) => (ids.has(parent) ? parent : 0))
}

function Level({
  children,
  parent,
}: {
  readonly children: ReadonlyMap<number, readonly MenuItem[]>
  readonly parent: number
}) {
  const items = children.get(parent)
  if (!items) return null
  return (
    <ul class="tree">
      {items.map((item) => (
        <li key={item.id}>
          <Item item={item} />
          <Level children={children} parent={item.id} />
        </li>
      ))}
    </ul>
  )
}

function Item({ item: { link, id } }: { readonly item: MenuItem }) {
  const { home } = useSite()
  if (!link) return null
  const title = textOf(link.title) || `Item ${id}`
  const isBroken = link.problem !== null
  return (
    <div class={isBroken ? 'item broken' : 'item'}>
      {link.page === null ? (
        <bdi class="item-title">{title}</bdi>
      ) : (
        <a class="item-title" href={linkTo(inSite(path`/pages/${link.page}`))} dir="auto">
          {title}
        </a>
      )}
      <span class="item-url" dir="ltr" title={decodedPath(link.url)}>
        {shortAddress(link.url, home)}
      </span>
      {isBroken && (
        <span class="item-problem" dir="auto">
          <span class="badge bad">broken</span> {link.message}
        </span>
      )}
    </div>
  )
}
