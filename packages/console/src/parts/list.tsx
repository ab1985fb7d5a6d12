import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { replaceQuery } from '../router.ts'
import { count } from '../text.ts'
import { Select } from './fields.tsx'
import { announce } from './notice.tsx'

/** A field that puts what is typed into the address of the view, as the parameter `q`. */
export function SearchField({
  label,
  value,
  placeholder,
}: {
  readonly label: string
  readonly value: string
  readonly placeholder?: string
}) {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const search = (text: string) =>
    replaceQuery({ q: text.trim(), after: undefined, before: undefined })
  return (
    <search class="search">
      <form
        onSubmit={(event) => {
          event.preventDefault()
          clearTimeout(timer.current)
          search(new FormData(event.currentTarget).get('q') as string)
        }}
      >
        <label class="visually-hidden" for="search">
          {label}
        </label>
        <input
          id="search"
          name="q"
          type="search"
          autocomplete="off"
          defaultValue={value}
          placeholder={placeholder ?? label}
          onInput={({ currentTarget }) => {
            clearTimeout(timer.current)
            timer.current = setTimeout(() => search(currentTarget.value), 250)
          }}
        />
      </form>
    </search>
  )
}

/**
 * Chooses a parameter of the address, by which a list is filtered or sorted. Another choice begins at the first page. The first choice is the default, which
 * is not in the address.
 */
export function QuerySelect({
  name,
  label,
  value,
  options,
}: {
  readonly name: string
  readonly label: string
  readonly value: string
  readonly options: readonly (readonly [value: string, label: string])[]
}) {
  return (
    <Select
      {...{ label, value, options }}
      onChange={(chosen) =>
        replaceQuery({
          [name]: chosen === options[0]?.[0] ? undefined : chosen,
          after: undefined,
          before: undefined,
        })
      }
    />
  )
}

/**
 * How many there are, and links to the other pages of a list. The API pages forwards only, so the way back is the history of the list: the
 * parameter `before` has the starts of the former pages.
 */
export function Pager({
  total,
  one,
  many,
  shown,
  next,
  query,
  isUpdate = false,
}: {
  /** Undefined if the API does not count them. */
  readonly total: number | undefined
  readonly one: string
  readonly many?: string
  readonly shown: number
  readonly next: string | number | null | undefined
  readonly query: URLSearchParams
  /** Nobody has asked for this list: see `Reading`. */
  readonly isUpdate?: boolean
}) {
  const summary = count(total ?? shown, one, many)
  useEffect(() => {
    if (!isUpdate) announce(summary)
  }, [summary])
  const after = query.get('after') ?? ''
  const starts = query.get('before')?.split(' ') ?? []
  const isPaged = after !== '' || (next !== null && next !== undefined)
  return (
    <div class="pager">
      <p>
        {summary}
        {isPaged && total === undefined ? ' on this page' : ''}
        {isPaged && total !== undefined && shown < total ? `, ${shown} on this page` : ''}
      </p>
      {isPaged && (
        <nav aria-label="Pages of the list">
          <button
            type="button"
            disabled={after === ''}
            onClick={() =>
              replaceQuery({
                after: starts.at(-1) === '-' ? undefined : starts.at(-1),
                before: starts.slice(0, -1).join(' '),
              })
            }
          >
            Previous
          </button>
          <button
            type="button"
            disabled={next === null || next === undefined}
            onClick={() =>
              replaceQuery({
                after: next ?? undefined,
                before: [...starts, after === '' ? '-' : after].join(' '),
              })
            }
          >
            Next
          </button>
        </nav>
      )}
    </div>
  )
}

/** What is shown instead of an empty list. */
export function Empty({ children }: { readonly children: ComponentChildren }) {
  return <p class="empty">{children}</p>
}
