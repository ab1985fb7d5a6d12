import { describe, expect, it } from 'vitest'
import { AppError } from '../../../src/host/errors.ts'
import type { Caller } from '../../../src/record/auth/authenticate.ts'
import { authorizeSite, type SiteChoice } from '../../../src/record/auth/authorize-site.ts'
import { UNLIMITED } from '../../../src/record/auth/token-scopes.ts'
import { isClosed } from '../../../src/wordpress/network/site.ts'
import { readSiteMembership } from '../../../src/wordpress/users/site-membership.ts'
import { findUserByLogin } from '../../../src/wordpress/users/users.ts'
import { useNetwork } from '../../support/network.ts'
import { statementsOf } from '../../support/statements.ts'

const NO_SITE = 0
const network = await useNetwork()
const callers: Record<string, Pick<Caller, 'user' | 'membership'>> = {}
for (const login of ['admin', 'alice', 'bob']) {
  const user = await findUserByLogin(network.db, network.globals, login)
  if (!user) continue
  const membership = await readSiteMembership(network.db, network.globals, user, NO_SITE)
  callers[login] = { user, membership }
}

/** The authorized blog id, or the error code. */
async function outcome(login: string, choice: SiteChoice): Promise<number | string> {
  const caller = callers[login]
  if (!caller) throw new Error(`no user ${login}`)
  try {
    return (
      await authorizeSite(network.db, network.globals, { ...caller, limits: UNLIMITED }, choice)
    ).site.blogId
  } catch (error) {
    if (error instanceof AppError) return error.code
    throw error
  }
}

const byId = (blogId: number): SiteChoice => ({ by: 'site_id', blogId })

const [ARCHIVED, DELETED, SPAM] = [5, 6, 7]

describe('authorizeSite', () => {
  it('treats a site as archived or spam as WordPress and the front do: at 1, not at another number', async () => {
    const { db, globals } = network
    for (const [blogId, column] of [
      [ARCHIVED, 'archived'],
      [SPAM, 'spam'],
    ] as const) {
      const set = (state: number) =>
        db
          .sql(globals.blogs)
          .where({ blog_id: blogId })
          .update({ [column]: state })
      await db.sql(globals.usermeta).insert({
        user_id: callers.alice?.user.id,
        meta_key: `${globals.basePrefix}${blogId}_capabilities`,
        meta_value: 'a:1:{s:13:"administrator";b:1;}',
      })
      await set(2)
      expect(isClosed(await network.site(blogId))).toBe(false)
      expect(await outcome('alice', byId(blogId))).toBe(blogId)
      await set(1)
      expect(isClosed(await network.site(blogId))).toBe(true)
      expect(await outcome('alice', byId(blogId))).toBe('site_not_found')
      expect(await outcome('bob', { by: 'blog_id', blogId })).toBe('site_not_found')
      expect(await outcome('admin', byId(blogId))).toBe(blogId)
    }
  })

  it('rejects deleted sites and sites that are not activated yet for every caller', async () => {
    const { db, globals } = network
    expect(await outcome('admin', byId(DELETED))).toBe('site_not_found')
    await db.sql(globals.blogs).where({ blog_id: DELETED }).update({ deleted: 2 })
    expect(await outcome('admin', byId(DELETED))).toBe('site_not_found')
    await db.sql(globals.blogs).where({ blog_id: DELETED }).update({ deleted: 0 })
    expect(await outcome('admin', byId(DELETED))).toBe(DELETED)
  })

  it('sends the same statements for a site of others and a missing one', async () => {
    const foreign = await statementsOf(network.db, () => outcome('alice', byId(3)))
    const missing = await statementsOf(network.db, () => outcome('alice', byId(98)))
    expect(foreign).toHaveLength(1)
    expect(missing).toEqual(foreign)
  })

  it('does not read the membership again that was read with the token', async () => {
    const { db, globals } = network
    const alice = callers.alice?.user
    if (!alice) throw new Error('no alice')
    for (const blogId of [3, 98]) {
      const caller = {
        limits: UNLIMITED,
        user: alice,
        membership: await readSiteMembership(db, globals, alice, blogId),
      }
      const asked = await statementsOf(db, () =>
        expect(authorizeSite(db, globals, caller, byId(blogId))).rejects.toMatchObject({
          code: 'site_not_found',
        }),
      )
      expect(asked).toEqual([])
    }
  })
})
