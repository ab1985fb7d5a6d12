import { inject } from 'vitest'
import { cloneNetwork, type TestNetwork } from '../support/network.ts'

/**
 * A clone of the network for comparisons with WordPress's answers. Under utf8mb3 the server stores `?` for the only 4-byte character, also
 * in a serialized text, whose lengths are then wrong. WordPress would never store that, so it is fixed here.
 */
export async function cloneTruth(): Promise<TestNetwork> {
  const network = await cloneNetwork()
  if (inject('charset') === 'utf8mb3') {
    const { options } = (await network.site(2)).tables
    const { sql } = network.db
    const fixed = sql.raw('REPLACE(option_value, ?, ?)', ['naïve ? "q"', 'naïve ???? "q"'])
    await sql(options).where({ option_name: 'theme_mods_opal' }).update({ option_value: fixed })
  }
  return network
}

/** A value in a form that does not depend on the character set: 4-byte characters and their replacement are one `?`. */
export function comparable<T>(value: T): T {
  return JSON.parse(JSON.stringify(value).replace(/[\u{10000}-\u{10ffff}]|\?+/gu, '?'))
}
