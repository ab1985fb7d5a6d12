import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { useFront } from '../../support/front.ts'
import { useFolder } from '../../support/use.ts'

const base = await useFolder('hostile')
const front = await useFront({ staticDir: join(base, 'static') })
await front.frame(2, 'page', '<p>page</p>')
await front.assign(2, 'page', [3, 7])
// The target of `..`, and a sibling folder.
await mkdir(join(base, 'outside'))
await writeFile(join(base, 'outside', 'index.html'), 'secret')
await writeFile(join(base, 'index.html'), 'secret')

async function statusOf(target: string, host = 'net.test'): Promise<string> {
  const answer = await front.send(
    `GET ${target} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`,
  )
  expect(answer).not.toContain('secret')
  return answer.slice('HTTP/1.1 '.length, 'HTTP/1.1 404'.length)
}

describe('a hostile address', () => {
  it.each([
    '/../',
    '/shop/about-us/../../../../',
    '/%2E%2E/%2e%2e/etc/passwd',
    '/..%2f',
    '/shop/about-us%00.html',
    '/%0d%0aSet-Cookie:x/',
    '/%c0%ae%c0%ae/',
    'http://net.test/shop/about-us/',
  ])('answers 400: %s', async (target) => {
    expect(await statusOf(target)).toBe('400')
  })

  it.each([
    '//evil.test',
    '/.page.json',
    '/.pages/',
    '/%252e%252e/',
    `/${'a'.repeat(300)}/`,
    `/${'a/'.repeat(1000)}`,
    '/shop/%E2%80%AE/',
  ])('answers 404: %s', async (target) => {
    expect(await statusOf(target)).toBe('404')
  })

  it('does not reach a folder beside the copies through the host', async () => {
    for (const host of ['..', '../outside', 'outside', '.', '.pages', 'net.test/shop']) {
      expect(['400', '404']).toContain(await statusOf('/', host))
    }
  })

  it.each(['', 'net.test@evil', 'net.test:x', 'x'.repeat(300)])(
    'is a host like %j: 400',
    async (host) => {
      expect(await statusOf('/shop/about-us/', host)).toBe('400')
    },
  )

  it('is answered whatever it is, and the next request is served', async () => {
    const part = fc.oneof(
      fc.constantFrom(
        '..',
        '%2e',
        '%2f',
        '%00',
        '%',
        '/',
        '//',
        'shop',
        '\\',
        '?',
        '#',
        '.',
        ';',
        '@',
      ),
      fc.string({ unit: 'grapheme-ascii' }).map((text) => text.replace(/[\s]/g, '')),
    )
    const target = fc.array(part, { maxLength: 12 }).map((parts) => `/${parts.join('')}`)
    await fc.assert(
      fc.asyncProperty(target, async (path) => {
        expect(['200', '301', '400', '404']).toContain(await statusOf(path))
      }),
      { numRuns: 300 },
    )
    expect(await statusOf('/shop/about-us/')).toBe('200')
  })
})
