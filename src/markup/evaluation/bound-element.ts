import type { UnresolvedBindReason } from '../../change.ts'
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

/** Prints an element with its binds applied. Binds that need the page are deferred. */
export function printElement(
  element: BoundElement,
  scope: Scope,
  run: Run,
  out: PieceWriter,
): void {
  const { refused, conditions, at } = element
  if (!run.budget.takeStep(refused.length)) return
  for (const { written, reason } of refused) noteUnresolved({ written, at }, reason, scope, run)
  printIfConditionsMet(conditions, scope, run, out, (inner) => {
    for (const part of element.open) {
      if (typeof part === 'string') inner.html(part)
      else printAttribute(part, scope, run, inner)
    }
    const printBody: Print = (body) => run.evaluate(element.body, scope, body)
    if (element.content) printContent(element.content, scope, run, inner, printBody)
    else printBody(inner)
    inner.html(element.close)
  })
}

/** Prints the deferred part of an element once the page is known. */
export function printDeferred(
  node: BoundAttribute | BoundContent | Conditions,
  { scope, pieces }: DeferredPiece,
  run: Run,
  out: PieceWriter,
): void {
  const printInside: Print = (inner) => run.finish(pieces, inner)
  if (node.op === 'attribute') printAttribute(node, scope, run, out)
  else if (node.op === 'content') printContent(node, scope, run, out, printInside)
  else printIfConditionsMet(node, scope, run, out, printInside)
}

/** Calls `print` unless the value of a condition is empty. Conditions that need the page are deferred together. */
function printIfConditionsMet(
  conditions: Conditions,
  scope: Scope,
  run: Run,
  out: PieceWriter,
  print: Print,
): void {
  const deferred: BoundPath[] = []
  for (const condition of conditions.all) {
    if (!run.budget.takeStep()) return
    const found = findValue(condition.path, scope, run)
    if (found.state === 'unknown') {
      noteUnresolved(condition, 'unknown_name', scope, run)
      return
    }
    if (found.state === 'deferred') deferred.push(condition)
    else if (isEmpty(found.value, run)) return
  }
  if (deferred.length === 0) print(out)
  else if (deferred.length === conditions.all.length) defer(conditions, scope, run, out, print)
  else defer({ op: 'if', all: deferred }, scope, run, out, print)
}

function printAttribute(attribute: BoundAttribute, scope: Scope, run: Run, out: PieceWriter): void {
  if (!run.budget.takeStep()) return
  const found = findValue(attribute.path, scope, run)
  if (found.state === 'deferred') {
    defer(attribute, scope, run, out)
    return
  }
  const text = textOfFound(found)
  if (text !== undefined && !run.budget.mayPrint(text)) return
  if (text !== undefined && isAllowedInAttribute(attribute.name, text)) {
    out.html(`${attribute.prefix}"${escapeHtml(text)}"`)
    return
  }
  if (text !== undefined) run.budget.takeOutput(text)
  noteUnresolved(attribute, reasonOf(found, text), scope, run)
  out.html(attribute.otherwise)
}

function printContent(
  content: BoundContent,
  scope: Scope,
  run: Run,
  out: PieceWriter,
  printFallback: Print,
): void {
  if (!run.budget.takeStep()) return
  const found = findValue(content.path, scope, run)
  if (found.state === 'deferred') {
    defer(content, scope, run, out, printFallback)
    return
  }
  const text = textOfFound(found)
  if (text !== undefined) {
    if (content.html) out.html(text)
    else out.text(text)
    return
  }
  noteUnresolved(content, reasonOf(found, text), scope, run)
  printFallback(out)
}

function defer(
  node: DeferredPiece['node'],
  scope: Scope,
  run: Run,
  out: PieceWriter,
  print?: Print,
): void {
  const inner = new PieceWriter(run.budget)
  print?.(inner)
  out.defer({ node, scope, pieces: inner.pieces() })
}

function textOfFound(found: Found): string | undefined {
  return found.state === 'known' ? textOf(found.value) : undefined
}

function reasonOf({ state }: Found, text: string | undefined): UnresolvedBindReason {
  if (state === 'unknown') return 'unknown_name'
  return text === undefined ? 'no_value' : 'not_allowed'
}

function noteUnresolved(
  { written, at }: Pick<BoundPath, 'written' | 'at'>,
  reason: UnresolvedBindReason,
  scope: Scope,
  run: Run,
): void {
  run.noteUnresolved({
    frame: currentFrame(scope),
    bind: written,
    reason,
    line: at.line,
    column: at.column,
  })
}
