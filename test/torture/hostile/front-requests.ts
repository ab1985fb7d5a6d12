import fc from 'fast-check'
import { TEXTS } from './corpus.ts'
import type { Sent } from './exchange.ts'

const text = fc.oneof(fc.constantFrom(...TEXTS), fc.string({ unit: 'binary', maxLength: 20 }))

/** A text for a request line: percent-encoded once or twice, or with forbidden characters replaced. */
const spelling = text
  .map((value) => value.slice(0, 600))
  .chain((value) => {
    const once = value.isWellFormed() ? encodeURIComponent(value) : '%ED%A0%80'
    return fc.constantFrom(once, encodeURIComponent(once), value.replace(/[^\x21-\x7e]/g, '%FF'))
  })

const hosts = fc.oneof(
  fc.constantFrom(
    'net.test',
    'brand.test',
    'NET.TEST',
    'net.test:80',
    'net.test.',
    'localhost',
    '127.0.0.1',
    '[::1]',
  ),
  text.map((value) => value.slice(0, 600).replace(/[^\x21-\x7e]/g, '\u00ff')),
)

/** Requests for pages, from almost valid to absurd. */
export const frontRequests: fc.Arbitrary<Sent> = fc
  .record({
    method: fc.constantFrom('GET', 'GET', 'GET', 'HEAD', 'POST', 'PURGE', 'OPTIONS'),
    names: fc.array(fc.oneof(fc.constantFrom('shop', 'about-us', 'fr', 'team', ''), spelling), {
      maxLength: 5,
    }),
    query: fc.option(fc.tuple(fc.constantFrom('page_id', 'p', 'lang', '__proto__'), spelling)),
    host: hosts,
    headers: fc.record(
      {
        'If-None-Match': fc.constantFrom('*', '"', 'W/"x"', ','.repeat(500)),
        'Accept-Encoding': fc.constantFrom(
          'br',
          'gzip;q=0',
          '*;q=-1',
          ','.repeat(500),
          'x'.repeat(5000),
        ),
        'Accept-Language': fc.constantFrom('fr', 'x'.repeat(5000), ',;q='),
        Cookie: fc.constantFrom('pll_language=fr', 'pll_language=__proto__', '=;=;'),
        Range: fc.constantFrom('bytes=0-', 'bytes=-1', `bytes=${'0-1,'.repeat(500)}`),
      },
      { requiredKeys: [] },
    ),
  })
  .map(({ method, names, query, host, headers }) => ({
    method,
    path: `/${names.join('/')}${query === null ? '' : `?${query.join('=')}`}`,
    headers: { ...headers, Host: host },
  }))
