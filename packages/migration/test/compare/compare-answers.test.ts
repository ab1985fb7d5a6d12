import { describe, expect, it } from 'vitest'
import { compareAnswers } from '../../src/compare/compare-answers.ts'
import type { ComparedAnswer } from '../../src/compare/difference.ts'

const JSON_TYPE = { 'content-type': 'application/json; charset=utf-8' }

const answer = (
  body: unknown,
  { status = 200, headers = {} }: { status?: number; headers?: Record<string, string> } = {},
): ComparedAnswer => ({
  status,
  headers: { ...JSON_TYPE, ...headers },
  body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
})

/** What differs, as `field kind`. */
const found = (old: unknown, ours: unknown): string[] =>
  compareAnswers(answer(old), answer(ours)).map(({ field, kind }) => `${field} ${kind}`)

const frames = (...slugs: string[]) => ({
  frames: slugs.map((slug) => ({ id: `id-${slug}`, slug })),
})

describe('compareAnswers', () => {
  it.each([
    ['equal bodies', { a: [1, { b: null }] }, { a: [1, { b: null }] }, []],
    ['another order of keys', { a: 1, b: 2 }, { b: 2, a: 1 }, []],
    ['a number as a text', { total: 1 }, { total: '1' }, ['total type']],
    ['null for a text', { lang: null }, { lang: 'en' }, ['lang type']],
    ['[] for {}', { inserts: [] }, { inserts: {} }, ['inserts type']],
    ['a missing field', { a: 1, b: 2 }, { a: 1 }, ['b missing']],
    ['a further field', { a: 1 }, { a: 1, b: 2 }, ['b additional_field']],
    [
      'a further key of a map',
      { inserts: { 'op/menu': 1 } },
      { inserts: { 'op/menu': 1, 'op/repeat': 2 } },
      ['inserts.* additional'],
    ],
    ['an element too few', frames('a', 'b', 'c'), frames('b', 'c'), ['frames[] missing']],
    ['an element too many', frames('b', 'c'), frames('a', 'b', 'c'), ['frames[] additional']],
    ['another order', frames('a', 'b', 'c'), frames('a', 'c', 'b'), ['frames[] order']],
    ['ids as texts', { pages: [3, 7] }, { pages: ['3', '7'] }, ['pages[] type', 'pages[] type']],
    ['a repeated value', { refs: ['a', 'a'] }, { refs: ['a'] }, ['refs[] missing']],
    [
      'elements without an identity',
      { rows: [[1], [2]] },
      { rows: [[1], [3]] },
      ['rows[][] missing', 'rows[][] additional'],
    ],
    [
      'moved elements without an identity',
      { rows: [[1], [2]] },
      { rows: [[2], [1]] },
      ['rows[] order'],
    ],
    ['elements that lost their ids', [{ id: 1, slug: 'a' }], [{ slug: 'a' }], ['[].id missing']],
    ['other sentences', { message: 'Nein.' }, { message: 'No.' }, ['message text']],
    [
      'warnings: other codes and sentences',
      { warnings: ['type_ignored', 'A long one.'] },
      { warnings: ['name_ignored', 'Another long one.'] },
      ['warnings[] missing', 'warnings[] additional', 'warnings[] text'],
    ],
    ['other bytes of markup', { html: '<p>é' }, { html: '<p>e\u0301' }, ['html markup']],
  ])('finds in %s: %j', (_, old, ours, expected) => {
    expect(found(old, ours)).toEqual(expected)
  })

  it('shows where markup differs', () => {
    const [difference] = compareAnswers(
      answer({ frame: { html: `${'x'.repeat(100)}<b>` } }),
      answer({ frame: { html: `${'x'.repeat(100)}<i>` } }),
    )
    expect(difference).toEqual({
      kind: 'markup',
      field: 'frame.html',
      values: {
        at: 'frame.html from byte 101',
        old: `103 bytes: "${'x'.repeat(29)}<b>"`,
        ours: `103 bytes: "${'x'.repeat(29)}<i>"`,
      },
    })
  })

  it.each([
    ['a notice', '<b>Notice</b>: {a} [1]\n{"a":1}', '{"a":1}', ['body text_around_json']],
    ['a byte order mark', '\uFEFF{"a":1}', '{"a":1}', ['body text_around_json']],
    ['text at the end', '{"a":1}<!-- 12 queries -->', '{"a":1}', ['body text_around_json']],
    ['a page', '<!doctype html>', '{"a":1}', ['body not_json']],
    [
      'a notice, and another value',
      'Notice {"a":2}',
      '{"a":1}',
      ['body text_around_json', 'a value'],
    ],
  ])('finds text that is not JSON: %s', (_, old, ours, expected) => {
    expect(found(old, ours)).toEqual(expected)
  })

  it('describes statuses by their codes, and compares nothing else of an error and a success', () => {
    const refused = answer(
      { success: false, error: 'frame_not_found', message: '' },
      { status: 404 },
    )
    expect(compareAnswers(refused, answer({ success: true }))).toEqual([
      {
        kind: 'status',
        field: 'status',
        values: { at: 'status', old: '404 frame_not_found', ours: '200' },
      },
    ])
    const login = answer('', { status: 302, headers: { location: '/login' } })
    expect(compareAnswers(login, answer({}))[0]?.values.old).toBe('302 to /login')
  })

  it.each([
    ['x-svc-blog-source', 'blog_id', 'header', 'header'],
    ['x-ratelimit-remaining', '3', undefined, 'header'],
    ['x-ratelimit-remaining', '3', '119', undefined],
    ['retry-after', '3', '60', undefined],
    ['x-robots-tag', 'noindex', undefined, 'other_header'],
    ['etag', undefined, '"a"', 'other_header'],
    ['cache-control', 'no-cache', 'no-store', undefined],
    ['x-powered-by', 'PHP/8.2', undefined, undefined],
    [
      'content-type',
      'application/json; charset=UTF-8',
      'application/json;charset=utf-8',
      undefined,
    ],
    ['content-type', 'text/plain', 'application/json', 'header'],
  ])('finds headers: %s %s %s', (name, old, ours, kind) => {
    const withHeader = (value: string | undefined) =>
      answer({}, value === undefined ? {} : { headers: { [name]: value } })
    expect(compareAnswers(withHeader(old), withHeader(ours)).map((one) => one.kind)).toEqual(
      kind === undefined ? [] : [kind],
    )
  })
})
