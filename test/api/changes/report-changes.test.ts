import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { startApi } from '../../support/api.ts'
import { useFront } from '../../support/front.ts'
import { use } from '../../support/use.ts'

/** Team and Services, in English. */
const [TEAM, SERVICES] = [10, 16]

const front = await useFront()
const api = await use(startApi(front.network, { executor: front.executor }))
const agent = await api.as('alice')
await front.frame(2, 'page', '<h1 data-op-bind="page.title"></h1>')
await front.assign(2, 'page', [TEAM, SERVICES])
const { posts } = (await front.network.site(2)).tables
await agent.post('/site/2/changed')
beforeEach(async () => void (await agent.post('/site/2/changed')))

const copyAt = (path: string): string | undefined => {
  const file = join(front.staticDir, 'net.test/shop', path, 'index.html')
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined
}
const edit = (ID: number, columns: object) =>
  front.network.db.sql(posts).where({ ID }).update(columns)

describe('POST /changed', () => {
  it('answers when the pages show what was edited', async () => {
    await edit(TEAM, { post_title: 'The team' })
    const { status, body } = await agent.post('/site/2/changed')
    expect([status, body.edited, body.republish.status]).toEqual([200, true, 'ok'])
    expect(copyAt('about-us/team')).toBe('<h1>The team</h1>')
  })

  it('says so if there is nothing new', async () => {
    const { body } = await agent.post('/site/2/changed')
    expect(body).toMatchObject({ success: true, site_id: 2, edited: false })
    expect(body.republish.status).toBe('skipped')
  })

  it('looks only where the body says', async () => {
    await edit(TEAM, { post_title: 'We' })
    await edit(SERVICES, { post_title: 'Help' })
    expect((await agent.post('/site/2/changed').send({ posts: [SERVICES] })).body.edited).toBe(true)
    expect(copyAt('services')).toBe('<h1>Help</h1>')
    expect(copyAt('about-us/team')).not.toContain('We')
    expect((await agent.post('/site/2/changed').send({ options: ['blogname'] })).body.edited).toBe(
      false,
    )
    expect((await agent.post('/site/2/changed').send({ terms: true })).body.edited).toBe(false)
    expect((await agent.post('/site/2/changed').send({})).body.edited).toBe(true)
    expect(copyAt('about-us/team')).toBe('<h1>We</h1>')
  })

  it.each([{ posts: 'all' }, { posts: [0] }, { posts: ['x'] }, { options: [1] }, { terms: 'x' }])(
    'rejects %j',
    async (body) => {
      expect((await agent.post('/site/2/changed').send(body)).status).toBe(400)
    },
  )
})
