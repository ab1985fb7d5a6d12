import { readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'

/** Formats a number with three significant digits, or more before the decimal point. */
export function figure(value: number): string {
  if (value >= 100) return value.toFixed(0)
  return value >= 10 ? value.toFixed(1) : value.toFixed(2)
}

/** `2.50 s`, of milliseconds. */
export const seconds = (ms: number): string => `${figure(ms / 1000)} s`

export const megabytes = (bytes: number): number => bytes / 1024 ** 2

/** A Markdown table with aligned columns: the first row is the head. Rows and columns without any content are left out. */
export function alignedTable([head = [], ...all]: readonly (readonly string[])[]): string {
  const body = all.filter(([, ...cells]) => cells.some((cell) => cell !== ''))
  if (body.length === 0) return ''
  const columns = head
    .map((_, column) => column)
    .filter((column) => body.some((row) => (row[column] ?? '') !== ''))
  const widths = columns.map((column) =>
    Math.max(...[head, ...body].map((row) => (row[column] ?? '').length)),
  )
  const line = (cells: readonly string[]): string => {
    const padded = columns.map((column, at) => {
      const [cell, width] = [cells[column] ?? '', widths[at] ?? 0]
      return at === 0 ? cell.padEnd(width) : cell.padStart(width)
    })
    return `| ${padded.join(' | ')} |`
  }
  const rule = widths.map((width, at) =>
    at === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`,
  )
  return [line(head), `| ${rule.join(' | ')} |`, ...body.map(line)].join('\n')
}

/**
 * Replaces the text between the markers `<!-- name -->` and `<!-- /name -->` of a guide.
 * @throws Error if a marker is missing
 */
export function replaceSection(guide: string, name: string, between: string): void {
  const file = resolve(import.meta.dirname, '../../../docs', guide)
  const text = readFileSync(file, 'utf8')
  const [opening, closing] = [`<!-- ${name} -->`, `<!-- /${name} -->`]
  const [begin, end] = [text.indexOf(opening), text.indexOf(closing)]
  if (begin < 0 || end < begin)
    throw new Error(`${guide} must contain ${opening} followed by ${closing}.`)
  const before = text.slice(0, begin + opening.length)
  writeFileSync(file, `${before}\n${between}\n${text.slice(end)}`)
}
