/** A Markdown table with aligned columns: the first row is the head. Columns without any content are left out. */
export function alignedTable(rows: readonly (readonly string[])[]): string {
  const [head = [], ...body] = rows
  const columns = head
    .map((_, column) => column)
    .filter((column) => body.some((row) => (row[column] ?? '') !== ''))
  const widths = new Map(
    columns.map((column) => [column, Math.max(...rows.map((row) => (row[column] ?? '').length))]),
  )
  const line = (cells: readonly string[]): string => {
    const padded = columns.map((column) => {
      const [cell, width] = [cells[column] ?? '', widths.get(column) ?? 0]
      return column === 0 ? cell.padEnd(width) : cell.padStart(width)
    })
    return `| ${padded.join(' | ')} |`
  }
  const rule = head.map((_, column) => {
    const width = widths.get(column) ?? 0
    return column === 0 ? '-'.repeat(width) : `${'-'.repeat(Math.max(0, width - 1))}:`
  })
  return [line(head), line(rule), ...body.map(line)].join('\n')
}
