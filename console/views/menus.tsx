import type { Output } from '../../packages/client/src/index.ts'
import { useSite } from '../current.ts'
import { Empty } from '../parts/list.tsx'
import { Loaded } from '../parts/loaded.tsx'
import { Page } from '../parts/page.tsx'
import { useRead } from '../reading.ts'
import { linkTo, type ViewProps } from '../router.ts'
import { count } from '../text.ts'
import { MenuTree } from './menus/menu-tree.tsx'

type Menus = Output<'listMenus'>
type Menu = Menus['menus'][number]

/** The menus of a site by location, in all languages side by side. */
export function View({ query }: ViewProps<'site'>) {
  const { site_id: site } = useSite()
  const { reading, reload } = useRead('listMenus', { site_id: site })
  return (
    <Page title="Menus">
      <Loaded reading={reading} retry={reload}>
        {(answer) => <MenusView {...{ answer, query }} />}
      </Loaded>
    </Page>
  )
}

/** The value of `location` for menus that are at no location. */
const UNASSIGNED = '-'

function MenusView({ answer, query }: { readonly answer: Menus; readonly query: URLSearchParams }) {
  const { site_id: site } = useSite()
  const { menus } = answer
  const unassigned = menus.filter(({ assigned }) => assigned.length === 0)
  const locations = [
    ...new Set([
      ...answer.locations,
      ...menus.flatMap(({ assigned }) => assigned.map(({ location }) => location)),
    ]),
  ]
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
  return (
    <>
      <nav aria-label="Locations" class="segments scroll">
        {locations.map((name) => tab(name, name, menusAt(menus, name).length))}
        {unassigned.length > 0 && tab(UNASSIGNED, 'at no location', unassigned.length)}
      </nav>
      {location === UNASSIGNED ? (
        <Columns menus={unassigned.map((menu) => ({ menu, langs: [] }))} />
      ) : (
        <Columns menus={menusAt(menus, location)} />
      )}
    </>
  )
}

type MenuInLanguages = {
  readonly menu: Menu
  /** Languages for which the menu is at the location; null: of sites without languages. */
  readonly langs: readonly (string | null)[]
}

function menusAt(menus: readonly Menu[], location: string): MenuInLanguages[] {
  return menus.flatMap((menu) => {
    const langs = menu.assigned
      .filter((assigned) => assigned.location === location)
      .map(({ lang }) => lang)
    return langs.length > 0 ? [{ menu, langs }] : []
  })
}

function Columns({ menus }: { readonly menus: readonly MenuInLanguages[] }) {
  const { languages } = useSite()
  if (menus.length === 0) return <Empty>No menu is assigned to this location.</Empty>
  const named = new Set(menus.flatMap(({ langs }) => langs))
  const missing =
    named.size === 0 || named.has(null) ? [] : languages.filter(({ code }) => !named.has(code))
  const order = languages.map(({ code }) => code)
  const rank = ({ langs }: MenuInLanguages) =>
    Math.min(...langs.map((lang) => order.indexOf(lang ?? '')), order.length)
  return (
    <div class="menus">
      {[...menus]
        .sort((a, b) => rank(a) - rank(b))
        .map(({ menu, langs }) => (
          <section key={menu.id} class="panel" aria-labelledby={`menu-${menu.id}`}>
            <div class="panel-head">
              <h2 id={`menu-${menu.id}`} dir="auto">
                {menu.name}
              </h2>
              <p class="tags">
                {langs.map((lang) => (
                  <span key={lang} class="badge">
                    {lang ?? 'all languages'}
                  </span>
                ))}
                <span class="none">{count(menu.items, 'item')}</span>
              </p>
            </div>
            <MenuTree
              id={menu.id}
              isRtl={langs.some((lang) => languages.find(({ code }) => code === lang)?.rtl)}
            />
          </section>
        ))}
      {missing.map(({ code, name }) => (
        <Empty key={code}>
          No menu for <bdi>{name}</bdi>
        </Empty>
      ))}
    </div>
  )
}
