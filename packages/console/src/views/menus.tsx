import type { Output } from '../../../client/src/index.ts'
import { maySend, useSite } from '../current.ts'
import { DialogButton } from '../parts/dialog.tsx'
import { Empty } from '../parts/list.tsx'
import { Loaded } from '../parts/loaded.tsx'
import { Page } from '../parts/page.tsx'
import { useSiteRead } from '../reading.ts'
import { inSite, linkTo, parameter, path } from '../router.ts'
import { count } from '../text.ts'
import { CreateMenu } from './menus/create-dialog.tsx'
import { hasKept } from './menus/draft.ts'
import { assignedText, langsOf, type Menu } from './menus/locations.ts'
import { AssignMenu, DeleteMenu, RenameMenu } from './menus/menu-dialogs.tsx'
import { MenuTree } from './menus/menu-tree.tsx'

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

/** What dialogs that write need; undefined if the token may not write menus. */
type Writing =
  | {
      readonly locations: readonly string[]
      readonly menus: readonly Menu[]
      readonly onDone: () => void
    }
  | undefined

function MenusView({ answer, reload }: { readonly answer: Menus; readonly reload: () => void }) {
  const { menus } = answer
  const unassigned = menus.filter(({ assigned }) => assigned.length === 0)
  const locations = [
    ...new Set([
      ...answer.locations,
      ...menus.flatMap(({ assigned }) => assigned.map(({ location }) => location)),
    ]),
  ]
  const isFree = (name: string): boolean => menusAt(menus, name).length === 0
  const location = parameter('location') || (locations[0] ?? UNASSIGNED)
  const tab = (key: string, label: string, total: number) => (
    <a
      key={key}
      href={linkTo(inSite('/menus'), { location: key })}
      aria-current={key === location ? 'page' : undefined}
    >
      {label} <span class="badge">{total}</span>
    </a>
  )
  const writing: Writing = maySend('menus') ? { locations, menus, onDone: reload } : undefined
  // A new menu must not take the location of another one by default.
  const start = location !== UNASSIGNED && isFree(location) ? { location } : {}
  return (
    <>
      <div class="toolbar">
        <nav aria-label="Locations" class="segments">
          {locations.map((name) => tab(name, name, menusAt(menus, name).length))}
          {unassigned.length > 0 && tab(UNASSIGNED, 'unassigned', unassigned.length)}
        </nav>
        {writing && (
          <DialogButton label="New menu" isAsked={parameter('new') !== ''}>
            {(onClose) => <CreateMenu {...writing} {...{ start, onClose }} />}
          </DialogButton>
        )}
      </div>
      <Columns
        menus={location === UNASSIGNED ? unassigned : menusAt(menus, location)}
        {...{ location, writing }}
      />
    </>
  )
}

const menusAt = (menus: readonly Menu[], location: string): Menu[] =>
  menus.filter(({ assigned }) => assigned.some((one) => one.location === location))

/** The languages in which a menu is at a location; null: in all. */
const langsAt = ({ assigned }: Menu, location: string): readonly (string | null)[] =>
  assigned.flatMap((one) => (one.location === location ? one.lang : []))

type ColumnsProps = {
  readonly menus: readonly Menu[]
  readonly location: string
  readonly writing: Writing
}

function Columns({ menus, location, writing }: ColumnsProps) {
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
        <MenuPanel key={menu.id} {...{ menu, location, writing }} />
      ))}
      {missing.map(({ code, name }) => (
        <Empty key={code}>
          No menu for <bdi>{name}</bdi>{' '}
          {writing && first && (
            <DialogButton
              label={
                <>
                  Copy from {firstLang?.name ?? first.name}
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
  )
}

type MenuPanelProps = {
  readonly menu: Menu
  readonly location: string
  readonly writing: Writing
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
