import type { InsertKind } from '../../markup/nodes.ts'
import type { PieceWriter, Scope } from '../pieces.ts'
import type { Insert } from '../program.ts'
import type { Run } from '../run.ts'
import { printContentInsert } from './content-insert.ts'
import { printData } from './data-insert.ts'
import { printFrame } from './frame-insert.ts'
import { printLangSwitcher } from './lang-switcher-insert.ts'
import { printMenu } from './menu-insert.ts'
import { printRepeat } from './repeat-insert.ts'

/** Prints an insert as HTML, or defers it until the page is known. */
type PrintInsert = (insert: Insert, scope: Scope, run: Run, out: PieceWriter) => void

const INSERT_PRINTERS: Record<InsertKind, PrintInsert> = {
  frame: printFrame,
  partial: printFrame,
  menu: printMenu,
  repeat: printRepeat,
  data: printData,
  content: printContentInsert,
  'lang-switcher': printLangSwitcher,
}

export const printInsert: PrintInsert = (insert, scope, run, out) =>
  INSERT_PRINTERS[insert.kind](insert, scope, run, out)
