import { setImmediate as nextMacrotask } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { FairQueue, type FairQueueOptions } from '../../../src/host/concurrency/fair-queue.ts'

const queue = (options: Partial<FairQueueOptions> = {}): FairQueue =>
  new FairQueue({
    resource: 'a test',
    concurrency: 2,
    concurrencyPerKey: 1,
    maxWaitingPerKey: 10,
    maxWaitMs: 60_000,
    ...options,
  })

/** Tasks that end on request; `started` lists them in the order of their start. */
function gate() {
  const started: string[] = []
  const ends = new Map<string, () => void>()
  const task = (name: string) => () => {
    started.push(name)
    return new Promise<string>((resolve) => ends.set(name, () => resolve(name)))
  }
  const end = async (name: string) => {
    ends.get(name)?.()
    await nextMacrotask()
  }
  return { started, task, end }
}

describe('FairQueue', () => {
  it('runs tasks of different keys concurrently, up to its limit', async () => {
    const { started, task, end } = gate()
    const fair = queue()
    const all = ['a', 'b', 'c'].map((key) => fair.run(key, task(key)))
    await nextMacrotask()
    expect(started).toEqual(['a', 'b'])
    await end('a')
    expect(started).toEqual(['a', 'b', 'c'])
    await end('b')
    await end('c')
    expect(await Promise.all(all)).toEqual(['a', 'b', 'c'])
  })

  it('counts tasks that wait for a slot, not those that wait for their key', async () => {
    const { task, end } = gate()
    const fair = queue()
    const run = (key: string, name: string) => fair.run(key, task(name))
    const all = [run('a', 'a1'), run('a', 'a2')]
    expect(fair.withoutSlot).toBe(0)
    all.push(run('b', 'b1'), run('c', 'c1'), run('c', 'c2'), run('d', 'd1'))
    expect(fair.withoutSlot).toBe(2)
    await nextMacrotask()
    for (const name of ['a1', 'b1', 'c1', 'd1', 'a2', 'c2']) await end(name)
    await Promise.all(all)
    expect(fair.withoutSlot).toBe(0)
  })

  it('runs one task of a key at a time, in order', async () => {
    const { started, task, end } = gate()
    const fair = queue()
    const all = ['1', '2', '3'].map((name) => fair.run('site', task(name)))
    await nextMacrotask()
    expect(started).toEqual(['1'])
    for (const name of ['1', '2', '3']) await end(name)
    expect(await Promise.all(all)).toEqual(['1', '2', '3'])
  })

  it('lets a key with many waiting tasks delay another by one task at most', async () => {
    const { started, task, end } = gate()
    const fair = queue({ concurrency: 1 })
    const all = ['a1', 'a2', 'a3', 'a4', 'b1', 'b2'].map((name) =>
      fair.run(name[0] ?? '', task(name)),
    )
    await nextMacrotask()
    for (let index = 0; index < 6; index += 1) await end(started.at(-1) ?? '')
    await Promise.all(all)
    expect(started).toEqual(['a1', 'a2', 'b1', 'a3', 'b2', 'a4'])
  })

  it('frees the slot of a task that fails', async () => {
    const fair = queue()
    await expect(fair.run('site', () => Promise.reject(new Error('no')))).rejects.toThrow('no')
    expect(await fair.run('site', () => Promise.resolve('next'))).toBe('next')
  })

  it('rejects a task if too many of its key wait, and accepts those of other keys', async () => {
    const { task, end } = gate()
    const fair = queue({ maxWaitingPerKey: 1 })
    const running = fair.run('site', task('1'))
    const waiting = fair.run('site', task('2'))
    await expect(fair.run('site', task('3'))).rejects.toMatchObject({
      code: 'service_busy',
      fields: { retry_after: 5 },
    })
    expect(await fair.run('other', () => Promise.resolve('served'))).toBe('served')
    await end('1')
    await end('2')
    expect(await Promise.all([running, waiting])).toEqual(['1', '2'])
  })

  it('rejects a task that waited too long, and never runs it', async () => {
    const { started, task, end } = gate()
    const fair = queue({ maxWaitMs: 1 })
    const running = fair.run('site', task('1'))
    await expect(fair.run('site', task('2'))).rejects.toMatchObject({ code: 'service_busy' })
    await end('1')
    await running
    expect(started).toEqual(['1'])
  })
})
