import { escapeHtml, isAllowedInAttribute } from './escape.ts'
import { findValue, isEmpty, textOf } from './find-value.ts'
import { PieceWriter } from './piece-writer.ts'
import type { LivePiece, Surroundings } from './pieces.ts'
import type { BoundAttribute, BoundElement, BoundPath, UnresolvedReason } from './program.ts'
import type { Run } from './run.ts'

type Print = (out: PieceWriter) => void
type BoundContent = NonNullable<BoundElement['content']>
type LiveElement = Exclude<LivePiece, { live: 'insert' }>

/** Prints an element with its binds done, or as live pieces where they need the page. */
export function printElement(
  element: BoundElement,
  here: Surroundings,
  run: Run,
  out: PieceWriter,
): void {
  for (const { written, reason } of element.refused) {
    note({ written, at: element.at }, reason, here, run)
  }
  printIf(element.conditions, here, run, out, (inner) => {
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
export function printLiveElement(piece: LiveElement, run: Run, out: PieceWriter): void {
  const here = piece.surroundings
  if (piece.live === 'attribute') {
    printAttribute(piece.attribute, here, run, out)
  } else if (piece.live === 'content') {
    printContent(piece.content, here, run, out, (body) => run.finish(piece.otherwise, body))
  } else {
    printIf([piece.condition], here, run, out, (inner) => run.finish(piece.pieces, inner))
  }
}

/** Prints what stands under conditions: nothing, where one of them is known to be empty. */
function printIf(
  conditions: readonly BoundPath[],
  here: Surroundings,
  run: Run,
  out: PieceWriter,
  print: Print,
): void {
  const [condition, ...others] = conditions
  if (condition === undefined) {
    print(out)
    return
  }
  const found = findValue(condition.path, here, run)
  if (found.state === 'live') {
    const inner = new PieceWriter(run.budget)
    printIf(others, here, run, inner, print)
    out.live({ live: 'if', condition, pieces: inner.pieces(), surroundings: here })
  } else if (found.state === 'unknown') {
    note(condition, 'unknown_name', here, run)
  } else if (!isEmpty(found.value)) {
    printIf(others, here, run, out, print)
  }
}

function printAttribute(
  attribute: BoundAttribute,
  here: Surroundings,
  run: Run,
  out: PieceWriter,
): void {
  const found = findValue(attribute.path, here, run)
  if (found.state === 'live') {
    out.live({ live: 'attribute', attribute, surroundings: here })
    return
  }
  const text = found.state === 'known' ? textOf(found.value) : undefined
  if (text !== undefined && isAllowedInAttribute(attribute.name, text)) {
    out.html(`${attribute.prefix}"${escapeHtml(text)}"`)
    return
  }
  note(attribute, reasonOf(found.state, text), here, run)
  out.html(attribute.otherwise)
}

function printContent(
  content: BoundContent,
  here: Surroundings,
  run: Run,
  out: PieceWriter,
  printOtherwise: Print,
): void {
  const found = findValue(content.path, here, run)
  if (found.state === 'live') {
    const otherwise = new PieceWriter(run.budget)
    printOtherwise(otherwise)
    out.live({ live: 'content', content, otherwise: otherwise.pieces(), surroundings: here })
    return
  }
  const text = found.state === 'known' ? textOf(found.value) : undefined
  if (text !== undefined) {
    out.html(content.html ? text : escapeHtml(text))
    return
  }
  note(content, reasonOf(found.state, text), here, run)
  printOtherwise(out)
}

function reasonOf(state: 'known' | 'unknown', text: string | undefined): UnresolvedReason {
  if (state === 'unknown') return 'unknown_name'
  return text === undefined ? 'no_value' : 'not_allowed'
}

function note(
  { written, at }: Pick<BoundPath, 'written' | 'at'>,
  reason: UnresolvedReason,
  { frame }: Surroundings,
  run: Run,
): void {
  run.noteUnresolved({ frame, bind: written, reason, line: at.line, column: at.column })
}
