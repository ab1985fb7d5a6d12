import { useSignal } from '@preact/signals'
import { useSite } from '../../current.ts'
import { linkTo, path } from '../../router.ts'
import { decodedPath, textOf } from '../../text.ts'
import type { Draft } from './draft.ts'
import { TargetSearch } from './target-search.tsx'
import { type ItemFields, type Tree, type TreeItem, withFields } from './tree.ts'
import { titleOf } from './tree-view.tsx'

/** What to do about an item that visitors cannot follow. */
export const ADVICE =
  'Link something else here, publish the page in WordPress, or remove the item. Until then, visitors do not get there.'

/** The fields of the chosen item. */
export function ItemForm({
  draft,
  menu,
  lang,
}: {
  readonly draft: Draft
  readonly menu: number
  readonly lang: string | undefined
}) {
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
  const text = (name: TextName) => (value: string) => set({ [name]: value })
  const { fields, problem, target } = item
  return (
    <section class="stack" aria-label={`Fields of ${titleOf(item)}`}>
      {problem !== null && (
        <div class="notice bad">
          <p dir="auto">{problem}</p>
          <p>{ADVICE}</p>
        </div>
      )}
      <Text
        key={`label ${item.key}`}
        id="item-title"
        label="Navigation label"
        value={fields.title}
        placeholder={textOf(target.title)}
        onInput={text('title')}
      />
      <LinkOf key={`link ${item.key}`} {...{ draft, item, menu, lang }} onUrl={text('url')} />
      <label class="check">
        <input
          type="checkbox"
          checked={fields.target === '_blank'}
          onChange={({ currentTarget }) => set({ target: currentTarget.checked ? '_blank' : '' })}
        />
        Open in a new tab
      </label>
      {TEXTS.map(({ name, ...labels }) => (
        <Text key={name} {...labels} value={fields[name]} onInput={text(name)} />
      ))}
    </section>
  )
}

type TextName = 'title' | 'url' | (typeof TEXTS)[number]['name']

/** The texts that say nothing about where the item leads. */
const TEXTS = [
  { name: 'attr_title', id: 'item-attr-title', label: 'Title attribute' },
  { name: 'classes', id: 'item-classes', label: 'CSS classes', hint: 'Separated by spaces.' },
  {
    name: 'xfn',
    id: 'item-xfn',
    label: 'Link relationship (XFN)',
    hint: 'For example nofollow. Separated by spaces.',
  },
  { name: 'description', id: 'item-description', label: 'Description', rows: 3 },
] as const

function Text({
  id,
  label,
  hint,
  rows,
  value,
  placeholder,
  onInput,
}: {
  readonly id: string
  readonly label: string
  readonly hint?: string
  /** For a text of several lines. */
  readonly rows?: number
  readonly value: string
  readonly placeholder?: string
  readonly onInput: (text: string) => void
}) {
  const Field = rows === undefined ? 'input' : 'textarea'
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <Field
        rows={rows}
        id={id}
        dir="auto"
        autocomplete="off"
        value={value}
        placeholder={placeholder}
        aria-describedby={hint === undefined ? undefined : `${id}-hint`}
        onInput={({ currentTarget }: { currentTarget: { value: string } }) =>
          onInput(currentTarget.value)
        }
      />
      {hint !== undefined && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
    </div>
  )
}

/** Where an item leads, and how to link something else. */
function LinkOf({
  draft,
  item: { fields, target },
  menu,
  lang,
  onUrl,
}: {
  readonly draft: Draft
  readonly item: TreeItem
  readonly menu: number
  readonly lang: string | undefined
  readonly onUrl: (url: string) => void
}) {
  const { site_id: site } = useSite()
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
        <Text id="item-url" label="Address" value={fields.url} onInput={onUrl} />
      ) : (
        <p>
          Links {fields.type === 'post_type_archive' ? 'the archive of' : `${fields.object}:`}{' '}
          {target.page === null ? (
            <bdi>{textOf(target.title) || fields.object}</bdi>
          ) : (
            <a href={linkTo(path`/sites/${site}/pages/${target.page}`)} dir="auto">
              {textOf(target.title) || `Page ${target.page}`}
            </a>
          )}{' '}
          <bdi class="path" dir="ltr">
            {decodedPath(target.url)}
          </bdi>
        </p>
      )}
      <details
        open={isOpen.value}
        onToggle={({ currentTarget }) => {
          isOpen.value = currentTarget.open
        }}
      >
        <summary>Link something else</summary>
        {isOpen.value && <TargetSearch {...{ menu, lang }} label="Link instead" onPick={link} />}
      </details>
    </>
  )
}
