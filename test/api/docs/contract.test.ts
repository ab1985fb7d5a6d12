import { describe, expect, it } from 'vitest'
import { Contract, type SentResponse } from '../../support/contract.ts'

const contract = new Contract()
const notFound = { success: false, error: 'frame_not_found', message: 'There is none.' }

function faultsOf(body: object, more: Partial<SentResponse> = {}): string[] {
  return contract.faultsOf({
    method: 'GET',
    path: '/site/2/frames/none',
    status: 404,
    headers: { 'x-request-id': '1' },
    body: JSON.stringify(body),
    ...more,
  })
}

describe('the contract check of the tests', () => {
  it.each(['/site/2/frames/none', '/frames/none?blog_id=2', '/site/2/frames/none/'])(
    'lets through what the document tells of: %s',
    (path) => expect(faultsOf(notFound, { path })).toEqual([]),
  )

  it.each<[string, string, object, Partial<SentResponse>]>([
    ['a field', 'additional properties', { ...notFound, hint: 'Look around.' }, {}],
    ['a missing field', "required property 'message'", { ...notFound, message: undefined }, {}],
    ['a code', 'constant', { ...notFound, error: 'page_not_found' }, {}],
    ['a code of another status', 'no such status', notFound, { status: 410 }],
    ['a header', 'x-svc-blog-source', notFound, { headers: { 'x-svc-blog-source': 'header' } }],
    ['a missing header', 'x-request-id', notFound, { headers: {} }],
    ['a route', 'no operation', notFound, { path: '/site/2/themes' }],
    ['a method', 'no operation', notFound, { method: 'OPTIONS' }],
  ])('rejects an undocumented %s', (_what, fault, body, more) => {
    expect(faultsOf(body, more).join()).toContain(fault)
  })
})
