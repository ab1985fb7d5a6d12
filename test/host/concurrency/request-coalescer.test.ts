import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { RequestCoalescer } from '../../../src/host/concurrency/request-coalescer.ts'

const macrotask = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

async function wait(macrotasks: number): Promise<void> {
  for (let passed = 0; passed < macrotasks; passed += 1) await macrotask()
}

describe('RequestCoalescer', () => {
  it('runs a read once for all callers that come before it starts', async () => {
    const reads = new RequestCoalescer()
    let begun = 0
    const read = async (): Promise<number> => {
      begun += 1
      return begun
    }
    const first = await Promise.all([1, 2, 3].map(() => reads.run('a', read)))
    expect(first).toEqual([1, 1, 1])
    expect(await reads.run('a', read)).toBe(2)
    expect(await Promise.all([reads.run('a', read), reads.run('b', read)])).toEqual([3, 4])
  })

  it('passes an error to all waiting callers, and to no later one', async () => {
    const reads = new RequestCoalescer()
    const fail = (): Promise<never> => Promise.reject(new Error('away'))
    const outcomes = [reads.run('a', fail), reads.run('a', fail)]
    for (const outcome of outcomes) await expect(outcome).rejects.toThrow('away')
    expect(await reads.run('a', async () => 'back')).toBe('back')
  })

  it('continues after a read that throws synchronously', async () => {
    const reads = new RequestCoalescer()
    const broken = reads.run('a', () => {
      throw new Error('at once')
    })
    await expect(broken).rejects.toThrow('at once')
    expect(await reads.run('a', async () => 'back')).toBe('back')
  })

  it('returns no result older than the call, and never runs a read twice at once', async () => {
    const event = fc.record({
      does: fc.constantFrom('ask' as const, 'write' as const),
      key: fc.constantFrom('a' as const, 'b' as const),
      after: fc.integer({ min: 0, max: 3 }),
      takes: fc.integer({ min: 0, max: 4 }),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(event, { maxLength: 30 }), async (events) => {
        const reads = new RequestCoalescer()
        const stored = { a: 0, b: 0 }
        const running = { a: 0, b: 0 }
        const answers: Promise<void>[] = []
        for (const { does, key, after, takes } of events) {
          await wait(after)
          if (does === 'write') stored[key] += 1
          else {
            const asked = stored[key]
            const answer = reads.run(key, async () => {
              running[key] += 1
              expect(running[key]).toBe(1)
              const found = stored[key]
              await wait(takes)
              running[key] -= 1
              return found
            })
            answers.push(answer.then((found) => expect(found).toBeGreaterThanOrEqual(asked)))
          }
        }
        await Promise.all(answers)
      }),
    )
  })
})
