import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { Output } from '../../../client/src/index.ts'
import { maySend, useSite } from '../current.ts'
import { Empty } from '../parts/list.tsx'
import { Loaded } from '../parts/loaded.tsx'
import { Page } from '../parts/page.tsx'
import { useRead } from '../reading.ts'
import { linkTo, path, replaceQuery, type ViewProps } from '../router.ts'
import { count } from '../text.ts'
import { CreateMenu, type NewMenu } from './menus/create-dialog.tsx'
import { hasKept } from './menus/draft.ts'
import { assignedText, langsOf, type Menu } from './menus/locations.ts'
import { AssignMenu, DeleteMenu, RenameMenu } from './menus/menu-dialogs.tsx'
import { MenuTree } from './menus/menu-tree.tsx'

type Menus = Output<'listMenus'>

/** The menus of a site by location, in all languages side by side. */
export function View({ query }: ViewProps<'site'>) {
  const { site_id: site } = useSite()
  const { reading, reload } = useRead('listMenus', { site_id: site })
  return (
    <Page title="Menus">
      <Loaded reading={reading} retry={reload}>
        {(answer) => <MenusView {...{ answer, query, reload }} />}
      </Loaded>
    </Page>
  )
}

/** The value of `location` for menus without one. */
const UNASSIGNED = '-'

/** The dialog that is open. */
type Open =
  | { readonly kind: 'create'; readonly start: NewMenu }
  | { readonly kind: 'rename' | 'assign' | 'delete'; readonly menu: Menu }

type Act = ((open: Open) => void) | undefined

function MenusView({
  answer,
  query,
  reload,
}: {
  readonly answer: Menus
  readonly query: URLSearchParams
  readonly reload: () => void
}) {
  const { site_id: site } = useSite()
  const open = useSignal<Open | undefined>(undefined)
  const { menus } = answer
  const unassigned = menus.filter(({ assigned }) => assigned.length === 0)
  const locations = [
    ...new Set([
      ...answer.locations,
      ...menus.flatMap(({ assigned }) => assigned.map(({ location }) => location)),
    ]),
  ]
  const isFree = (name: string): boolean => menusAt(menus, name).length === 0
  const location = query.get('location') ?? locations[0] ?? UNASSIGNED
  const tab = (key: string, label: string, total: number) => (
    <a
      key={key}
      href={linkTo(`/sites/${site}/menus`, { location: key })}
      aria-current={key === location ? 'page' : undefined}
    >
      {label} <span class="badge">{total}</span>
    </a>
  )
  const act: Act = maySend('menus') ? (chosen) => (open.value = chosen) : undefined
  // A new menu must not take the location of another one by default.
  const create = () =>
    act?.({
      kind: 'create',
      start: location !== UNASSIGNED && isFree(location) ? { location } : {},
    })
  useEffect(() => {
    if (!query.has('new')) return
    create()
    replaceQuery({ new: undefined })
  }, [query.has('new')])
  return (
    <>
      <div class="toolbar">
        <nav aria-label="Locations" class="segments">
          {locations.map((name) => tab(name, name, menusAt(menus, name).length))}
          {unassigned.length > 0 && tab(UNASSIGNED, 'unassigned', unassigned.length)}
        </nav>
        {act && (
          <button type="button" onClick={create}>
            New menu
          </button>
        )}
      </div>
      {location === UNASSIGNED ? (
        <Columns menus={unassigned} {...{ location, act }} />
      ) : (
        <Columns menus={menusAt(menus, location)} {...{ location, act }} />
      )}
      {open.value && (
        <OpenDialog
          {...{ locations, menus }}
          open={open.value}
          onClose={() => (open.value = undefined)}
          onDone={reload}
        />
      )}
    </>
  )
}

function OpenDialog({
  open,
  ...shared
}: {
  readonly open: Open
  readonly locations: readonly string[]
  readonly menus: readonly Menu[]
  readonly onClose: () => void
  readonly onDone: () => void
}) {
  if (open.kind === 'create') return <CreateMenu start={open.start} {...shared} />
  const { menu } = open
  if (open.kind === 'rename') return <RenameMenu menu={menu} {...shared} />
  if (open.kind === 'assign') return <AssignMenu menu={menu} {...shared} />
  return <DeleteMenu menu={menu} {...shared} />
}

const menusAt = (menus: readonly Menu[], location: string): Menu[] =>
  menus.filter(({ assigned }) => assigned.some((one) => one.location === location))

/** The languages in which a menu is at a location; null: in all. */
const langsAt = ({ assigned }: Menu, location: string): readonly (string | null)[] =>
  assigned.flatMap((one) => (one.location === location ? one.lang : []))

function Columns({
  menus,
  location,
  act,
}: {
  readonly menus: readonly Menu[]
  readonly location: string
  readonly act: Act
}) {
  const { languages } = useSite()
  if (menus.length === 0) return <Empty>No menu is assigned to this location.</Empty>
  const named = new Set(menus.flatMap((menu) => langsAt(menu, location)))
  const isOneForAll = location === UNASSIGNED || named.has(null)
  const missing = isOneForAll ? [] : languages.filter(({ code }) => !named.has(code))
  const order = languages.map(({ code }) => code)
  const rank = (menu: Menu) =>
    Math.min(...langsAt(menu, location).map((lang) => order.indexOf(lang ?? '')), order.length)
  const sorted = [...menus].sort((a, b) => rank(a) - rank(b))
  const [first] = sorted
  const firstLang = first && languages.find(({ code }) => code === langsAt(first, location)[0])
  return (
    <div class="menus">
      {sorted.map((menu) => (
        <MenuPanel key={menu.id} {...{ menu, location, act }} />
      ))}
      {missing.map(({ code, name }) => (
        <Empty key={code}>
          No menu for <bdi>{name}</bdi>{' '}
          {act && first && (
            <button
              type="button"
              onClick={() => act({ kind: 'create', start: { location, lang: code, from: first } })}
            >
              Copy from {firstLang?.name ?? first.name}
              <span class="visually-hidden"> for {name}</span>
            </button>
          )}
        </Empty>
      ))}
    </div>
  )
}

function MenuPanel({
  menu,
  location,
  act,
}: {
  readonly menu: Menu
  readonly location: string
  readonly act: Act
}) {
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
          <a class="button" href={linkTo(path`/sites/${site}/menus/${id}`)}>
            {act ? 'Edit' : 'Open'}
            <span class="visually-hidden"> {name}</span>
          </a>
          {act &&
            (['rename', 'assign', 'delete'] as const).map((kind) => (
              <button key={kind} type="button" class="quiet" onClick={() => act({ kind, menu })}>
                {LABELS[kind]}
                <span class="visually-hidden"> {name}</span>
              </button>
            ))}
        </div>
      </div>
      <MenuTree id={id} isRtl={isRtl} />
    </section>
  )
}

const LABELS = { rename: 'Rename', assign: 'Assign', delete: 'Delete' } as const
