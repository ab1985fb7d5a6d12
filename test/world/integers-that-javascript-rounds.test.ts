import { describe, expect, it } from 'vitest'
import { encodePhp } from '#php-serialized'
import { useApi } from '../support/api.ts'
import { setOption } from '../support/network.ts'

/**
 * Data sets, properties of inserts and unsaved data contain ids beyond 2^53, such as those of posts in social networks.
 * Right: PHP's `json_decode()` on 64 bits reads them exactly; beyond 64 bits it rounds to a float, as JavaScript does.
 */
describe('integers that JavaScript rounds', async () => {
  const { network, api } = await useApi()
  const alice = await api.as('alice')
  await alice
    .post('/site/2/frames')
    .send({ slug: 'shown', html: '<i data-op-bind="props.vid"></i>' })
  const pageWith = async (html: string, body = {}) => {
    const slug = 'ids'
    const sent = { page: 7, assign: slug, frames: [{ slug, html }], ...body }
    return (await alice.post('/site/2/preview').send(sent)).body.html
  }

  it.each([
    ['1234567890123456789', '1234567890123456789'],
    ['9223372036854775807', '9223372036854775807'],
    ['-9223372036854775808', '-9223372036854775808'],
    ['9007199254740993', '9007199254740993'],
    ['-9007199254740993', '-9007199254740993'],
    ['9007199254740991', '9007199254740991'],
    ['9223372036854775808', '9223372036854776000'],
    ['19.90', '19.9'],
    ['1e3', '1000'],
    ['1234567890.1234567890', '1234567890.1234567'],
    ['0', '0'],
    ['"12345678901234567890"', '12345678901234567890'],
    ['"a \\"1234567890123456789\\" \\\\"', 'a &quot;1234567890123456789&quot; \\'],
  ])('%s is %s', async (json, printed) => {
    const read = async () => [
      await pageWith('<i data-op-bind="dataset.big.0.id"></i>'),
      await pageWith(`<!-- svc/frame {"name":"shown","vid":${json}} /-->`),
    ]
    await setOption(network, 2, 'svc_data_big', `[{"id":${json},"nested":{"ids":[${json}]}}]`)
    const html = `<i>${printed}</i>`
    expect((await read()).map((text) => text.replaceAll('&quot;', '"'))).toEqual([
      html.replaceAll('&quot;', '"'),
      html.replaceAll('&quot;', '"'),
    ])
  })

  it('the same data in PHP is the same', async () => {
    const value = 1234567890123456789n
    await setOption(network, 2, 'svc_data_big', encodePhp([{ id: value }]))
    const php = (await alice.get('/site/2/data/dataset.big')).body
    await setOption(network, 2, 'svc_data_big', `[{"id":${value}}]`)
    expect((await alice.get('/site/2/data/dataset.big')).body).toEqual(php)
    expect(php.items).toEqual([{ id: '1234567890123456789' }])
  })

  it('unsaved data of a preview keeps them', async () => {
    const body = `{"page":7,"assign":"ids","frames":[{"slug":"ids","html":"<i data-op-bind=\\"dataset.n.id\\"></i>"}],"datasets":[{"name":"n","value":{"id":1234567890123456789}}]}`
    const answer = await alice.post('/site/2/preview').type('json').send(body)
    expect(answer.body.html).toBe('<i>1234567890123456789</i>')
  })
})
