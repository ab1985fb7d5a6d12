import { describe, expect, it } from 'vitest'
import { readOption, readOptions } from '../../../src/wordpress/options/read-options.ts'
import {
  lockExistingOptions,
  lockOptions,
  lockOrCreateOption,
  writeOptions,
} from '../../../src/wordpress/options/write-options.ts'
import { cloneNetwork } from '../../support/network.ts'
import { use } from '../../support/use.ts'

const network = await use(cloneNetwork())
const site = await network.site(2)

const put = (...options: { name: string; value: string }[]) =>
  network.db.write({}, (tx) => writeOptions(tx, site, options, 'off'))

const autoloadOf = async (name: string): Promise<string | undefined> =>
  (await network.db.sql(site.tables.options).where({ option_name: name }).first())?.autoload

describe('lockOptions', () => {
  it('returns the texts of existing options', async () => {
    await put({ name: 'test_one', value: '1' }, { name: 'test_two', value: '2' })
    const names = ['test_two', 'test_none', 'test_one']
    const locked = await network.db.write({}, (tx) => lockOptions(tx, site, names))
    expect(Object.fromEntries(locked)).toEqual({ test_one: '1', test_two: '2' })
  })

  it('locks in the order of the names, so that writers with other orders do not deadlock', async () => {
    await put(...['a', 'b', 'c'].map((name) => ({ name: `test_order_${name}`, value: '0' })))
    const orders = ['abc', 'cba', 'bca', 'acb', 'cab', 'bac'].map((order) =>
      [...order].map((name) => `test_order_${name}`),
    )
    let attempts = 0
    const writers = Array.from({ length: 30 }, (_, index) =>
      network.db.write({}, async (tx) => {
        attempts += 1
        const stored = await lockOptions(tx, site, orders[index % orders.length] ?? [])
        const raised = [...stored].map(([name, value]) => ({
          name,
          value: String(Number(value) + 1),
        }))
        await writeOptions(tx, site, raised.reverse(), 'off')
      }),
    )
    await Promise.all(writers)
    const values = await readOptions(network.db, site, orders[0] ?? [])
    expect([...values.values()]).toEqual(['30', '30', '30'])
    expect(attempts).toBe(30)
  })

  it('does not match names that are equal only by the collation', async () => {
    await put({ name: 'Test_Café', value: 'x' })
    for (const name of ['test_café', 'Test_Cafe', 'Test_Café ']) {
      const locked = await network.db.write({}, (tx) => lockOptions(tx, site, [name]))
      expect(locked.size).toBe(0)
    }
  })
})

describe('lockExistingOptions', () => {
  it('returns the existing options', async () => {
    await put({ name: 'test_there', value: '' }, { name: 'test_there_too', value: '' })
    const names = ['test_there_too', 'test_not_there', 'test_there']
    const present = await network.db.write({}, (tx) => lockExistingOptions(tx, site, names))
    expect(present).toEqual(new Set(['test_there', 'test_there_too']))
  })
})

describe('lockOrCreateOption', () => {
  it.each([2, 8])('loses no write of %i concurrent creators', async (creators) => {
    const name = `test_created_by_${creators}`
    const writers = Array.from({ length: creators }, (_, writer) =>
      network.db.write({}, async (tx) => {
        const stored = await lockOrCreateOption(tx, site, name, '[]', 'off')
        const value = JSON.stringify([...JSON.parse(stored), writer])
        await writeOptions(tx, site, [{ name, value }], 'off')
      }),
    )
    await Promise.all(writers)
    const written = JSON.parse((await readOption(network.db, site, name)) ?? '')
    expect(written.sort()).toEqual(writers.map((_, writer) => writer))
  })

  it('creates the option with the requested autoload, and keeps an existing one', async () => {
    const lock = (initial: string, autoload: 'off' | 'yes') =>
      network.db.write({}, (tx) => lockOrCreateOption(tx, site, 'test_auto', initial, autoload))
    expect(await lock('first', 'off')).toBe('first')
    expect(await lock('second', 'yes')).toBe('first')
    expect(await autoloadOf('test_auto')).toBe('off')
  })

  it('creates nothing if the transaction fails', async () => {
    const failing = network.db.write({}, async (tx) => {
      await lockOrCreateOption(tx, site, 'test_taken_back', 'x', 'off')
      throw new Error('no')
    })
    await expect(failing).rejects.toThrow('no')
    expect(await readOption(network.db, site, 'test_taken_back')).toBeUndefined()
  })
})
