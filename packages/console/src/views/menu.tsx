import { useMemo } from 'preact/hooks'
import type { Output } from '../../../client/src/index.ts'
import { api } from '../client.ts'
import { useSite } from '../current.ts'
import { Loaded } from '../parts/loaded.tsx'
import { Page } from '../parts/page.tsx'
import { useRead } from '../reading.ts'
import { linkTo, type ViewProps } from '../router.ts'
import { Draft } from './menus/draft.ts'
import { Editor } from './menus/editor.tsx'
import { langsOf, type Menu } from './menus/locations.ts'
import { treeOf } from './menus/tree.ts'

/** Edits the items of one menu. Nothing is stored before that is asked for. */
export function View({ params: { menu: ref }, query }: ViewProps<'site' | 'menu'>) {
  const { site_id: site } = useSite()
  const menus = useRead('listMenus', { site_id: site })
  const { reading, reload } = useRead('getMenu', { site_id: site, ref, links: true })
  const listed = menus.reading.state === 'ready' ? menus.reading.answer.menus : []
  const menu = listed.find(({ id }) => String(id) === ref)
  return (
    <Page
      title={menu?.name ?? 'Menu'}
      isContent
      trail={[{ label: 'Menus', href: linkTo(`/sites/${site}/menus`) }]}
    >
      <Loaded reading={menus.reading} retry={menus.reload}>
        {() => (
          <Loaded reading={reading} retry={reload}>
            {(answer) => (
              <MenuEditor
                {...{ answer, reload, query, listed }}
                menu={menu ?? { ...answer.menu, items: answer.items.length, assigned: [] }}
              />
            )}
          </Loaded>
        )}
      </Loaded>
    </Page>
  )
}

type MenuEditorProps = {
  readonly menu: Menu
  /** All menus of the site. */
  readonly listed: readonly Menu[]
  readonly answer: Output<'getMenu'>
  readonly query: URLSearchParams
  readonly reload: () => void
}

function MenuEditor({ menu, listed, answer, query, reload }: MenuEditorProps) {
  const { site_id: site, languages } = useSite()
  const draft = useMemo(() => {
    const base = { tree: treeOf(answer.items), etag: api().etagOf(answer) }
    return new Draft(`${site}/${menu.id}`, base)
  }, [answer])
  const [lang] = langsOf(menu)
  const isRtl = languages.some(({ code, rtl }) => code === lang && rtl)
  return <Editor {...{ draft, menu, listed, lang, isRtl, query, reload }} />
}
