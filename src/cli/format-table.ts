import { sanitizeForTerminal } from './printable.ts'

/** Rows as lines, each column as wide as its widest cell; what cells hold may come from anybody. */
export function formatTable(cells: readonly (readonly string[])[]): string {
  const rows = cells.map((row) => row.map((cell) => sanitizeForTerminal(cell.replace(/\s/g, ' '))))
  const widths = rows.reduce<number[]>(
    (widest, row) => row.map((cell, column) => Math.max(cell.length, widest[column] ?? 0)),
    [],
  )
  const lines = rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  )
  return `${lines.join('\n')}\n`
}
