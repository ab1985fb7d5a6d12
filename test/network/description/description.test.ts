import { describe, expect, it } from 'vitest'
import { AppError } from '../../../src/host/errors.ts'
import { MAX_PROBLEMS } from '../../../src/network/description/problems.ts'
import { parseDescription } from '../../support/parse-description.ts'

const VALID = { version: 1, name: 'shops', bundles: {}, sites: [{ match: { id: 2 } }] }

/** The problems that are reported for a description. */
function problemsOf(fields: object): { at: string; message: string }[] {
  try {
    parseDescription({ ...VALID, ...fields })
  } catch (error) {
    if (error instanceof AppError && error.code === 'bad_description')
      return error.fields.problems as { at: string; message: string }[]
    throw error
  }
  return []
}

describe('parseDescription', () => {
  it('fills in defaults, and makes lists of single values', () => {
    expect(parseDescription({ ...VALID, bundles: { shop: {} } })).toEqual({
      version: 1,
      name: 'shops',
      manages: 'named',
      bundles: { shop: { frames: [], menus: [], pages: [], variables: {} } },
      sites: [{ match: { id: [2] }, bundles: [], variables: {} }],
    })
  })

  it('accepts pages as a mapping and as a list, and numbers as texts', () => {
    const pages = [{ path: '/about', lang: 'fr', frame: 2024 }]
    const { bundles } = parseDescription({
      ...VALID,
      bundles: { a: { pages: { '/about': 2024, '/': null } }, b: { pages, variables: { a: 1 } } },
    })
    expect(bundles.a?.pages).toEqual([
      { path: '/about', frame: '2024' },
      { path: '/', frame: null },
    ])
    expect(bundles.b).toMatchObject({
      pages: [{ path: '/about', lang: 'fr', frame: '2024' }],
      variables: { a: '1' },
    })
  })

  it.each([
    [{ version: 2 }, 'version', /^must be 1$/],
    [{ name: 'My shops' }, 'name', /lower-case/],
    [{ extra: 1 }, 'extra', /^Unknown field\. Allowed: version,/],
    [{ manages: 'some' }, 'manages', /^must be all or named$/],
    [{ sites: [] }, 'sites', /^must have at least 1 entry$/],
    [{ sites: [{ match: {} }] }, 'sites.0.match', /must have a criterion/],
    [{ sites: [{ match: { id: 2, ids: 2 } }] }, 'sites.0.match.ids', /Did you mean "id"\?$/],
    [{ sites: [{ match: { id: 'two' } }] }, 'sites.0.match.id', /^must be a number$/],
    [{ sites: [{ match: { id: [2, 'two'] } }] }, 'sites.0.match.id.1', /^must be a number$/],
    [
      { sites: [{ match: { option: { admin_email: 'a' } } }] },
      'sites.0.match.option.admin_email',
      /svc_label_/,
    ],
    [
      { bundles: { a: { frames: [{ slug: 'x' }] } } },
      'bundles.a.frames.0.html',
      /^is missing; it must be a text$/,
    ],
    [
      { bundles: { a: { pages: { '/x': 1.5, '/y': [] } } } },
      'bundles.a.pages./y',
      /^must be a text$/,
    ],
    [
      { bundles: { a: { pages: [{ path: '/x' }] } } },
      'bundles.a.pages.0.frame',
      /^is missing; it must be a text$/,
    ],
    [{ bundles: { a: { variables: { 'a-b': '' } } } }, 'bundles.a.variables.a-b', /lower-case/],
    [{ bundles: { 'A b': {} } }, 'bundles.A b', /lower-case/],
  ])('reports %j', (fields, at, message) => {
    expect(problemsOf(fields)).toEqual([{ at, message: expect.stringMatching(message) }])
  })

  it('reports all problems, and counts those beyond a limit', () => {
    const frames = Array.from({ length: 300 }, () => ({}))
    expect(problemsOf({ bundles: { a: { frames } } })).toHaveLength(MAX_PROBLEMS)
    expect(() => parseDescription({ ...VALID, bundles: { a: { frames } } })).toThrow(
      /^The description has 300 problems\.\n[\s\S]*\nand 200 more$/,
    )
  })
})
