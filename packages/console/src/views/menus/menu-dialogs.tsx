import { type Signal, useSignal } from '@preact/signals'
import { useSiteRead } from '../../calls.ts'
import { useSite } from '../../current.ts'
import type { DialogEnd } from '../../parts/dialog.tsx'
import { ThingDiffs } from '../../parts/diff.tsx'
import { Check, PausedField, Select, type TextFieldProps } from '../../parts/fields.tsx'
import { Loaded } from '../../parts/notice.tsx'
import { BatchDialog } from '../../parts/write-dialog.tsx'
import { path } from '../../router.ts'
import { count } from '../../text.ts'
import { answerOf } from '../../writes.ts'
import { assignedText, type Menu } from './edited-menu.ts'
import { isUntranslated, itemsToSend, type Tree, translateTree, treeOf } from './tree.ts'
import { titleOf } from './tree-view.tsx'

/** What dialogs that write menus need. */
export type Writing = Pick<DialogEnd, 'onDone'> & {
  readonly locations: readonly string[]
  readonly menus: readonly Menu[]
}

/** A name that is empty while somebody types: what is stored then is not the name before the last letter. */
const NameField = ({ text, ...field }: TextFieldProps & { text: Signal<string> }) => (
  <PausedField
    {...field}
    type={undefined}
    dir="auto"
    onTyping={() => (text.value = '')}
    onSettled={(typed) => (text.value = typed)}
  />
)

type DialogProps = Writing & Pick<DialogEnd, 'onClose'>
type OfMenu = { readonly menu: Menu }

/** Changes the name of a menu. */
export function RenameMenu({ menu: { id, name }, ...dialog }: DialogProps & OfMenu) {
  const wanted = useSignal('')
  const to = wanted.value
  return (
    <BatchDialog
      {...dialog}
      title={`Rename ${name}`}
      label="Rename"
      writes={
        to === '' || to === name
          ? undefined
          : [{ method: 'PATCH', path: path`/menus/${id}`, body: { name: to } }]
      }
      done={`${name} is now ${to}.`}
      input={
        <NameField
          label="New name"
          defaultValue={name}
          hint="Visitors do not see it, and the slug stays."
          text={wanted}
        />
      }
    />
  )
}

/** Deletes a menu with its items. */
export function DeleteMenu({ menu, ...dialog }: DialogProps & OfMenu) {
  const { id, name, items } = menu
  return (
    <BatchDialog
      {...dialog}
      title={`Delete ${name}`}
      label="Delete"
      isDangerous
      writes={[{ method: 'DELETE', path: path`/menus/${id}` }]}
      done={`${name} is deleted.`}
    >
      {({ diffs }) => (
        <>
          <p>
            {count(items, 'item')} and the assignments ({assignedText(menu)}) are deleted with it.
            It can be undone, but values of plugins on its items cannot.
          </p>
          <ThingDiffs things={diffs} />
        </>
      )}
    </BatchDialog>
  )
}

/** Assigns a menu to a location, in a language. */
export function AssignMenu({ menu, locations, menus, ...dialog }: DialogProps & OfMenu) {
  const { id, name } = menu
  const { languages } = useSite()
  const location = useSignal('')
  const lang = useSignal(languages[0]?.code ?? '')
  const body = { location: location.value, ...(languages.length > 0 && { lang: lang.value }) }
  const former = menus.find(({ assigned }) =>
    assigned.some(
      (one) => one.location === location.value && (one.lang === null || one.lang === lang.value),
    ),
  )
  return (
    <BatchDialog
      {...dialog}
      title={`Assign ${name}`}
      label="Assign"
      writes={
        location.value === ''
          ? undefined
          : [{ method: 'PUT', path: path`/menus/${id}/location`, body }]
      }
      done={`${name} is assigned to ${location.value}.`}
      input={<LocationFields {...{ location, lang, locations }} />}
    >
      {(found) => {
        const { warnings } = answerOf<'assignMenuLocation'>(found)
        return (
          <>
            {former && former.id !== id && (
              <p>
                There, it replaces <bdi>{former.name}</bdi>, which stays as a menu.
              </p>
            )}
            {former?.id === id && <p>It is assigned there already.</p>}
            {warnings.length > 0 && <p>{warnings.join(', ')}</p>}
            <ThingDiffs things={found.diffs} />
          </>
        )
      }}
    </BatchDialog>
  )
}

