import { describe, expect, it } from 'vitest'
import { KeyedMutex } from '../../../src/host/concurrency/keyed-mutex.ts'

const soon = () => new Promise<void>((resolve) => setImmediate(resolve))

describe('KeyedMutex', () => {
  it('runs one task at a time per key, in order, also after a failure', async () => {
    const mutex = new KeyedMutex()
    const steps: string[] = []
    const work =
      (name: string, fails = false) =>
      async () => {
        steps.push(`${name} starts`)
        await soon()
        steps.push(`${name} ends`)
        if (fails) throw new Error(name)
        return name
      }
    const results = await Promise.allSettled([
      mutex.run('key', work('a')),
      mutex.run('key', work('b', true)),
      mutex.run('key', work('c')),
    ])
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    expect(steps).toEqual(['a', 'b', 'c'].flatMap((name) => [`${name} starts`, `${name} ends`]))
  })

  it('does not wait for other keys', async () => {
    const mutex = new KeyedMutex()
    let release = () => {}
    const running = mutex.run('busy', () => new Promise<void>((resolve) => (release = resolve)))
    expect(await mutex.run('free', async () => 'done')).toBe('done')
    release()
    await running
  })
})
