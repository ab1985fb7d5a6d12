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

/** Prints an insert as HTML, or puts it off as a live piece. */
export type PrintInsert = (insert: Insert, here: Scope, run: Run, out: PieceWriter) => void

const INSERT_PRINTERS: Record<InsertKind, PrintInsert> = {
  frame: printFrame,
  partial: printFrame,
  menu: printMenu,
  repeat: printRepeat,
  data: printData,
  content: printContentInsert,
  'lang-switcher': printLangSwitcher,
}

export const printInsert: PrintInsert = (insert, here, run, out) =>
  INSERT_PRINTERS[insert.kind](insert, here, run, out)
