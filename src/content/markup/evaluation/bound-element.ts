import type { UnresolvedBindReason } from '../../../host/effects.ts'
import { escapeHtml, isAllowedInAttribute } from './escape.ts'
import type { Evaluation } from './evaluation.ts'
import { type Found, isEmpty, resolvePath, textOf } from './find-value.ts'
import { currentFrame, type DeferredPiece, PieceWriter, type Scope } from './pieces.ts'
import type {
  BoundAttribute,
  BoundContent,
  BoundElement,
  BoundPath,
  Condition,
  ElementConditions,
} from './program.ts'

type Print = (out: PieceWriter) => void

/** Prints an element with its binds applied. Binds that need the page are deferred. */
export function printElement(
  element: BoundElement,
  scope: Scope,
  evaluation: Evaluation,
  out: PieceWriter,
): void {
  const { refused, conditions, at } = element
  if (!evaluation.budget.takeStep(refused.length)) return
  for (const { written, reason } of refused)
    noteUnresolved({ written, at }, reason, scope, evaluation)
  printIfConditionsMet(conditions, scope, evaluation, out, (inner) => {
    for (const part of element.open) {
      if (typeof part === 'string') inner.html(part)
      else printAttribute(part, scope, evaluation, inner)
    }
    const printBody: Print = (body) => evaluation.evaluate(element.body, scope, body)
    if (element.content) printContent(element.content, scope, evaluation, inner, printBody)
    else printBody(inner)
    inner.html(element.close)
  })
}

/** Prints the deferred part of an element once the page is known. */
export function printDeferred(
  node: BoundAttribute | BoundContent | ElementConditions,
  { scope, pieces }: DeferredPiece,
  evaluation: Evaluation,
  out: PieceWriter,
): void {
  const printInside: Print = (inner) => evaluation.finish(pieces, inner)
  if (node.op === 'attribute') printAttribute(node, scope, evaluation, out)
  else if (node.op === 'content') printContent(node, scope, evaluation, out, printInside)
  else printIfConditionsMet(node, scope, evaluation, out, printInside)
}

/** Calls `print` if all conditions are met. ElementConditions that need the page are deferred together. */
function printIfConditionsMet(
  conditions: ElementConditions,
  scope: Scope,
  evaluation: Evaluation,
  out: PieceWriter,
  print: Print,
): void {
  const deferred: Condition[] = []
  for (const condition of conditions.all) {
    if (!evaluation.budget.takeStep()) return
    const found = resolvePath(condition.path, scope, evaluation)
    if (found.state === 'unknown') noteUnresolved(condition, 'unknown_name', scope, evaluation)
    if (found.state === 'deferred') deferred.push(condition)
    else {
      const isEmptyValue = found.state === 'unknown' || isEmpty(found.value, evaluation)
      if (isEmptyValue !== (condition.isNegated ?? false)) return
    }
  }
  if (deferred.length === 0) print(out)
  else if (deferred.length === conditions.all.length)
    defer(conditions, scope, evaluation, out, print)
  else defer({ op: 'if', all: deferred }, scope, evaluation, out, print)
}

function printAttribute(
  attribute: BoundAttribute,
  scope: Scope,
  evaluation: Evaluation,
  out: PieceWriter,
): void {
  if (!evaluation.budget.takeStep()) return
  const found = resolvePath(attribute.path, scope, evaluation)
  if (found.state === 'deferred') {
    defer(attribute, scope, evaluation, out)
    return
  }
  const text = textOfFound(found)
  if (text !== undefined && !evaluation.budget.mayPrint(text)) return
  if (text !== undefined && isAllowedInAttribute(attribute.name, text)) {
    out.html(`${attribute.prefix}"${escapeHtml(text)}"`)
    return
  }
  if (text !== undefined) evaluation.budget.takeOutput(text)
  noteUnresolved(attribute, reasonOf(found, text), scope, evaluation)
  out.html(attribute.otherwise)
}

function printContent(
  content: BoundContent,
  scope: Scope,
  evaluation: Evaluation,
  out: PieceWriter,
  printFallback: Print,
): void {
  if (!evaluation.budget.takeStep()) return
  const found = resolvePath(content.path, scope, evaluation)
  if (found.state === 'deferred') {
    defer(content, scope, evaluation, out, printFallback)
    return
  }
  const text = textOfFound(found)
  if (text !== undefined) {
    if (content.html) out.html(text)
    else out.text(text)
    return
  }
  noteUnresolved(content, reasonOf(found, text), scope, evaluation)
  printFallback(out)
}

function defer(
  node: DeferredPiece['node'],
  scope: Scope,
  evaluation: Evaluation,
  out: PieceWriter,
  print?: Print,
): void {
  const inner = new PieceWriter(evaluation.budget)
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
  evaluation: Evaluation,
): void {
  evaluation.noteUnresolved({
    frame: currentFrame(scope),
    bind: written,
    reason,
    line: at.line,
    column: at.column,
  })
}
