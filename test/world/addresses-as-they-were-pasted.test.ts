import { describe, expect, it } from 'vitest'
import { useApi } from '../support/api.ts'

/**
 * An address was pasted from a mail or a table, with a line break, a tab or backslashes in it; and what was shown was not what was asked.
 * Right: WHATWG URL, section 4.4: spaces at the ends, tabs and line breaks are removed, and a backslash is a slash.
 */
describe('addresses as they were pasted', async () => {
  const { api } = await useApi()
  const alice = await api.as('alice')
  const path = '/site/2/webhooks'

  it.each([
    ['  https://example.com/hook\t', 'https://example.com/hook'],
    ['https://example.com/ho\r\nok', 'https://example.com/hook'],
    ['https://exam\tple.com/hook', 'https://example.com/hook'],
    ['https:\\\\example.com\\hook', 'https://example.com/hook'],
    ['https:example.com/hook', 'https://example.com/hook'],
    ['HTTPS://EXAMPLE.com:443/a/../hook', 'https://example.com/hook'],
    ['https://müller.example/ä b', 'https://xn--mller-kva.example/%C3%A4%20b'],
    ['https://example.com', 'https://example.com/'],
    ['https://example.com:8443/a%20b/?c=%0D%0A&d', 'https://example.com:8443/a%20b/?c=%0D%0A&d'],
  ])('%j is stored as %s', async (url, stored) => {
    const { body: created } = await alice.post(path).send({ url })
    expect(created.webhook, JSON.stringify(created)).toMatchObject({ url: stored })
    const own = `${path}/${created.webhook.id}`
    await alice.patch(own).send({ url: 'https://example.org/' }).expect(200)
    const { body: changed } = await alice.patch(own).send({ url })
    expect(changed.webhook.url).toBe(stored)
    expect((await alice.get(own)).body.webhook.url).toBe(stored)
    await alice.delete(own).expect(200)
  })
})
