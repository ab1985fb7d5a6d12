import { describe, expect, it } from 'vitest'
import { readSiteRights } from '../../../src/wordpress/users/site-membership.ts'
import { findUser } from '../../../src/wordpress/users/users.ts'
import { useTruth } from '../clone-truth.ts'
import { truths } from '../truth.ts'

const network = await useTruth()

const cases = truths.flatMap(({ blog_id, administrator }) =>
  Object.entries(administrator).map(([user, is]) => ({ blog_id, user: Number(user), is })),
)

describe('readSiteRights', () => {
  it('is compared for seven users on four sites', () => {
    expect(cases).toHaveLength(7 * 4)
  })

  it.each(cases)('returns $is for user $user on site $blog_id, like WordPress', async (the) => {
    const user = await findUser(network.db, network.globals, the.user)
    if (!user) throw new Error(`no user ${the.user}`)
    const site = await network.site(the.blog_id)
    const { administrator, superAdmin } = await readSiteRights(network.db, site, user)
    expect(administrator || superAdmin).toBe(the.is)
  })
})
