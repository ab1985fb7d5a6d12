import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import { filterBy, parameter, replaceQuery } from '../router.ts'
import { count, dateOf, timeAgo, time as timeText } from '../text.ts'
import { Button, PausedField, Select, TextField } from './fields.tsx'
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
  const [usual = ''] = options[0] ?? []
  const value = parameter(name) || usual
  // A link may filter by something that the list does not have.
  const isListed = options.some(([listed]) => listed === value)
  return (
    <Select
      label={label}
      options={isListed ? options : [...options, [value, value]]}
      value={value}
      onChange={(chosen) => filterBy({ [name]: chosen === usual ? '' : chosen })}
    />
  )
}

/** A filter that is applied when its field is left, or with Enter. */
export function TextFilter(field: {
  readonly name: string
  readonly label: string
  readonly placeholder: string
}) {
  return (
    <TextField
      {...field}
      key={parameter(field.name)}
      defaultValue={parameter(field.name)}
      spellcheck={false}
      onChange={({ currentTarget }) => filterBy({ [field.name]: currentTarget.value.trim() })}
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
          <Button
            label="Previous"
            disabled={after === ''}
            onClick={() =>
              replaceQuery({
                after: starts.at(-1) === '-' ? undefined : starts.at(-1),
                before: starts.slice(0, -1).join(' '),
              })
            }
          />
          <Button
            label="Next"
            disabled={next === null || next === undefined}
            onClick={() =>
              replaceQuery({
                after: next ?? undefined,
                before: [...starts, after === '' ? '-' : after].join(' '),
              })
            }
          />
        </nav>
      )}
    </div>
  )
}

/** What is shown instead of an empty list. */
export function Empty({ children }: { readonly children: ComponentChildren }) {
  return <p class="empty">{children}</p>
}

/** The cells of a row, by the titles of their columns. The first one names the row. */
export type Columns<Row> = Readonly<Record<string, (row: Row) => ComponentChildren>>

type TableProps<Row> = {
  readonly columns: Columns<Row>
  /** Titles of columns with numbers. */
  readonly numbers?: readonly string[]
  readonly rows: readonly Row[]
  readonly keyOf: (row: Row) => string | number
  /** Its name, if the view has several. */
  readonly label?: string
  /** What is said instead of a table without rows. */
  readonly empty?: ComponentChildren
}

/** A list as a table. In a narrow window each row is a block, with the title of the column before each cell. */
export function Table<Row>({ columns, numbers, rows, keyOf, label, empty }: TableProps<Row>) {
  if (rows.length === 0 && empty !== undefined) return <Empty>{empty}</Empty>
  const [first, ...others] = Object.entries(columns)
  const classOf = (title: string) => (numbers?.includes(title) ? 'number' : undefined)
  return (
    <table class="list" aria-label={label}>
      <thead>
        <tr>
          {Object.keys(columns).map((title) => (
            <th key={title} scope="col" class={classOf(title)}>
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={keyOf(row)}>
            <th scope="row">{first?.[1](row)}</th>
            {others.map(([title, cell]) => (
              <td key={title} data-label={title} class={classOf(title)}>
                {cell(row)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

type MoreProps = {
  readonly left: number
  /** What one of them is called [nothing]. */
  readonly one?: string
  readonly as?: 'p' | 'li' | 'span'
}

/** How many things a list leaves out; nothing if it has all of them. */
export function More({ left, one, as: Tag = 'p' }: MoreProps) {
  if (left <= 0) return null
  const more = one === undefined ? count(left, 'more', 'more') : count(left, `more ${one}`)
  return <Tag class="none">and {more}</Tag>
}

/** A time of the API: how long ago it is, and exactly as a tooltip. */
export function Time({ at }: { readonly at: string }) {
  return (
    <time dateTime={dateOf(at)?.toISOString()} title={timeText(at)}>
      {timeAgo(at)}
    </time>
  )
}
