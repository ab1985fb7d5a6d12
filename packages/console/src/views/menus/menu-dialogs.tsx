import { useSignal } from '@preact/signals'
import { useSite } from '../../current.ts'
import { BatchDialog } from '../../parts/batch-dialog.tsx'
import type { DialogEnd } from '../../parts/dialog.tsx'
import { PausedField, Select } from '../../parts/fields.tsx'
import { ThingDiffs } from '../../parts/thing-diffs.tsx'
import { path } from '../../router.ts'
import { count } from '../../text.ts'
import { answerOf } from '../../writes.ts'
import { assignedText, type Menu } from './locations.ts'

type DialogProps = DialogEnd & { readonly menu: Menu }

/** Changes the name of a menu. */
export function RenameMenu({ menu: { id, name }, onClose, onDone }: DialogProps) {
  const wanted = useSignal('')
  const to = wanted.value
  return (
    <BatchDialog
      onClose={onClose}
      onStored={onDone}
      title={`Rename ${name}`}
      label="Rename"
      writes={
        to === '' || to === name
          ? undefined
          : [{ method: 'PATCH', path: path`/menus/${id}`, body: { name: to } }]
      }
      done={`${name} is now ${to}.`}
      input={
        <PausedField
          label="New name"
          type="text"
          dir="auto"
          defaultValue={name}
          hint="Visitors do not see it, and the slug stays."
          onSettled={(typed) => (wanted.value = typed)}
        />
      }
    />
  )
}

/** Deletes a menu with its items. */
export function DeleteMenu({ menu, onClose, onDone }: DialogProps) {
  const { id, name, items } = menu
  return (
    <BatchDialog
      onClose={onClose}
      onStored={onDone}
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
export function AssignMenu({
  menu: { id, name },
  locations,
  menus,
  onClose,
  onDone,
}: DialogProps & { readonly locations: readonly string[]; readonly menus: readonly Menu[] }) {
  const { languages } = useSite()
  const location = useSignal('')
  const lang = useSignal(languages[0]?.code ?? '')
  const scope = languages.length > 0 ? { lang: lang.value } : {}
  const former = menus.find(({ assigned }) =>
    assigned.some(
      (one) => one.location === location.value && (one.lang === null || one.lang === lang.value),
    ),
  )
  return (
    <BatchDialog
      onClose={onClose}
      onStored={onDone}
      title={`Assign ${name}`}
      label="Assign"
      writes={
        location.value === ''
          ? undefined
          : [
              {
                method: 'PUT',
                path: path`/menus/${id}/location`,
                body: { location: location.value, ...scope },
              },
            ]
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
export function LocationFields({ location, lang, locations }: LocationFieldsProps) {
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
