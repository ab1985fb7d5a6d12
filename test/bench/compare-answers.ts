import { deepEqual } from 'node:assert/strict'
import { type Answer, type Ask, type Contender, send } from './contender.ts'
import type { Workload } from './workloads/workload.ts'

/**
 * Asserts that the contenders of a workload give the same answer as the service, as far as the workload requires.
 * @throws Error with the difference
 */
export async function compareAnswers(
  workload: Workload,
  contenders: readonly Contender[],
  ask: Ask,
): Promise<void> {
  const answers = await Promise.all(
    contenders.map(async (contender) => [contender, await send(contender, ask)] as const),
  )
  const service = answers.find(([{ name }]) => name === 'service')?.[1]
  for (const [{ name }, answer] of answers) {
    if (answer.status !== workload.status) {
      throw new Error(`${name} answered ${ask.path} with ${answer.status}: ${start(answer)}`)
    }
    const what = `${name} and the service differ at ${ask.path}`
    const likeness = workload.contenders[name]
    if (!service || likeness === 'status') continue
    if (likeness === 'data') deepEqual(JSON.parse(answer.body), JSON.parse(service.body), what)
    if (likeness === 'bytes' && answer.body !== service.body) {
      throw new Error(`${what}: ${difference(answer.body, service.body)}`)
    }
  }
}

const start = ({ body }: Answer): string => body.slice(0, 500)

/** The parts of the texts around their first difference. */
function difference(a: string, b: string): string {
  let at = 0
  while (at < a.length && a[at] === b[at]) at += 1
  const from = Math.max(0, at - 60)
  return `\n  ${a.slice(from, at + 60)}\n  ${b.slice(from, at + 60)}`
}
