import { useSignal } from '@preact/signals'
import { useSite } from '../../current.ts'
import { Loaded } from '../../parts/loaded.tsx'
import { useRead } from '../../reading.ts'
import { count } from '../../text.ts'
import { answerOf } from '../../writes.ts'
import type { Menu } from './locations.ts'
import { LocationFields, MenuWrite } from './menu-dialogs.tsx'
import { isUntranslated, translateTree } from './translate.ts'
import { itemsToSend, type Tree, treeOf } from './tree.ts'
import { titleOf } from './tree-view.tsx'

/** What a new menu begins with. */
export type NewMenu = { readonly location?: string; readonly lang?: string; readonly from?: Menu }

/** Creates a menu, empty or as a copy of another one, in which pages are replaced by their translations. */
export function CreateMenu({
  site,
  start,
  locations,
  menus,
  onClose,
  onDone,
}: {
  readonly site: number
  readonly start: NewMenu
  readonly locations: readonly string[]
  readonly menus: readonly Menu[]
  readonly onClose: () => void
  readonly onDone: () => void
}) {
  const { languages } = useSite()
  const name = useSignal('')
  const location = useSignal(start.location ?? '')
  const lang = useSignal(start.lang ?? languages[0]?.code ?? '')
  const from = useSignal(start.from === undefined ? '' : String(start.from.id))
  const omit = useSignal(true)
  const { reading, reload } = useRead(
    'getMenu',
    from.value === '' ? undefined : { site_id: site, ref: from.value, links: true },
  )
  const isRead = from.value === '' || reading.state === 'ready'
  const source: Tree =
    from.value !== '' && reading.state === 'ready' ? treeOf(reading.answer.items) : []
  const target = languages.length > 0 ? lang.value : undefined
  const untranslated = source.filter((item) => isUntranslated(item, target))
  const { items } = itemsToSend(translateTree(source, target, omit.value), [])
  const assignment =
    location.value === ''
      ? {}
      : { location: location.value, ...(target === undefined ? {} : { lang: target }) }
  return (
    <MenuWrite
      {...{ site, onClose, onDone }}
      title="New menu"
      label="Create"
      write={
        name.value === '' || !isRead
          ? undefined
          : {
              method: 'POST',
              path: '/menus',
              body: { name: name.value, items, allow_invalid: true, ...assignment },
            }
      }
      done={`${name.value} is created.`}
      input={
        <>
          <form
            class="field"
            onSubmit={(event) => {
              event.preventDefault()
              name.value = String(new FormData(event.currentTarget).get('name')).trim()
            }}
          >
            <label for="new-menu-name">Name</label>
            <div class="row">
              <input
                id="new-menu-name"
                name="name"
                dir="auto"
                autocomplete="off"
                defaultValue={start.from ? `${start.from.name} (${start.lang ?? ''})` : ''}
              />
              <button type="submit">Check</button>
            </div>
          </form>
          <LocationFields {...{ location, lang, locations }} />
          <div class="field">
            <label for="menu-from">Copy the items of</label>
            <select
              id="menu-from"
              value={from.value}
              onChange={({ currentTarget }) => {
                from.value = currentTarget.value
              }}
            >
              <option value="">no menu</option>
              {menus.map((menu) => (
                <option key={menu.id} value={menu.id}>
                  {menu.name}
                </option>
              ))}
            </select>
          </div>
          {from.value !== '' && (
            <Loaded reading={reading} retry={reload}>
              {() => <Untranslated {...{ source, untranslated, omit }} />}
            </Loaded>
          )}
        </>
      }
    >
      {(found) => {
        const { invalid, items: made, warnings } = answerOf<'createMenu'>(found)
        return (
          <>
            <p>It has {count(made.length, 'item')}.</p>
            {invalid.length > 0 && (
              <p>{count(invalid.length, 'item')} of unpublished pages would be left out.</p>
            )}
            {warnings.includes('slug_changed') && (
              <p>Another menu has its name or slug, so a number is appended to the slug.</p>
            )}
          </>
        )
      }}
    </MenuWrite>
  )
}

/** The items whose pages are not translated, and what becomes of them. */
function Untranslated({
  source,
  untranslated,
  omit,
}: {
  readonly source: Tree
  readonly untranslated: Tree
  readonly omit: { value: boolean }
}) {
  if (untranslated.length === 0)
    return <p class="hint">{count(source.length, 'item')}, each in the language of the menu.</p>
  return (
    <>
      <p>
        {untranslated.length} of {count(source.length, 'item')} link pages that are not translated:{' '}
        <bdi>{untranslated.slice(0, 10).map(titleOf).join(', ')}</bdi>
        {untranslated.length > 10 ? ' and others' : ''}.
      </p>
      <label class="check">
        <input
          type="checkbox"
          checked={omit.value}
          onChange={({ currentTarget }) => {
            omit.value = currentTarget.checked
          }}
        />
        Leave them out
      </label>
    </>
  )
}
