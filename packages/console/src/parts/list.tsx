import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import { filterBy, parameter, replaceQuery } from '../router.ts'
import { count } from '../text.ts'
import { PausedField, Select } from './fields.tsx'
import { announce } from './notice.tsx'

/** A field that puts what is typed into the address of the view, as the parameter `q`. */
export function SearchField(field: { readonly label: string; readonly placeholder: string }) {
  const search = (q: string) => filterBy({ q })
  return (
    <search class="search">
      <PausedField
        {...field}
        isBare
        defaultValue={parameter('q')}
        onSettled={search}
        onEnter={search}
      />
    </search>
  )
}

type QuerySelectProps = {
  readonly name: string
  readonly label: string
  readonly options: readonly (readonly [value: string, label: string])[]
}

/**
 * Chooses a parameter of the address, by which a list is filtered or sorted. Another choice begins at the first page. The first choice is the default, which
 * is not in the address.
 */
export function QuerySelect({ name, label, options }: QuerySelectProps) {
  return (
    <Select
      {...{ label, options }}
      value={parameter(name) || options[0]?.[0]}
      onChange={(chosen) => filterBy({ [name]: chosen === options[0]?.[0] ? '' : chosen })}
    />
  )
}

type PagerProps = {
  /** Undefined if the API does not count them. */
  readonly total: number | undefined
  readonly one: string
  readonly shown: number
  readonly next: string | number | null | undefined
  /** Nobody has asked for this list: see `Reading`. */
  readonly isUpdate?: boolean
}

/**
 * How many there are, and links to the other pages of a list. The API pages forwards only, so the way back is the history of the list: the
 * parameter `before` has the starts of the former pages.
 */
export function Pager({ total, one, shown, next, isUpdate = false }: PagerProps) {
  const summary = count(total ?? shown, one)
  useEffect(() => {
    if (!isUpdate) announce(summary)
  }, [summary])
  const after = parameter('after')
  const starts = parameter('before').split(' ').filter(Boolean)
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
