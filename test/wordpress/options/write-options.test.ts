import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Site } from '../../../src/wordpress/network/site.ts'
import { readOption, readOptions } from '../../../src/wordpress/options/read-options.ts'
import {
  lockExistingOptions,
  lockOptions,
  lockOrCreateOption,
  writeOptions,
} from '../../../src/wordpress/options/write-options.ts'
import { cloneNetwork, type TestNetwork } from '../../support/network.ts'

let network: TestNetwork
let site: Site
beforeAll(async () => {
  network = await cloneNetwork()
  site = await network.site(2)
})
afterAll(() => network.drop())

const put = (...options: { name: string; value: string }[]) =>
  network.db.write({}, (tx) => writeOptions(tx, site, options, 'off'))

const autoloadOf = async (name: string): Promise<string | undefined> =>
  (await network.db.sql(site.tables.options).where({ option_name: name }).first())?.autoload

describe('lockOptions', () => {
  it('gives the texts of those that are there', async () => {
    await put({ name: 'test_one', value: '1' }, { name: 'test_two', value: '2' })
    const names = ['test_two', 'test_none', 'test_one']
    const locked = await network.db.write({}, (tx) => lockOptions(tx, site, names))
    expect(Object.fromEntries(locked)).toEqual({ test_one: '1', test_two: '2' })
  })

  it('locks in the order of the names, so that writers who ask in other orders never meet in a deadlock', async () => {
    await put(...['a', 'b', 'c'].map((name) => ({ name: `test_order_${name}`, value: '0' })))
    const orders = ['abc', 'cba', 'bca', 'acb', 'cab', 'bac'].map((order) =>
      [...order].map((name) => `test_order_${name}`),
    )
    let attempts = 0
    const writers = Array.from({ length: 30 }, (_, turn) =>
      network.db.write({}, async (tx) => {
        attempts += 1
        const held = await lockOptions(tx, site, orders[turn % orders.length] ?? [])
        const raised = [...held].map(([name, value]) => ({
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

  it('takes no name for another that only the collation takes for it', async () => {
    await put({ name: 'Test_Café', value: 'x' })
    for (const name of ['test_café', 'Test_Cafe', 'Test_Café ']) {
      const locked = await network.db.write({}, (tx) => lockOptions(tx, site, [name]))
      expect(locked.size).toBe(0)
    }
  })
})

describe('lockPresent', () => {
  it('tells which options are there', async () => {
    await put({ name: 'test_there', value: '' }, { name: 'test_there_too', value: '' })
    const names = ['test_there_too', 'test_not_there', 'test_there']
    const present = await network.db.write({}, (tx) => lockExistingOptions(tx, site, names))
    expect(present).toEqual(new Set(['test_there', 'test_there_too']))
  })
})

describe('lockOrCreateOption', () => {
  it.each([2, 8])('loses nothing of what %i creators at once write', async (creators) => {
    const name = `test_created_by_${creators}`
    const writers = Array.from({ length: creators }, (_, writer) =>
      network.db.write({}, async (tx) => {
        const held = await lockOrCreateOption(tx, site, name, '[]', 'off')
        const value = JSON.stringify([...JSON.parse(held), writer])
        await writeOptions(tx, site, [{ name, value }], 'off')
      }),
    )
    await Promise.all(writers)
    const written = JSON.parse((await readOption(network.db, site, name)) ?? '')
    expect(written.sort()).toEqual(writers.map((_, writer) => writer))
  })

  it('makes the option with the autoload that was asked for, and leaves one that is there as it is', async () => {
    const lock = (initial: string, autoload: 'off' | 'yes') =>
      network.db.write({}, (tx) => lockOrCreateOption(tx, site, 'test_auto', initial, autoload))
    expect(await lock('first', 'off')).toBe('first')
    expect(await lock('second', 'yes')).toBe('first')
    expect(await autoloadOf('test_auto')).toBe('off')
  })

  it('leaves nothing behind where the transaction fails', async () => {
    const failing = network.db.write({}, async (tx) => {
      await lockOrCreateOption(tx, site, 'test_taken_back', 'x', 'off')
      throw new Error('no')
    })
    await expect(failing).rejects.toThrow('no')
    expect(await readOption(network.db, site, 'test_taken_back')).toBeUndefined()
  })
})
