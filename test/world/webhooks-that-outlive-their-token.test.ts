import { expect, it } from 'vitest'
import { useAskingApi } from '../../packages/migration/test/asking.ts'
import { startApi } from '../support/api.ts'
import { use } from '../support/use.ts'

/**
 * The old endpoint was compromised and accepted a foreign token, which created a webhook; the webhook goes on when the old endpoint is gone.
 * Right: docs/security.md: the history names the webhooks that a token has created or changed, and they are deleted by their ids.
 */
it('a webhook of an asked token goes on without it, and is found by the token and deleted', async () => {
  const { network, asking, stored } = await useAskingApi()
  const token = asking.oldToken(2)
  const { body } = await asking.send('POST', '/site/2/webhooks', token, {
    url: 'https://example.com/hook',
  })
  const { id } = body.webhook
  const { id: tokenId } = (await stored.rowOf(token)) ?? {}

  const api = await use(startApi(network))
  const former = (await api.as()).set('Authorization', `Bearer ${token}`)
  expect((await former.get('/site/2/webhooks')).status).toBe(401)
  const admin = await api.as('admin')
  expect((await admin.get(`/site/2/webhooks/${id}`)).body.webhook.enabled).toBe(true)
  const { body: found } = await admin.get(`/network/history?kind=webhook&token=${tokenId}`)
  expect(found.entries).toEqual([
    expect.objectContaining({ site_id: 2, ref: String(id), action: 'created' }),
  ])
  await admin.delete(`/site/2/webhooks/${id}`).expect(200)
  expect((await admin.get('/site/2/webhooks')).body.webhooks).toEqual([])
})
