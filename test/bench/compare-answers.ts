import { deepEqual, equal } from 'node:assert/strict'
import { type Ask, type Contender, send } from './contender.ts'
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
  for (const [{ name }, { status, body }] of answers) {
    if (status !== workload.status)
      throw new Error(`${name} answered ${ask.path} with ${status}: ${body.slice(0, 500)}`)
    const what = `${name} and the service differ at ${ask.path}`
    const likeness = workload.contenders[name]
    if (!service || likeness === 'status') continue
    if (likeness === 'data') deepEqual(JSON.parse(body), JSON.parse(service.body), what)
    else equal(body, service.body, what)
  }
}
