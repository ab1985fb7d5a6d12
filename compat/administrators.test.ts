import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openScene, type Scene } from './support/scene.ts'

let scene: Scene
let other: Scene
beforeAll(async () => {
  scene = await openScene()
  other = await openScene()
})
afterAll(async () => {
  await scene?.close()
  await other?.close()
})

const call = (...calls: readonly [string, readonly unknown[]][]) =>
  scene.wp<unknown[]>('calls', calls, { user: 'root' })

let users = 0
/** A new user with a role on the site; without one, a member of no site. */
async function makeUser(role?: string): Promise<{ id: number; login: string }> {
  users += 1
  const login = `${scene.admin}-${users}`
  const [id] = await call(['wpmu_create_user', [login, 'a password', `${login}@net.test`]])
  if (role) await call(['add_user_to_blog', [scene.site.blogId, id, role]])
  return { id: Number(id), login }
}

type Rights = {
  readonly manage_options: boolean
  readonly administrator: boolean
  readonly super_admin: boolean
}

/** May the user use the API of the site? WordPress is asked whether that is right. */
async function expectAsInWordPress(login: string): Promise<boolean> {
  const [rights] = await scene.wp<Rights[]>('may', [login])
  const { status } = await scene.send('get', '/frames', undefined, login)
  expect([login, status]).toEqual([login, rights?.manage_options ? 200 : 404])
  return status === 200
}

describe('who may use the API of a site is who may manage it in WordPress:', () => {
  it.each(['administrator', 'editor', 'author', 'contributor', 'subscriber', undefined])(
    'role %s',
    async (role) => {
      const { login } = await makeUser(role)
      expect(await expectAsInWordPress(login)).toBe(role === 'administrator')
    },
  )

  it('an administrator of another site', async () => {
    expect(await expectAsInWordPress(other.admin)).toBe(false)
  })

  it('a super administrator, who then is none any more', async () => {
    const { id, login } = await makeUser()
    await call(['grant_super_admin', [id]])
    expect(await expectAsInWordPress(login)).toBe(true)
    await call(['revoke_super_admin', [id]])
    expect(await expectAsInWordPress(login)).toBe(false)
  })

  it('someone who is promoted, demoted and removed', async () => {
    const { id, login } = await makeUser('subscriber')
    expect(await expectAsInWordPress(login)).toBe(false)
    await call(['add_user_to_blog', [scene.site.blogId, id, 'administrator']])
    expect(await expectAsInWordPress(login)).toBe(true)
    await call(['remove_user_from_blog', [id, scene.site.blogId]])
    expect(await expectAsInWordPress(login)).toBe(false)
  })

  it('someone whom the network marks as spam: the token is no token any more', async () => {
    const { id, login } = await makeUser('administrator')
    expect(await expectAsInWordPress(login)).toBe(true)
    await call(['wp_update_user', [{ ID: id, spam: '1' }]])
    expect((await scene.send('get', '/frames', undefined, login)).status).toBe(401)
  })

  it('nobody but super administrators, on a site that is archived', async () => {
    const closed = await openScene()
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
