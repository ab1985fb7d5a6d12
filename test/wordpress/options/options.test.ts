import { describe, expect, it } from 'vitest'
import { sha256Hex } from '../../../src/host/hash.ts'
import {
  readOption,
  readOptions,
  readOptionsMatching,
  readOptionUnlessSame,
} from '../../../src/wordpress/options/read-options.ts'
import {
  type Autoload,
  autoloadOfNewOption,
  lockOptions,
  lockOrCreateOption,
  writeOptions,
} from '../../../src/wordpress/options/write-options.ts'
import { useNetwork } from '../../support/network.ts'

const network = await useNetwork()
const site = await network.site(2)

const write = (values: Record<string, string>, autoload: Autoload = 'off') =>
  network.db.write({}, (tx) =>
    writeOptions(
      tx,
      site,
      Object.entries(values).map(([name, value]) => ({ name, value })),
      autoload,
    ),
  )

const autoloadOf = async (name: string): Promise<string | undefined> =>
  (await network.db.sql(site.tables.options).where({ option_name: name }).first())?.autoload

describe('readOptions', () => {
  it('returns the stored texts', async () => {
    const text = '  a:1:{i:0;s:2:"\u00e9";}\r\n\\ \t'
    await write({ test_text: text, test_empty: '' })
    const found = await readOptions(network.db, site, ['test_text', 'test_empty', 'test_none'])
    expect(Object.fromEntries(found)).toEqual({ test_text: text, test_empty: '' })
    expect(await readOption(network.db, site, 'test_none')).toBeUndefined()
    expect(await readOptions(network.db, site, [])).toEqual(new Map())
  })

  it('compares names like PHP, not like the collation', async () => {
    await write({ Test_Exact: 'x' })
    const others = ['test_exact', 'TEST_EXACT', 'Test_Exact ', 'Test_Éxact']
    expect(await readOptions(network.db, site, others)).toEqual(new Map())
    expect(await readOption(network.db, site, 'test_exact')).toBeUndefined()
    expect(await readOption(network.db, site, 'Test_Exact')).toBe('x')
  })
})

it('readOptionsMatching treats every character of prefix and suffix literally', async () => {
  await write({
    test_a_1_end: '1',
    test_a_2_end: '2',
    test_aX3_end: '3',
    'test_a_4-end': '4',
    'test_a%5_end': '5',
  })
  const found = await readOptionsMatching(network.db, site, 'test_a_', '_end')
  expect([...found.values()].sort()).toEqual(['1', '2'])
  const percent = await readOptionsMatching(network.db, site, 'test_a%', '_end')
  expect([...percent.values()]).toEqual(['5'])
})

describe('writeOptions', () => {
  it('gives new options the requested autoload', async () => {
    await write({ test_new_off: 'x' }, 'off')
    await write({ test_new_yes: 'x' }, 'yes')
    expect(await autoloadOf('test_new_off')).toBe('off')
    expect(await autoloadOf('test_new_yes')).toBe('yes')
  })

  it('keeps the autoload of existing options', async () => {
    await write({ test_kept: 'old' }, 'auto-on')
    await write({ test_kept: 'new', test_beside: 'x' }, 'off')
    expect(await readOption(network.db, site, 'test_kept')).toBe('new')
    expect(await autoloadOf('test_kept')).toBe('auto-on')
    expect(await autoloadOf('test_beside')).toBe('off')
  })

  it('keeps the id of the row', async () => {
    const idOf = async () =>
      (await network.db.sql(site.tables.options).where({ option_name: 'test_id' }).first())
        ?.option_id
    await write({ test_id: 'old' })
    const before = await idOf()
    await write({ test_id: 'new' })
    expect(await idOf()).toBe(before)
  })

  it('accepts an empty list', async () => {
    await write({})
  })
})

describe('autoloadOfNewOption', () => {
  const LARGEST = 'é'.repeat(75_000)

  it('equals the choice of WordPress 6.6, by the size in bytes', async () => {
    expect(await autoloadOfNewOption(network.db, site, LARGEST)).toBe('auto')
    expect(await autoloadOfNewOption(network.db, site, `${LARGEST}x`)).toBe('auto-off')
  })

  it('is yes if the site has only yes and no, regardless of this service’s options', async () => {
    const old = await network.site(3)
    const { sql } = network.db
    await sql(old.tables.options)
      .whereIn('autoload', ['on', 'auto', 'auto-on'])
      .update({ autoload: 'yes' })
    await sql(old.tables.options)
      .whereIn('autoload', ['off', 'auto-off'])
      .update({ autoload: 'no' })
    await sql(old.tables.options).insert({
      option_name: 'svc_frames',
      option_value: '',
      autoload: 'off',
    })
    expect(await autoloadOfNewOption(network.db, old, `${LARGEST}x`)).toBe('yes')
    await sql(old.tables.options).insert({ option_name: 'svcx', option_value: '', autoload: 'off' })
    expect(await autoloadOfNewOption(network.db, old, 'x')).toBe('auto')
  })
})

describe('lockOptions', () => {
  it('locks in the order of the names, so that writers with other orders do not deadlock', async () => {
    await write({ test_order_a: '0', test_order_b: '0', test_order_c: '0' })
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
    await write({ Test_Café: 'x' })
    for (const name of ['test_café', 'Test_Cafe', 'Test_Café ']) {
      const locked = await network.db.write({}, (tx) => lockOptions(tx, site, [name]))
      expect(locked.size).toBe(0)
    }
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
})

const NAME = 'a name with spaces'
const read = (name: string, known: string) =>
  readOptionUnlessSame(network.db, site, name, sha256Hex(known))

it('an option is read only if it has another text than the known one', async () => {
  await write({ [NAME]: 'text' })
  expect(await read(NAME, 'text')).toBe('same')
  expect(await read(NAME, 'former text')).toEqual({ text: 'text' })
  expect(await read('missing', 'text')).toEqual({ text: undefined })
  const other = await network.site(3)
  const elsewhere = await readOptionUnlessSame(network.db, other, NAME, sha256Hex('text'))
  expect(elsewhere).toEqual({ text: undefined })
})

it('options that are read together do not hide each other', async () => {
  await write({ [NAME]: 'text', twin: 'twin text' })
  expect(
    await Promise.all([
      read(NAME, 'text'),
      read('twin', 'former text'),
      // Its text is the known one of the option before.
      read(NAME, 'twin text'),
      read('twin', 'text'),
    ]),
  ).toEqual(['same', { text: 'twin text' }, { text: 'text' }, { text: 'twin text' }])
})
