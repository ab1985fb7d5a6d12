import { expect, it } from 'vitest'
import { Lifetime } from '../../../src/host/concurrency/lifetime.ts'

it('a lifetime ends objects in the reverse order, once', async () => {
  const ended: string[] = []
  const life = new Lifetime(() => {})
  for (const name of ['database', 'pool', 'loop'])
    life.add(name, name, async () => {
      await Promise.resolve()
      ended.push(name)
    })
  await life.end()
  await life.end()
  expect(ended).toEqual(['loop', 'pool', 'database'])
})

it('a lifetime ends the other objects if one cannot be ended, and reports that', async () => {
  const failures: [string, unknown][] = []
  const ended: string[] = []
  const life = new Lifetime((name, error) => failures.push([name, error]))
  life.add('database', undefined, () => ended.push('database'))
  const error = new Error('no')
  life.addLoop('loop', { stop: () => Promise.reject(error) })
  await life.end()
  expect({ ended, failures }).toEqual({ ended: ['database'], failures: [['loop', error]] })
})
