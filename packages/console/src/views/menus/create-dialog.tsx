import { useSignal } from '@preact/signals'
import { useSite } from '../../current.ts'
import { BatchDialog } from '../../parts/batch-dialog.tsx'
import type { DialogEnd } from '../../parts/dialog.tsx'
import { Check, PausedField, Select } from '../../parts/fields.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { ThingDiffs } from '../../parts/thing-diffs.tsx'
import { useSiteRead } from '../../reading.ts'
import { count } from '../../text.ts'
import { answerOf } from '../../writes.ts'
import type { Menu } from './locations.ts'
import { LocationFields } from './menu-dialogs.tsx'
import { isUntranslated, translateTree } from './translate.ts'
import { itemsToSend, type Tree, treeOf } from './tree.ts'
import { titleOf } from './tree-view.tsx'

/** What a new menu begins with. */
type NewMenu = { readonly location?: string; readonly lang?: string; readonly from?: Menu }

/** Creates a menu, empty or as a copy of another one, in which pages are replaced by their translations. */
export function CreateMenu({
  start,
  locations,
  menus,
  onClose,
  onDone,
}: DialogEnd & {
  readonly start: NewMenu
  readonly locations: readonly string[]
  readonly menus: readonly Menu[]
}) {
  const { languages } = useSite()
  const begun = start.from ? `${start.from.name} (${start.lang ?? ''})` : ''
  const name = useSignal(begun)
  const location = useSignal(start.location ?? '')
  const lang = useSignal(start.lang ?? languages[0]?.code ?? '')
  const from = useSignal(start.from === undefined ? '' : String(start.from.id))
  const omit = useSignal(true)
  const { reading, reload } = useSiteRead(
    'getMenu',
    from.value === '' ? undefined : { ref: from.value, links: true },
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
  const body = { name: name.value, items, allow_invalid: true, ...assignment }
  return (
    <BatchDialog
      onClose={onClose}
      onStored={onDone}
      title="New menu"
      label="Create"
      writes={name.value === '' || !isRead ? undefined : [{ method: 'POST', path: '/menus', body }]}
      done={`${name.value} is created.`}
      input={
        <>
          <PausedField
            label="Name"
            type="text"
            dir="auto"
            defaultValue={begun}
            onSettled={(typed) => (name.value = typed)}
          />
          <LocationFields {...{ location, lang, locations }} />
          <Select
            label="Copy the items of"
            value={from.value}
            options={[['', 'no menu'], ...menus.map((menu) => [menu.id, menu.name] as const)]}
            onChange={(chosen) => (from.value = chosen)}
          />
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
            <ThingDiffs things={found.diffs} />
          </>
        )
      }}
    </BatchDialog>
  )
}

type UntranslatedProps = {
  readonly source: Tree
  readonly untranslated: Tree
  readonly omit: { value: boolean }
}

/** The items whose pages are not translated, and what becomes of them. */
function Untranslated({ source, untranslated, omit }: UntranslatedProps) {
  if (untranslated.length === 0)
    return <p class="hint">{count(source.length, 'item')}, each in the language of the menu.</p>
  return (
    <>
      <p>
        {untranslated.length} of {count(source.length, 'item')} link pages that are not translated:{' '}
        <bdi>{untranslated.slice(0, 10).map(titleOf).join(', ')}</bdi>
        {untranslated.length > 10 ? ' and others' : ''}.
      </p>
      <Check label="Leave them out" checked={omit.value} onChange={(isOn) => (omit.value = isOn)} />
    </>
  )
}
