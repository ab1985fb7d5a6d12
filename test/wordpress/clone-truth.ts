import { inject } from 'vitest'
import { cloneNetwork, type TestNetwork } from '../support/network.ts'

/**
 * A clone of the network that can be compared with WordPress's answers. Under utf8mb3 the server stores `?` for the one character of four
 * bytes, also in a serialized text, whose lengths are then wrong: no WordPress would have made that, so it is mended here.
 */
export async function cloneTruth(): Promise<TestNetwork> {
  const network = await cloneNetwork()
  if (inject('charset') === 'utf8mb3') {
    const { options } = (await network.site(2)).tables
    const { sql } = network.db
    const mended = sql.raw('REPLACE(option_value, ?, ?)', ['naïve ? "q"', 'naïve ???? "q"'])
    await sql(options).where({ option_name: 'theme_mods_opal' }).update({ option_value: mended })
  }
  return network
}

/** A value as it is comparable whatever the character set: characters of four bytes, and what stands for them, are one `?`. */
export function comparable<T>(value: T): T {
  return JSON.parse(JSON.stringify(value).replace(/[\u{10000}-\u{10ffff}]|\?+/gu, '?'))
}
