import { useMemo } from 'preact/hooks'
import type { Output } from '../../../client/src/index.ts'
import { useSiteRead } from '../calls.ts'
import { api } from '../client.ts'
import { useSite } from '../current.ts'
import { Loaded } from '../parts/notice.tsx'
import { Page } from '../parts/page.tsx'
import { inSite, linkTo, type ViewProps } from '../router.ts'
import { Draft, type EditedMenu, EditedMenuContext, langsOf } from './menus/edited-menu.ts'
import { Editor } from './menus/editor.tsx'
import { treeOf } from './menus/tree.ts'

/** Edits the items of one menu. Nothing is stored before that is asked for. */
export function View({ params: { menu: ref } }: ViewProps<'site' | 'menu'>) {
  const menus = useSiteRead('listMenus', {})
  const { reading, reload } = useSiteRead('getMenu', { ref, links: true })
  const listed = menus.answer?.menus ?? []
  const menu = listed.find(({ id }) => String(id) === ref)
  return (
    <Page
      title={menu?.name ?? 'Menu'}
      isContent
      trail={[{ label: 'Menus', href: linkTo(inSite('/menus')) }]}
    >
      <Loaded reading={menus.reading} retry={menus.reload}>
        {() => (
          <Loaded reading={reading} retry={reload}>
            {(answer) => (
              <MenuEditor
                {...{ answer, reload, listed }}
                menu={menu ?? { ...answer.menu, items: answer.items.length, assigned: [] }}
              />
            )}
          </Loaded>
        )}
      </Loaded>
    </Page>
  )
}

function MenuEditor({
  answer,
  ...edited
}: Pick<EditedMenu, 'menu' | 'listed' | 'reload'> & { readonly answer: Output<'getMenu'> }) {
  const { site_id: site, languages } = useSite()
  const { menu } = edited
  const draft = useMemo(() => {
    const base = { tree: treeOf(answer.items), etag: api().etagOf(answer) }
    return new Draft(`${site}/${menu.id}`, base)
  }, [answer])
  const [lang] = langsOf(menu)
  const isRtl = languages.some(({ code, rtl }) => code === lang && rtl)
  return (
    <EditedMenuContext.Provider value={{ ...edited, draft, lang, isRtl }}>
      <Editor />
    </EditedMenuContext.Provider>
  )
}
