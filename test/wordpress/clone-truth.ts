import { inject } from 'vitest'
import type { Post } from '../../src/wordpress/pages/posts.ts'
import { type TestNetwork, useNetwork } from '../support/network.ts'

/**
 * Clones the network for comparisons with WordPress's answers; the database is released when the tests have run. Under utf8mb3 the server stores `?` for the only 4-byte character, also
 * in a serialized text, whose lengths are then wrong. WordPress would never store that, so it is fixed here.
 */
export async function useTruth(): Promise<TestNetwork> {
  const network = await useNetwork()
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

/** WordPress answered an administrator, who gets the address of a private post as that of a published one. */
export const forAdministrator = <P extends Pick<Post, 'status'>>(post: P): P =>
  post.status === 'private' ? { ...post, status: 'publish' } : post
