import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, it } from 'vitest'
import { NetworkFileSchema, networkFileSchema } from '../../../src/cli/network/network-file.ts'

const validate = new Ajv2020({ allowUnionTypes: true }).compile(JSON.parse(networkFileSchema()))
const VALID = { version: 1, name: 'shops', bundles: {}, sites: [{ match: { id: 2 } }] }

describe('the JSON Schema of network.yaml', () => {
  it('is up to date in docs/; "npm run schema" writes it', () => {
    const path = resolve(import.meta.dirname, '../../../docs/network.schema.json')
    expect(readFileSync(path, 'utf8')).toBe(networkFileSchema())
  })

  it.each([
    [{}, true],
    [{ manages: 'all', bundles: { a: { frames: 'frames/*.html', menus: ['a.yaml'] } } }, true],
    [{ bundles: { a: { frames: [{ file: 'a.html', slug: 'b', formerly: ['c'] }] } } }, true],
    [{ bundles: { a: { pages: { '/': null, '/a': 'b', '/b': 2024 } } } }, true],
    [{ bundles: { a: { pages: [{ path: '/', lang: 'fr', frame: 'a' }] } } }, true],
    [{ sites: [{ match: { option: { svc_label_region: ['a', 1] } }, variables: { v: 1 } }] }, true],
    [{ version: 2 }, false],
    [{ other: 1 }, false],
    [{ sites: [{ match: { option: { admin_email: 'a' } } }] }, false],
    [{ bundles: { a: { frames: [{ slug: 'a' }] } } }, false],
    [{ bundles: { a: { variables: { 'a-b': '' } } } }, false],
  ])('accepts what is read: %j %s', (fields, expected) => {
    const value = { ...VALID, ...fields }
    expect([validate(value), NetworkFileSchema.safeParse(value).success]).toEqual([
      expected,
      expected,
    ])
  })
})
