import { diff3MergeRegions, diffIndices } from 'node-diff3'

/** A part of a merged text: lines that are settled, or lines that both have changed in different ways. */
export type MergePart =
  | { readonly kind: 'settled'; readonly lines: readonly string[] }
  | {
      readonly kind: 'conflict'
      readonly base: readonly string[]
      readonly mine: readonly string[]
      readonly theirs: readonly string[]
    }

/** The comparison takes a step for each line of the one text and each of the other. With more steps, what differs is one part. */
const MAX_STEPS = 25_000_000
/** Unchanged lines around a change. */
const CONTEXT = 3

/** Merges two changes of a text line by line. */
export function mergeTexts(base: string, mine: string, theirs: string): MergePart[] {
  const texts = [base, mine, theirs].map((text) => text.split('\n')) as [
    string[],
    string[],
    string[],
  ]
  const { start, end } = commonEnds(texts)
  const [o = [], a = [], b = []] = texts.map((lines) => lines.slice(start, lines.length - end))
  const settled = (lines: readonly string[]): MergePart => ({ kind: 'settled', lines })
  return joined([
    settled(texts[0].slice(0, start)),
    ...mergeMiddle(o, a, b),
    settled(texts[0].slice(texts[0].length - end)),
  ])
}

function mergeMiddle(o: string[], a: string[], b: string[]): MergePart[] {
  if (same(o, b) || same(a, b)) return [{ kind: 'settled', lines: a }]
  if (same(o, a)) return [{ kind: 'settled', lines: b }]
  if (o.length * Math.max(a.length, b.length) > MAX_STEPS)
    return [{ kind: 'conflict', base: o, mine: a, theirs: b }]
  return diff3MergeRegions(a, o, b).map((region): MergePart => {
    if (region.stable) return { kind: 'settled', lines: region.bufferContent }
    const { oContent: base, aContent: mine, bContent: theirs } = region
    return same(mine, theirs)
      ? { kind: 'settled', lines: mine }
      : { kind: 'conflict', base, mine, theirs }
  })
}

const same = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((line, at) => line === b[at])

/** How many lines at the start and at the end all texts have in common. */
function commonEnds([first, ...others]: readonly [string[], ...string[][]]) {
  const shortest = Math.min(first.length, ...others.map(({ length }) => length))
  let start = 0
  while (start < shortest && others.every((lines) => lines[start] === first[start])) start += 1
  let end = 0
  while (
    end < shortest - start &&
    others.every((lines) => lines.at(-1 - end) === first.at(-1 - end))
  )
    end += 1
  return { start, end }
}

/** Settled parts that follow each other are one part. */
function joined(parts: readonly MergePart[]): MergePart[] {
  const result: MergePart[] = []
  for (const part of parts) {
    const last = result.at(-1)
    if (part.kind === 'settled' && last?.kind === 'settled')
      result.splice(-1, 1, { kind: 'settled', lines: [...last.lines, ...part.lines] })
    else if (part.kind === 'conflict' || part.lines.length > 0) result.push(part)
  }
  return result
}

/** A unified diff of two texts, without names; '' if they are equal. */
export function diffTexts(from: string, to: string): string {
  const [before, after] = [from.split('\n'), to.split('\n')]
  const { start, end } = commonEnds([before, after])
  const [a, b] = [before.slice(start, before.length - end), after.slice(start, after.length - end)]
  if (a.length === 0 && b.length === 0) return ''
  const changes =
    a.length * b.length > MAX_STEPS
      ? [{ at: start, removed: a, added: b }]
      : diffIndices(a, b).map(({ buffer1, buffer1Content, buffer2Content }) => ({
          at: start + buffer1[0],
          removed: buffer1Content,
          added: buffer2Content,
        }))
  const lines: string[] = []
  let shown = 0
  for (const [index, { at, removed, added }] of changes.entries()) {
    const first = Math.max(shown, at - CONTEXT)
    if (first > shown || index === 0) lines.push(`@@ line ${first + 1} @@`)
    const last = at + removed.length
    const next = changes[index + 1]?.at ?? before.length
    shown = Math.min(last + CONTEXT, next, before.length)
    lines.push(
      ...before.slice(first, at).map((line) => ` ${line}`),
      ...removed.map((line) => `-${line}`),
      ...added.map((line) => `+${line}`),
      ...before.slice(last, shown).map((line) => ` ${line}`),
    )
  }
  return lines.join('\n')
}
