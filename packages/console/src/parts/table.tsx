import type { ComponentChildren } from 'preact'

/** A column of a table. The first one names its row. */
export type Column<Row> = {
  readonly title: string
  readonly isNumber?: boolean
  readonly cell: (row: Row) => ComponentChildren
}

/** A list as a table. In a narrow window each row is a block, with the title of the column before each cell. */
export function Table<Row>({
  columns: [first, ...others],
  rows,
  keyOf,
  label,
}: {
  readonly columns: readonly [Column<Row>, ...Column<Row>[]]
  readonly rows: readonly Row[]
  readonly keyOf: (row: Row) => string | number
  /** Its name, if the view has several. */
  readonly label?: string
}) {
  return (
    <table class="list" aria-label={label}>
      <thead>
        <tr>
          {[first, ...others].map(({ title, isNumber }) => (
            <th key={title} scope="col" class={isNumber ? 'number' : undefined}>
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={keyOf(row)}>
            <th scope="row">{first.cell(row)}</th>
            {others.map(({ title, isNumber, cell }) => (
              <td key={title} data-label={title} class={isNumber ? 'number' : undefined}>
                {cell(row)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
