import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type CompatFixture, createCompatFixture } from './support/compat-fixture.ts'

let fixture: CompatFixture
let other: CompatFixture
beforeAll(async () => {
  fixture = await createCompatFixture()
  other = await createCompatFixture()
})
afterAll(async () => {
  await fixture?.close()
  await other?.close()
})

const call = (...calls: readonly [string, readonly unknown[]][]) =>
  fixture.wp<unknown[]>('calls', calls, { user: 'root' })

let users = 0
/** Creates a user with a role on the site, or without a role and membership. */
async function makeUser(role?: string): Promise<{ id: number; login: string }> {
  users += 1
  const login = `${fixture.admin}-${users}`
  const [id] = await call(['wpmu_create_user', [login, 'a password', `${login}@net.test`]])
  if (role) await call(['add_user_to_blog', [fixture.site.blogId, id, role]])
  return { id: Number(id), login }
}

type Rights = {
  readonly manage_options: boolean
  readonly administrator: boolean
  readonly super_admin: boolean
}

/** Whether the user has access to the API of the site. Asserts that WordPress agrees. */
async function expectAsInWordPress(login: string): Promise<boolean> {
  const [rights] = await fixture.wp<Rights[]>('may', [login])
  const { status } = await fixture.send('get', '/frames', undefined, login)
  expect([login, status]).toEqual([login, rights?.manage_options ? 200 : 404])
  return status === 200
}

describe('a user has access to the API of a site if they may manage it in WordPress:', () => {
  it.each(['administrator', 'editor', 'author', 'contributor', 'subscriber', undefined])(
    'role %s',
    async (role) => {
      const { login } = await makeUser(role)
      expect(await expectAsInWordPress(login)).toBe(role === 'administrator')
    },
  )

  it('not an administrator of another site', async () => {
    expect(await expectAsInWordPress(other.admin)).toBe(false)
  })

  it('a super administrator, until the right is revoked', async () => {
    const { id, login } = await makeUser()
    await call(['grant_super_admin', [id]])
    expect(await expectAsInWordPress(login)).toBe(true)
    await call(['revoke_super_admin', [id]])
    expect(await expectAsInWordPress(login)).toBe(false)
  })

  it('a user while they are an administrator: promoted, demoted, removed', async () => {
    const { id, login } = await makeUser('subscriber')
    expect(await expectAsInWordPress(login)).toBe(false)
    await call(['add_user_to_blog', [fixture.site.blogId, id, 'administrator']])
    expect(await expectAsInWordPress(login)).toBe(true)
    await call(['remove_user_from_blog', [id, fixture.site.blogId]])
    expect(await expectAsInWordPress(login)).toBe(false)
  })

  it('not a user whom the network marks as spam: the token becomes invalid', async () => {
    const { id, login } = await makeUser('administrator')
    expect(await expectAsInWordPress(login)).toBe(true)
    await call(['wp_update_user', [{ ID: id, spam: '1' }]])
    expect((await fixture.send('get', '/frames', undefined, login)).status).toBe(401)
  })

  it('only super administrators, on an archived site', async () => {
    const closed = await createCompatFixture()
    try {
      await call(['update_blog_status', [closed.site.blogId, 'archived', '1']])
      expect((await closed.send('get', '/frames')).status).toBe(404)
      expect((await closed.send('get', '/frames', undefined, 'root')).status).toBe(200)
      await call(['update_blog_status', [closed.site.blogId, 'archived', '0']])
      expect((await closed.send('get', '/frames')).status).toBe(200)
      await call(['update_blog_status', [closed.site.blogId, 'deleted', '1']])
      expect((await closed.send('get', '/frames', undefined, 'root')).status).toBe(404)
    } finally {
      await closed.close()
    }
  })
})
