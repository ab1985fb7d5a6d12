import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { resolve } from 'node:path'
import {
  DATABASES,
  type Database,
  NODES,
  type NodeMajor,
  SUITE_NAMES,
  type Suite,
} from './options.ts'
import type { Totals } from './run-suite.ts'

/** The result of a suite on a database with a version of Node. */
export type Cell = {
  readonly database: Database
  readonly node: NodeMajor
  readonly suite: Suite
  /** The exact versions: `MariaDB 10.11.19`, `20.20.2`. */
  readonly databaseVersion: string
  readonly nodeVersion: string
  /** Day of the run: `2026-11-23`. */
  readonly date: string
  /** Missing if the suite ended without them. */
  readonly totals?: Totals | undefined
}

const FILE = resolve(import.meta.dirname, 'results.json')
const DOCS = resolve(import.meta.dirname, '../../docs/performance.md')
const [BEGIN, END] = ['<!-- matrix -->', '<!-- /matrix -->']

/** The cells of earlier runs with those of a new run, in the order of the table. */
function mergeCells(earlier: readonly Cell[], cells: readonly Cell[]): Cell[] {
  const all = new Map([...earlier, ...cells].map((cell) => [keyOf(cell), cell]))
  return DATABASES.flatMap((database) =>
    NODES.flatMap((node) =>
      SUITE_NAMES.flatMap((suite) => all.get(keyOf({ database, node, suite })) ?? []),
    ),
  )
}

/**
 * Stores cells in `results.json` beside this file, and writes the table of all stored cells into docs/performance.md.
 * @throws Error if the document lacks a marker
 */
export function writeCells(cells: readonly Cell[]): void {
  const earlier: Cell[] = existsSync(FILE) ? JSON.parse(readFileSync(FILE, 'utf8')) : []
  const all = mergeCells(earlier, cells)
  const text = readFileSync(DOCS, 'utf8')
  const [begin, end] = [text.indexOf(BEGIN), text.indexOf(END)]
  if (begin < 0 || end < begin)
    throw new Error(`docs/performance.md must contain ${BEGIN} followed by ${END}.`)
  writeFileSync(FILE, `${JSON.stringify(all, null, 2)}\n`)
  writeFileSync(
    DOCS,
    `${text.slice(0, begin + BEGIN.length)}\n${resultTable(all)}\n${text.slice(end)}`,
  )
}

/** A Markdown table with a line per database and version of Node, and a column per suite. */
export function resultTable(cells: readonly Cell[]): string {
  const rows = new Map<string, Cell[]>()
  for (const cell of cells) {
    const name = `${cell.databaseVersion} | ${cell.nodeVersion}`
    rows.set(name, [...(rows.get(name) ?? []), cell])
  }
  const lines = [...rows].map(([name, row]) => {
    const columns = SUITE_NAMES.map((suite) => row.find((cell) => cell.suite === suite))
    return `| ${name} | ${columns.map((cell) => (cell ? describe(cell) : '')).join(' | ')} |`
  })
  const head = ['database', 'Node', ...SUITE_NAMES.map((suite) => `\`${suite}\``)]
  return [`| ${head.join(' | ')} |`, `|${'---|'.repeat(head.length)}`, ...lines].join('\n')
}

/** `12 passed, 0 failed (2026-11-23)`. */
export function describe({ totals, date }: Cell): string {
  if (!totals) return `ended without totals (${date})`
  const { passed, failed, skipped } = totals
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''} (${date})`
}

function keyOf({ database, node, suite }: Pick<Cell, 'database' | 'node' | 'suite'>): string {
  return `${database} ${node} ${suite}`
}
