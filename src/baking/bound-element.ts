import type { UnresolvedBindReason } from '../change.ts'
import { escapeHtml, isAllowedInAttribute } from './escape.ts'
import { type Found, findValue, isEmpty, textOf } from './find-value.ts'
import { currentFrame, type DeferredPiece, PieceWriter, type Scope } from './pieces.ts'
import type {
  BoundAttribute,
  BoundContent,
  BoundElement,
  BoundPath,
  Conditions,
} from './program.ts'
import type { Run } from './run.ts'

type Print = (out: PieceWriter) => void

/** Prints an element with its binds done, or as live pieces where they need the page. */
export function printElement(element: BoundElement, here: Scope, run: Run, out: PieceWriter): void {
  const { refused, conditions, at } = element
  if (!run.budget.takeStep(refused.length)) return
  for (const { written, reason } of refused) noteUnresolved({ written, at }, reason, here, run)
  printIfConditionsMet(conditions, here, run, out, (inner) => {
    for (const part of element.open) {
      if (typeof part === 'string') inner.html(part)
      else printAttribute(part, here, run, inner)
    }
    const printBody: Print = (body) => run.evaluate(element.body, here, body)
    if (element.content) printContent(element.content, here, run, inner, printBody)
    else printBody(inner)
    inner.html(element.close)
  })
}

/** Prints what was put off of an element. */
export function printDeferred(
  live: BoundAttribute | BoundContent | Conditions,
  { scope: here, pieces }: DeferredPiece,
  run: Run,
  out: PieceWriter,
): void {
  const printInside: Print = (inner) => run.finish(pieces, inner)
  if (live.op === 'attribute') printAttribute(live, here, run, out)
  else if (live.op === 'content') printContent(live, here, run, out, printInside)
  else printIfConditionsMet(live, here, run, out, printInside)
}

/** Prints what stands under conditions: nothing where one of them is known to be empty. Those that need the page are put off together. */
function printIfConditionsMet(
  conditions: Conditions,
  here: Scope,
  run: Run,
  out: PieceWriter,
  print: Print,
): void {
  const waiting: BoundPath[] = []
  for (const condition of conditions.all) {
    if (!run.budget.takeStep()) return
    const found = findValue(condition.path, here, run)
    if (found.state === 'unknown') {
      noteUnresolved(condition, 'unknown_name', here, run)
      return
    }
    if (found.state === 'live') waiting.push(condition)
    else if (isEmpty(found.value, run)) return
  }
  if (waiting.length === 0) print(out)
  else if (waiting.length === conditions.all.length) defer(conditions, here, run, out, print)
  else defer({ op: 'if', all: waiting }, here, run, out, print)
}

function printAttribute(attribute: BoundAttribute, here: Scope, run: Run, out: PieceWriter): void {
  if (!run.budget.takeStep()) return
  const found = findValue(attribute.path, here, run)
  if (found.state === 'live') {
    defer(attribute, here, run, out)
    return
  }
  const text = textIn(found)
  if (text !== undefined && !run.budget.mayPrint(text)) return
  if (text !== undefined && isAllowedInAttribute(attribute.name, text)) {
    out.html(`${attribute.prefix}"${escapeHtml(text)}"`)
    return
  }
  if (text !== undefined) run.budget.takeOutput(text)
  noteUnresolved(attribute, reasonOf(found, text), here, run)
  out.html(attribute.otherwise)
}

function printContent(
  content: BoundContent,
  here: Scope,
  run: Run,
  out: PieceWriter,
  printOtherwise: Print,
): void {
  if (!run.budget.takeStep()) return
  const found = findValue(content.path, here, run)
  if (found.state === 'live') {
    defer(content, here, run, out, printOtherwise)
    return
  }
  const text = textIn(found)
  if (text !== undefined) {
    if (content.html) out.html(text)
    else out.text(text)
    return
  }
  noteUnresolved(content, reasonOf(found, text), here, run)
  printOtherwise(out)
}

function defer(
  live: DeferredPiece['node'],
  here: Scope,
  run: Run,
  out: PieceWriter,
  print?: Print,
): void {
  const inner = new PieceWriter(run.budget)
  print?.(inner)
  out.defer({ node: live, scope: here, pieces: inner.pieces() })
}

function textIn(found: Found): string | undefined {
  return found.state === 'known' ? textOf(found.value) : undefined
}

function reasonOf({ state }: Found, text: string | undefined): UnresolvedBindReason {
  if (state === 'unknown') return 'unknown_name'
  return text === undefined ? 'no_value' : 'not_allowed'
}

function noteUnresolved(
  { written, at }: Pick<BoundPath, 'written' | 'at'>,
  reason: UnresolvedBindReason,
  here: Scope,
  run: Run,
): void {
  run.noteUnresolved({
    frame: currentFrame(here),
    bind: written,
    reason,
    line: at.line,
    column: at.column,
  })
}
