import { deepEqual } from 'node:assert/strict'
import { type Ask, type Contender, send } from './contender.ts'

/**
 * Makes sure that all contenders give the same answer: the floor the service's bytes, WordPress, which writes JSON in its own way, the
 * same data.
 * @throws Error that says where they differ
 */
export async function compareAnswers(
  contenders: readonly Contender[],
  ask: Ask,
  status: number,
): Promise<void> {
  const [first, ...others] = await Promise.all(
    contenders.map(async (contender) => ({ contender, answer: await send(contender, ask) })),
  )
  if (!first) return
  for (const { contender, answer } of [first, ...others]) {
    if (answer.status === status) continue
    const said = answer.body.slice(0, 500)
    throw new Error(`${contender.name} answered ${ask.path} with ${answer.status}: ${said}`)
  }
  for (const { contender, answer } of others) {
    const what: string = `${contender.name} and ${first.contender.name} differ at ${ask.path}`
    if (contender.name === 'wordpress') {
      deepEqual(JSON.parse(answer.body), JSON.parse(first.answer.body), what)
    } else if (answer.body !== first.answer.body) {
      throw new Error(`${what}: ${difference(answer.body, first.answer.body)}`)
    }
  }
}

/** The texts from a little before where they begin to differ. */
function difference(a: string, b: string): string {
  let at = 0
  while (at < a.length && a[at] === b[at]) at += 1
  const from = Math.max(0, at - 60)
  return `\n  ${a.slice(from, at + 60)}\n  ${b.slice(from, at + 60)}`
}
