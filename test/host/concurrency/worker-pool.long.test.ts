import { afterEach, describe, expect, it } from 'vitest'
import { threadModule, WorkerPool } from '../../../src/host/concurrency/worker-pool.ts'
import { FAST } from '../../support/timings.ts'

const module = threadModule('test-thread', import.meta.url)
const job = (name: string, data: object = {}) => ({ module, name, data })

const pool = new WorkerPool(FAST.threads)
afterEach(() => pool.close())

describe('WorkerPool', () => {
  it('runs jobs of different keys on different threads, so that one site delays no other', async () => {
    const work = job('nameThread', { ms: 200 })
    const [one, other] = await Promise.all([
      pool.run<number>('site 2', work),
      pool.run<number>('site 3', work),
    ])
    expect(one).toBeGreaterThan(0)
    expect(other).not.toBe(one)
  })

  it('runs one job of a key at a time', async () => {
    const ended: string[] = []
    await Promise.all([
      pool.run('site 2', job('nameThread', { ms: 100 })).then(() => ended.push('slow')),
      pool.run('site 2', job('nameThread', { ms: 0 })).then(() => ended.push('fast')),
    ])
    expect(ended).toEqual(['slow', 'fast'])
  })

  it('stops a job that runs too long, and counts no time in the queue', async () => {
    const impatient = new WorkerPool({ ...FAST.threads, jobMs: 2000 })
    const run = (ms: number) => impatient.run<number>('site 2', job('nameThread', { ms }))
    await run(0)
    expect(await Promise.all([750, 750, 750].map(run))).toHaveLength(3)
    await expect(run(60_000)).rejects.toMatchObject({
      code: 'service_busy',
      fields: { retry_after: 2 },
    })
    await impatient.close()
  })

  it('reads the argument of a job when the job starts', async () => {
    let isRead = false
    const first = pool.run('site 2', job('nameThread', { ms: 100 }))
    const second = pool.run<number>('site 2', {
      ...job('nameThread'),
      data: async () => {
        isRead = true
        return { ms: 0 }
      },
    })
    await new Promise((resolve) => setImmediate(resolve))
    expect(isRead).toBe(false)
    expect(await second).toBeGreaterThan(0)
    await first
  })

  it('passes on the errors of a job', async () => {
    await expect(pool.run('site 2', job('fail'))).rejects.toThrow('the job failed')
  })

  it('starts threads again after it was closed', async () => {
    await pool.run('site 2', job('nameThread', { ms: 0 }))
    await pool.close()
    expect(await pool.run<number>('site 2', job('nameThread', { ms: 0 }))).toBeGreaterThan(0)
  })
})
