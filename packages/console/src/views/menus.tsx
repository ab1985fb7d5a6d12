import type { Output } from '../../../client/src/index.ts'
import { useSiteRead } from '../calls.ts'
import { maySend, useSite } from '../current.ts'
import { DialogButton } from '../parts/dialog.tsx'
import { Empty } from '../parts/list.tsx'
import { Loaded } from '../parts/notice.tsx'
import { Page } from '../parts/page.tsx'
import { inSite, linkTo, parameter, path } from '../router.ts'
import { count, decodedPath, shortAddress, textOf } from '../text.ts'
import { assignedText, hasKept, langsOf, type Menu } from './menus/edited-menu.ts'
import {
  AssignMenu,
  CreateMenu,
  DeleteMenu,
  RenameMenu,
  type Writing,
} from './menus/menu-dialogs.tsx'

type Menus = Output<'listMenus'>

/** The menus of a site by location, in all languages side by side. */
export function View() {
  const { reading, reload } = useSiteRead('listMenus', {})
  return (
    <Page title="Menus">
      <Loaded reading={reading} retry={reload}>
        {(answer) => <MenusView {...{ answer, reload }} />}
      </Loaded>
    </Page>
  )
}

/** The value of `location` for menus without one. */
const UNASSIGNED = '-'

function MenusView({ answer, reload }: { readonly answer: Menus; readonly reload: () => void }) {
  const { languages } = useSite()
  const { menus: all } = answer
  const locations = [
    ...new Set([
      ...answer.locations,
      ...all.flatMap(({ assigned }) => assigned.map(({ location }) => location)),
    ]),
  ]
  const location = parameter('location') || (locations[0] ?? UNASSIGNED)
  const menus = menusAt(all, location)
  const tabs = menusAt(all, UNASSIGNED).length > 0 ? [...locations, UNASSIGNED] : locations
  const writing = maySend('menus') ? { locations, menus: all, onDone: reload } : undefined
  // A new menu must not take the location of another one by default.
  const start = location !== UNASSIGNED && menus.length === 0 ? { location } : {}
  const named = new Set(menus.flatMap((menu) => langsAt(menu, location)))
  const isOneForAll = location === UNASSIGNED || menus.length === 0 || named.has(null)
  const missing = isOneForAll ? [] : languages.filter(({ code }) => !named.has(code))
  const order = languages.map(({ code }) => code)
  const rank = (menu: Menu) =>
    Math.min(...langsAt(menu, location).map((lang) => order.indexOf(lang ?? '')), order.length)
  const sorted = [...menus].sort((a, b) => rank(a) - rank(b))
  const [first] = sorted
  const firstLang = first && languages.find(({ code }) => code === langsAt(first, location)[0])
  return (
    <>
      <div class="toolbar">
        <nav aria-label="Locations" class="segments">
          {tabs.map((name) => (
            <a
              key={name}
              href={linkTo(inSite('/menus'), { location: name })}
              aria-current={name === location ? 'page' : undefined}
            >
              {name === UNASSIGNED ? 'unassigned' : name}{' '}
              <span class="badge">{menusAt(all, name).length}</span>
            </a>
          ))}
        </nav>
        {writing && (
          <DialogButton label="New menu" isAsked={parameter('new') !== ''}>
            {(onClose) => <CreateMenu {...writing} {...{ start, onClose }} />}
          </DialogButton>
        )}
      </div>
      {menus.length === 0 && <Empty>No menu is assigned to this location.</Empty>}
      <div class="menus">
        {sorted.map((menu) => (
          <MenuPanel key={menu.id} {...{ menu, location, writing }} />
        ))}
        {missing.map(({ code, name }) => (
          <Empty key={code}>
            No menu for <bdi>{name}</bdi>{' '}
            {writing && first && (
              <DialogButton
                label={
                  <>
                    Copy from <bdi>{firstLang?.name ?? first.name}</bdi>
                    <span class="visually-hidden"> for {name}</span>
                  </>
                }
              >
                {(onClose) => (
                  <CreateMenu
                    {...writing}
                    onClose={onClose}
                    start={{ location, lang: code, from: first }}
                  />
                )}
              </DialogButton>
            )}
          </Empty>
        ))}
      </div>
    </>
  )
}

/** The menus at a location, or those without one. */
const menusAt = (menus: readonly Menu[], location: string): Menu[] =>
  menus.filter(({ assigned }) =>
    location === UNASSIGNED
      ? assigned.length === 0
      : assigned.some((one) => one.location === location),
  )

/** The languages in which a menu is at a location; null: in all. */
const langsAt = ({ assigned }: Menu, location: string): readonly (string | null)[] =>
  assigned.flatMap((one) => (one.location === location ? one.lang : []))

type MenuPanelProps = {
  readonly menu: Menu
  readonly location: string
  /** Undefined if the token may not write menus. */
  readonly writing: Writing | undefined
}

function MenuPanel({ menu, location, writing }: MenuPanelProps) {
  const { site_id: site, languages } = useSite()
  const { id, name, items } = menu
  const langs = langsAt(menu, location)
  const isRtl = langsOf(menu).some((lang) => languages.find(({ code }) => code === lang)?.rtl)
  return (
    <section class="panel" aria-labelledby={`menu-${id}`}>
      <div class="panel-head">
        <h2 id={`menu-${id}`} dir="auto">
          {name}
        </h2>
        <p class="tags">
          {langs.map((lang) => (
            <span key={lang} class="badge">
              {lang ?? 'all languages'}
            </span>
          ))}
          <span class="none">{count(items, 'item')}</span>
          {hasKept(`${site}/${id}`) && <span class="badge warn">changed, not stored</span>}
          {langs.length === 0 && <span class="none">{assignedText(menu)}</span>}
        </p>
        <div class="row">
          <a class="button" href={linkTo(inSite(path`/menus/${id}`))}>
            {writing ? 'Edit' : 'Open'}
            <span class="visually-hidden"> {name}</span>
          </a>
          {writing &&
            DIALOGS.map(([label, Write]) => (
              <DialogButton
                key={label}
                class="quiet"
                label={
                  <>
                    {label}
                    <span class="visually-hidden"> {name}</span>
                  </>
                }
              >
                {(onClose) => <Write {...writing} {...{ menu, onClose }} />}
              </DialogButton>
            ))}
        </div>
      </div>
      <MenuTree id={id} isRtl={isRtl} />
    </section>
  )
}

const DIALOGS = [
  ['Rename', RenameMenu],
  ['Assign', AssignMenu],
  ['Delete', DeleteMenu],
] as const

type MenuItem = Output<'getMenu'>['items'][number]

/** Items of one menu beside others; its own view shows all of them. */
const MAX_SHOWN = 200

/** The items of a menu as a tree, with the links that are broken. */
function MenuTree({ id, isRtl }: { readonly id: number; readonly isRtl: boolean }) {
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

type LevelProps = {
  readonly children: ReadonlyMap<number, readonly MenuItem[]>
  readonly parent: number
}

function Level({ children, parent }: LevelProps) {
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
