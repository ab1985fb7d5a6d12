import { afterEach, describe, expect, it } from 'vitest'
import { WorkerPool } from '../../src/concurrency/worker-pool.ts'

const module = new URL('./threads.ts', import.meta.url)
const job = (name: string, data: object = {}) => ({ module, name, data })

const pool = new WorkerPool()
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

  it('hands on what a job throws', async () => {
    await expect(pool.run('site 2', job('fail'))).rejects.toThrow('the job failed')
  })

  it('starts threads again after it was closed', async () => {
    await pool.run('site 2', job('nameThread', { ms: 0 }))
    await pool.close()
    expect(await pool.run<number>('site 2', job('nameThread', { ms: 0 }))).toBeGreaterThan(0)
  })
})
