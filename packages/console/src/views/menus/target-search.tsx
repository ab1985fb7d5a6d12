import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { Output } from '../../../../client/src/index.ts'
import { useSiteRead } from '../../calls.ts'
import { Choices, PausedField } from '../../parts/fields.tsx'
import { announce, Loaded } from '../../parts/notice.tsx'
import { count, decodedPath, textOf } from '../../text.ts'
import { useEditedMenu } from './edited-menu.ts'
import { newItem, type TreeItem } from './tree.ts'

type Found = Output<'listMenuTargets'>['targets'][number]

type TargetSearchProps = {
  /** What a pick does. */
  readonly label: string
  readonly onPick: (item: TreeItem) => void
}

/** Searches pages, terms and archives in a language, and takes custom links. */
export function TargetSearch({ label, onPick }: TargetSearchProps) {
  const { menu, lang } = useEditedMenu()
  const search = useSignal('')
  const { reading, answer, reload } = useSiteRead('listMenuTargets', {
    ref: String(menu.id),
    search: search.value,
    lang,
  })
  const total = answer?.targets.length
  useEffect(() => {
    if (total !== undefined && search.value !== '') announce(`${count(total, 'thing')} found.`)
  }, [total, search.value])
  return (
    <div class="stack">
      <PausedField
        label="Search pages, terms and archives"
        placeholder="Title, slug or id"
        onSettled={(text) => (search.value = text)}
      />
      <Loaded reading={reading} retry={reload}>
        {({ targets }) =>
          targets.length === 0 ? (
            <p class="none">Nothing fits. Only what is published can be linked.</p>
          ) : (
            <Choices
              items={targets}
              keyOf={({ type, object, object_id }) => `${type} ${object} ${object_id}`}
              onPick={(target) => onPick(itemFor(target))}
            >
              {(target) => (
                <>
                  <span class="visually-hidden">{label}: </span>
                  <bdi>{textOf(target.title)}</bdi>
                  {target.lang !== null && <span class="badge">{target.lang}</span>}
                  <span class="none" dir="ltr">
                    {decodedPath(target.url)}
                  </span>
                  <span class="none">{kindOf(target)}</span>
                </>
              )}
            </Choices>
          )
        }
      </Loaded>
      <form
        class="row"
        onSubmit={(event) => {
          event.preventDefault()
          const form = new FormData(event.currentTarget)
          const url = String(form.get('url')).trim()
          if (url === '') return
          onPick(newItem({ url, title: String(form.get('title')).trim() || url }))
          event.currentTarget.reset()
        }}
      >
        <input
          name="url"
          aria-label="Address"
          placeholder="https://… or /path"
          dir="ltr"
          autocomplete="off"
        />
        <input name="title" aria-label="Label of the link" placeholder="Label" dir="auto" />
        <button type="submit">{label} this link</button>
      </form>
    </div>
  )
}

const kindOf = ({ type, object }: Found): string =>
  type === 'post_type_archive' ? 'archive' : object

const itemFor = ({ type, object, object_id, title, url, lang }: Found): TreeItem =>
  newItem(
    { type, object, object_id },
    { title, url, lang, page: type === 'post_type' && object === 'page' ? object_id : null },
  )
