import { describe, expect, it } from 'vitest'
import { isCharsetMismatch } from '../../../src/db/database-error.ts'
import { readOption } from '../../../src/wordpress/options/read-options.ts'
import { writeOptions } from '../../../src/wordpress/options/write-options.ts'
import { useNetwork } from '../../support/network.ts'

/** Texts below and above the length from which they are sent prepared. */
const LENGTHS = [10, 100_000]
/** In bytes: the default of MariaDB; MySQL's is larger. */
const SMALLEST_PACKET = 16 * 1024 * 1024

describe.each(['utf8mb4', 'utf8mb3', 'latin1'])('an option in a table of %s', async (charset) => {
  const network = await useNetwork({ charset: 'utf8mb4' })
  const site = await network.site(2)
  const { options } = site.tables
  await network.db.sql(options).delete()
  await network.db.sql.raw(`ALTER TABLE ?? CONVERT TO CHARACTER SET ${charset}`, [options])

  const write = (value: string) =>
    network.db.write({}, (tx) => writeOptions(tx, site, [{ name: 'long', value }], 'off'))

  it.each(['a', 'é\'"\\\n', '\0\r\n\x1a', ...(charset === 'latin1' ? [] : ['я漢'])])(
    'holds %j, however often it is repeated',
    async (text) => {
      for (const length of LENGTHS) {
        const value = text.repeat(length)
        await write(value)
        expect((await readOption(network.db, site, 'long')) === value).toBe(true)
      }
    },
  )

  if (charset === 'utf8mb4')
    it('stores a text of the maximum size that a server accepts', async () => {
      const [[{ packet }]] = await network.db.sql.raw('SELECT @@max_allowed_packet AS packet')
      const value = 'a'.repeat(Math.min(packet, SMALLEST_PACKET) * 0.9)
      await write(value)
      expect((await readOption(network.db, site, 'long')) === value).toBe(true)
    })
  else
    it('refuses what it cannot hold, at any length', async () => {
      const before = await readOption(network.db, site, 'long')
      for (const length of LENGTHS) {
        const failure = await write('😀'.repeat(length)).catch((error: unknown) => error)
        expect(isCharsetMismatch(failure)).toBe(true)
      }
      expect((await readOption(network.db, site, 'long')) === before).toBe(true)
    })
})
