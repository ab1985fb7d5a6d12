import type { Request } from 'express'
import { describe, expect, it } from 'vitest'
import { preconditionOf } from '../../src/api/entity-tag.ts'
import { redactTokens } from '../../src/api/request-log.ts'
import { MAX_DOMAIN_LENGTH, siteChoiceOfSelector } from '../../src/api/site-choice.ts'
import { tokenOf } from '../../src/api/token-of-request.ts'

/** Far longer than a header may be: a quadratic function takes minutes, a linear one milliseconds. */
const LENGTH = 300_000
const MOST_MS = 3000

const requestOf = (value: string): Request => {
  const get = () => value
  return { method: 'PUT', get } as unknown as Request
}
const fill = (part: string): string => part.repeat(LENGTH / part.length)

/** Texts on which overlapping patterns backtrack at each character. */
const TEXTS = [
  '"',
  'W/',
  'W/"',
  '""',
  '"a",',
  '","',
  'W/W/"',
  '"a',
  ' ',
  'Bearer ',
  'op_',
  'op_a',
  'a',
  '%',
  '%25',
  '%5',
  '%6f%70%5f',
  '/',
  'a/',
  '//',
  '.',
  '[',
  '1',
]

describe.each<[string, (text: string) => unknown]>([
  ['If-Match', (text) => preconditionOf(requestOf(text))],
  ['If-Match after a quote', (text) => preconditionOf(requestOf(`"${text}`))],
  ['Authorization', (text) => tokenOf(requestOf(text))],
  ['Authorization after its scheme', (text) => tokenOf(requestOf(`Bearer${text}\n`))],
  ['a path in the log', (text) => redactTokens(text)],
  ['a path in the log that ends within a character', (text) => redactTokens(`${text}%c3`)],
  ['domain', (text) => ignore(() => siteChoiceOfSelector({ by: 'domain', value: text }))],
  [
    'domain with a space',
    (text) => ignore(() => siteChoiceOfSelector({ by: 'domain', value: `${text} x` })),
  ],
  ['blog_id', (text) => ignore(() => siteChoiceOfSelector({ by: 'blog_id', value: text }))],
])('%s is parsed in linear time', (_what, read) => {
  it.each(TEXTS)('%j', (part) => {
    const begun = performance.now()
    read(fill(part))
    expect(performance.now() - begun).toBeLessThan(MOST_MS)
  })
})

const ignore = (work: () => unknown): void => {
  try {
    work()
  } catch {}
}

describe('a domain', () => {
  it.each([
    ['too long', 'x'.repeat(MAX_DOMAIN_LENGTH + 1)],
    ['a list in a list, very often', JSON.parse('['.repeat(100_000) + ']'.repeat(100_000))],
    ['an object', {}],
    ['null', null],
  ])('is rejected: %s', (_name, value) => {
    expect(() => siteChoiceOfSelector({ by: 'domain', value })).toThrow(
      expect.objectContaining({ code: 'rest_invalid_param' }),
    )
  })
})
