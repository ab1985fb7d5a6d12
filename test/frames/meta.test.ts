import { expect, it } from 'vitest'
import { decodeMeta } from '../../src/frames/record.ts'

it('a meta that is whole is read', () => {
  const meta = { references: ['a'], live_reasons: [] }
  expect(decodeMeta(JSON.stringify(meta))).toEqual(meta)
})

it.each([
  '',
  'null',
  '5',
  '{ no JSON',
  '{"references":[]}',
  '{"live_reasons":[]}',
  '{"references":"a","live_reasons":[]}',
])('%j is no meta', (text) => {
  expect(decodeMeta(text)).toBeUndefined()
})
