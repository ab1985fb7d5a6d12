// Tables of the guides that are printed from tables of the code.

/**
 * A page with these rows in the table whose head has these columns.
 * @throws if the page has no such table
 */
export function withRows(
  page: string,
  columns: readonly string[],
  rows: readonly (readonly string[])[],
): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |\n`
  const head = `${line(columns)}|${'---|'.repeat(columns.length)}\n`
  const [before = '', after] = page.split(head)
  if (after === undefined) throw new Error(`no table with the columns ${columns.join(', ')}`)
  const rest = after.replace(/^(?:\|.*\n)*/, '')
  return before + head + rows.map((cells) => line(cells)).join('') + rest
}
