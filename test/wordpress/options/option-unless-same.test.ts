import { expect, it } from 'vitest'
import { sha256Hex } from '../../../src/host/hash.ts'
import { readOptionUnlessSame } from '../../../src/wordpress/options/read-options.ts'
import { setOption, useNetwork } from '../../support/network.ts'

const network = await useNetwork()
const { db } = network
const site = await network.site(2)
const other = await network.site(3)
const NAME = 'a name with spaces'
await setOption(network, 2, NAME, 'text')
await setOption(network, 2, 'twin', 'twin text')

const read = (name: string, known: string) => readOptionUnlessSame(db, site, name, sha256Hex(known))

it('an option is read only if it has another text than the known one', async () => {
  expect(await read(NAME, 'text')).toBe('same')
  expect(await read(NAME, 'former text')).toEqual({ text: 'text' })
  expect(await read('missing', 'text')).toEqual({ text: undefined })
  expect(await readOptionUnlessSame(db, other, NAME, sha256Hex('text'))).toEqual({
    text: undefined,
  })
})

it('options that are read together do not hide each other', async () => {
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
