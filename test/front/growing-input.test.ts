import { expect, it } from 'vitest'
import { acceptedCoding } from '../../src/front/serve-copy.ts'
import { isPurged } from '../../src/publishing/purgers/purge-addresses.ts'
import { parseAddress, parseUrl } from '../../src/wordpress/permalinks/address.ts'
import {
  endAddress,
  type LinkSettings,
  permalinkStructure,
} from '../../src/wordpress/permalinks/link-settings.ts'
import { homeUrl } from '../../src/wordpress/permalinks/urls.ts'

const N = 300_000
const slashes = `http://x.test${'/'.repeat(N)}a`

/** The domain of a language, as a site administrator may set it. */
const onDomain = (domain: string) =>
  ({
    home: 'http://net.test',
    structure: permalinkStructure('/%postname%/'),
    front: { id: 0, page: undefined, translations: new Map() },
    languages: {
      default: 'en',
      list: [],
      settings: { forceLang: 3, domains: new Map([['fr', domain]]) },
    },
  }) as unknown as LinkSettings

/** Quadratic algorithms take minutes with these inputs. */
it.each<[string, () => unknown]>([
  ['the domain of a language', () => homeUrl(onDomain(slashes), 'fr')],
  ['endAddress of a URL', () => endAddress(permalinkStructure('/%postname%/'), slashes)],
  ['isPurged of a URL', () => isPurged(slashes, 'x.test', '/a')],
  ['parseUrl of a URL', () => parseUrl(slashes)],
  ['a host', () => parseAddress(`${'a.'.repeat(N)}:80:80`, '/')],
  ['codings', () => acceptedCoding(`${' ,;q= '.repeat(N)}`, { has: () => true })],
])('%s takes time that grows with its length', (_what, read) => {
  const begun = performance.now()
  read()
  expect(performance.now() - begun).toBeLessThan(10_000)
})
