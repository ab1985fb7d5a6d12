import { useSignal } from '@preact/signals'
import { Check, TextField } from '../../parts/fields.tsx'
import { inSite, linkTo, path } from '../../router.ts'
import { decodedPath, pageTitle, textOf } from '../../text.ts'
import { useEditedMenu } from './edited-menu.ts'
import { TargetSearch } from './target-search.tsx'
import { type ItemFields, type Tree, type TreeItem, withFields } from './tree.ts'
import { titleOf } from './tree-view.tsx'

/** What to do about an item that visitors cannot follow. */
export const ADVICE =
  'Link something else here, publish the page in WordPress, or remove the item. Until then, visitors do not get there.'

/** The fields of the chosen item. */
export function ItemForm() {
  const { draft } = useEditedMenu()
  const { index } = draft
  const tree: Tree = draft.tree.value
  const item = tree[index]
  if (!item) return <p class="none">Choose an item to see its fields.</p>
  const set = (fields: Partial<ItemFields>) =>
    draft.change(
      { tree: withFields(tree, index, fields), index },
      '',
      `${item.key} ${Object.keys(fields)}`,
    )
  const { fields, problem, target } = item
  const text = (name: TextName): FieldProps => ({
    dir: 'auto',
    value: fields[name],
    onInput: ({ currentTarget }) => set({ [name]: currentTarget.value }),
  })
  return (
    <section class="stack" aria-label={`Fields of ${titleOf(item)}`}>
      {problem !== null && (
        <div class="notice bad">
          <p dir="auto">{problem}</p>
          <p>{ADVICE}</p>
        </div>
      )}
      <TextField
        {...text('title')}
        key={`label ${item.key}`}
        id="item-title"
        label="Navigation label"
        placeholder={textOf(target.title)}
      />
      <LinkOf key={`link ${item.key}`} item={item} address={text('url')} />
      <Check
        label="Open in a new tab"
        checked={fields.target === '_blank'}
        onChange={(isOn) => set({ target: isOn ? '_blank' : '' })}
      />
      {TEXTS.map(({ name, ...labels }) => (
        <TextField key={name} {...labels} {...text(name)} />
      ))}
      <label class="field">
        Description
        <textarea rows={3} {...text('description')} />
      </label>
    </section>
  )
}

type FieldProps = {
  readonly dir: 'auto'
  readonly value: string
  readonly onInput: (event: { readonly currentTarget: { readonly value: string } }) => void
}

type TextName = 'title' | 'url' | 'description' | (typeof TEXTS)[number]['name']

/** The texts that say nothing about where the item leads. */
const TEXTS = [
  { name: 'attr_title', label: 'Title attribute' },
  { name: 'classes', label: 'CSS classes', hint: 'Separated by spaces.' },
  {
    name: 'xfn',
    label: 'Link relationship (XFN)',
    hint: 'For example nofollow. Separated by spaces.',
  },
] as const

type LinkOfProps = {
  readonly item: TreeItem
  readonly address: FieldProps
}

/** Where an item leads, and how to link something else. */
function LinkOf({ item: { fields, target }, address }: LinkOfProps) {
  const { draft } = useEditedMenu()
  const isOpen = useSignal(false)
  const link = (chosen: TreeItem) => {
    const { type, object, object_id, url } = chosen.fields
    const { index } = draft
    const tree = withFields(
      draft.tree.value,
      index,
      { type, object, object_id, url },
      chosen.target,
    )
    draft.change({ tree, index }, `The item links ${titleOf(chosen)}.`)
    isOpen.value = false
  }
  return (
    <>
      {fields.type === 'custom' ? (
        <TextField label="Address" {...address} />
      ) : (
        <p>
          Links {fields.type === 'post_type_archive' ? 'the archive of' : `${fields.object}:`}{' '}
          {target.page === null ? (
            <bdi>{textOf(target.title) || fields.object}</bdi>
          ) : (
            <a href={linkTo(inSite(path`/pages/${target.page}`))} dir="auto">
              {pageTitle({ id: target.page, title: target.title })}
            </a>
          )}{' '}
          <bdi class="path" dir="ltr">
            {decodedPath(target.url)}
          </bdi>
        </p>
      )}
      <details
        open={isOpen.value}
        onToggle={({ currentTarget }) => (isOpen.value = currentTarget.open)}
      >
        <summary>Link something else</summary>
        {isOpen.value && <TargetSearch label="Link instead" onPick={link} />}
      </details>
    </>
  )
}
