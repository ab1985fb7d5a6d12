import { describe, expect, it } from 'vitest'
import { useApi } from '../support/api.ts'
import { connectMcp } from '../support/mcp.ts'
import { use } from '../support/use.ts'

/**
 * A client sends lists within lists, thousands of levels deep, and the service answered with an error of its own.
 * Right: RFC 8259, section 9: a parser may limit the depth. What a client sends wrongly is an error of the client (RFC 9110, section 15.5).
 */
describe('bodies that are deep', async () => {
  const { api } = await useApi()
  const alice = await api.as('alice')
  const deep = (levels: number, open: string, close: string) =>
    `${open.repeat(levels)}1${close.repeat(levels)}`

  it.each([
    ['post', '/site/2/frames'],
    ['post', '/site/2/menus'],
    ['put', '/site/2/menus/footer/items'],
    ['post', '/site/2/batch'],
  ] as const)('are refused: %s %s', async (method, path) => {
    for (const [open, close] of [
      ['[', ']'],
      ['{"a":', '}'],
    ] as const)
      for (const levels of [600, 5000, 100_000])
        for (const key of [undefined, 'deep']) {
          const request = alice[method](path).type('json')
          if (key) request.set('Idempotency-Key', `${key}-${levels}`)
          const { status } = await request.send(`{"lang":${deep(levels, open, close)}}`)
          expect(status).toBe(400)
        }
  })

  it('are no error of the service in a tool either', async () => {
    const session = await use(connectMcp(api.url, await api.token('alice')))
    expect(await session.fail('list_frames', { site_id: { toString: 1 } })).toMatchObject({
      code: expect.stringMatching(/^(?:site_not_found|rest_invalid_param)$/),
    })
    expect(await session.fail('list_changes', { site_id: 2, wait: 30 })).toMatchObject({
      code: 'rest_invalid_param',
    })
  })
})
