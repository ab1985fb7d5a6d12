import { describe, expect, it } from 'vitest'
import { useApi } from '../support/api.ts'
import { setOption } from '../support/network.ts'

/**
 * Options of WordPress are "0" and "1", and `if:` decides by them.
 * Right: PHP's `empty()`: '', '0', 0, 0.0, null, false and an array without entries are empty; '0.0', ' ' and 'false' are not.
 */
describe('values that PHP calls empty', async () => {
  const { network, api } = await useApi()
  const alice = await api.as('alice')
  const html =
    '<b data-op-bind="if:dataset.v.value">yes</b><i data-op-bind="if:!dataset.v.value">no</i><u data-op-bind="if: ! dataset.v.value; if:page.id">both</u>'
  const shown = async () =>
    (
      await alice
        .post('/site/2/preview')
        .send({ page: 7, assign: 'empty', frames: [{ slug: 'empty', html }] })
    ).body.html

  it.each([
    ['""', true],
    ['"0"', true],
    ['0', true],
    ['0.0', true],
    ['-0', true],
    ['null', true],
    ['false', true],
    ['[]', true],
    ['{}', true],
    ['"1"', false],
    ['1', false],
    ['"0.0"', false],
    ['"00"', false],
    ['" "', false],
    ['"false"', false],
    ['true', false],
    ['[0]', false],
    ['{"a":null}', false],
  ])('%s: %s', async (json, isEmpty) => {
    await setOption(network, 2, 'svc_data_v', `{"value":${json}}`)
    expect(await shown()).toBe(isEmpty ? '<i>no</i><u>both</u>' : '<b>yes</b>')
  })

  it('a value that does not exist is empty', async () => {
    await setOption(network, 2, 'svc_data_v', '{}')
    expect(await shown()).toBe('<i>no</i><u>both</u>')
    await setOption(network, 2, 'svc_data_v', 'no JSON')
    expect(await shown()).toBe('<i>no</i><u>both</u>')
  })
})