type LocationFieldsProps = {
  readonly location: { value: string }
  readonly lang: { value: string }
  readonly locations: readonly string[]
}

/** Chooses a location and a language. */
function LocationFields({ location, lang, locations }: LocationFieldsProps) {
  const { languages } = useSite()
  return (
    <>
      <Select
        label="Location"
        value={location.value}
        options={[['', 'none'], ...locations.map((name) => [name, name] as const)]}
        onChange={(chosen) => (location.value = chosen)}
      />
      {languages.length > 0 && (
        <Select
          label="Language"
          value={lang.value}
          options={languages.map(({ code, name }) => [code, name])}
          onChange={(chosen) => (lang.value = chosen)}
        />
      )}
    </>
  )
}

/** What a new menu begins with. */
type NewMenu = { readonly location?: string; readonly lang?: string; readonly from?: Menu }
type NewMenuProps = { readonly start: NewMenu }

/** Creates a menu, empty or as a copy of another one, in which pages are replaced by their translations. */
export function CreateMenu({ start, locations, menus, ...dialog }: DialogProps & NewMenuProps) {
  const { languages } = useSite()
  const begun = start.from ? `${start.from.name} (${start.lang ?? ''})` : ''
  const name = useSignal(begun)
  const location = useSignal(start.location ?? '')
  const lang = useSignal(start.lang ?? languages[0]?.code ?? '')
  const from = useSignal(start.from === undefined ? '' : String(start.from.id))
  const omit = useSignal(true)
  const { reading, answer, reload } = useSiteRead(
    'getMenu',
    from.value === '' ? undefined : { ref: from.value, links: true },
  )
  const source: Tree = from.value !== '' && answer ? treeOf(answer.items) : []
  const target = languages.length > 0 ? lang.value : undefined
  const untranslated = source.filter((item) => isUntranslated(item, target))
  const { items } = itemsToSend(translateTree(source, target, omit.value), [])
  const assignment =
    location.value === ''
      ? {}
      : { location: location.value, ...(target === undefined ? {} : { lang: target }) }
  const body = { name: name.value, items, allow_invalid: true, ...assignment }
  return (
    <BatchDialog
      {...dialog}
      title="New menu"
      label="Create"
      writes={
        name.value === '' || (from.value !== '' && !answer)
          ? undefined
          : [{ method: 'POST', path: '/menus', body }]
      }
      done={`${name.value} is created.`}
      input={
        <>
          <NameField label="Name" defaultValue={begun} text={name} />
          <LocationFields {...{ location, lang, locations }} />
          <Select
            label="Copy the items of"
            value={from.value}
            options={[['', 'no menu'], ...menus.map((menu) => [menu.id, menu.name] as const)]}
            onChange={(chosen) => (from.value = chosen)}
          />
          {from.value !== '' && (
            <Loaded reading={reading} retry={reload}>
              {() =>
                untranslated.length === 0 ? (
                  <p class="hint">
                    {count(source.length, 'item')}, each in the language of the menu.
                  </p>
                ) : (
                  <>
                    <p>
                      {untranslated.length} of {count(source.length, 'item')} link pages that are
                      not translated: <bdi>{untranslated.slice(0, 10).map(titleOf).join(', ')}</bdi>
                      {untranslated.length > 10 ? ' and others' : ''}.
                    </p>
                    <Check
                      label="Leave them out"
                      checked={omit.value}
                      onChange={(isOn) => (omit.value = isOn)}
                    />
                  </>
                )
              }
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
            <ThingDiffs things={found.diffs} />
          </>
        )
      }}
    </BatchDialog>
  )
}
