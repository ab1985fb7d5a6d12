import { rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { mkdir, readdir, rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { workOn } from '../../../src/content/work/work.ts'
import { useFront } from '../../support/front.ts'
import { openTestDatabase } from '../../support/open-database.ts'
import { useFolder } from '../../support/use.ts'

const ABOUT = 'http://net.test/shop/about-us/'

let statements = 0
const front = await useFront()
await front.frame(2, 'page', '<h1 data-op-bind="page.title"></h1>')
await front.assign(2, 'page', [3, 4, 5, 6, 7, 10])
front.network.db.statements.on('sent', () => {
  statements += 1
})

const folder = (path: string) => join(front.staticDir, 'net.test/shop', path)

describe('a static copy', () => {
  it('is served without a database statement', async () => {
    // This content exists nowhere else. Compressed forms would contradict it.
    for (const form of ['gz', 'br']) rmSync(join(folder('about-us'), `index.html.${form}`))
    writeFileSync(join(folder('about-us'), 'index.html'), 'from disk')
    statements = 0
    for (const url of [ABOUT, `${ABOUT}?utm_source=x`, ABOUT.replace('net.test', 'NET.test:80')]) {
      const { status, body } = await front.ask(url)
      expect([status, body]).toEqual([200, 'from disk'])
    }
    expect(statements).toBe(0)
    await front.assign(2, 'page', [7])
    expect((await front.ask(ABOUT)).body).toBe('<h1>About us</h1>')
  })

  it('is sent in the smallest form that the client accepts', async () => {
    const as = (accepted: string) => front.ask(ABOUT, { headers: { 'Accept-Encoding': accepted } })
    const plain = await front.ask(ABOUT)
    const gzip = await as('gzip, deflate')
    const brotli = await as('gzip, deflate, br, zstd')
    expect(plain.headers['content-encoding']).toBeUndefined()
    expect(gzip.headers['content-encoding']).toBe('gzip')
    expect(brotli.headers['content-encoding']).toBe('br')
    expect(gunzipSync(gzip.bytes).toString()).toBe(plain.body)
    expect(brotliDecompressSync(brotli.bytes).toString()).toBe(plain.body)
    expect(new Set([plain, gzip, brotli].map(({ headers }) => headers.etag)).size).toBe(3)
    for (const { headers } of [plain, gzip, brotli]) {
      expect(headers.vary).toBe('Accept-Encoding')
      expect(headers['cache-control']).toBe('public, max-age=0, must-revalidate')
      expect(headers['content-type']).toBe('text/html; charset=utf-8')
    }
  })

  it('answers 304 to If-None-Match, and has no body for HEAD', async () => {
    for (const accepted of ['identity', 'gzip', 'br']) {
      const headers = { 'Accept-Encoding': accepted }
      const got = await front.ask(ABOUT, { headers })
      const etag = `${got.headers.etag}`
      for (const tag of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
        const again = await front.ask(ABOUT, { headers: { ...headers, 'If-None-Match': tag } })
        expect([again.status, again.bytes.length, again.headers.etag]).toEqual([304, 0, etag])
      }
      const other = await front.ask(ABOUT, { headers: { ...headers, 'If-None-Match': '"other"' } })
      expect(other.status).toBe(200)
      const head = await front.ask(ABOUT, { method: 'HEAD', headers })
      expect([head.status, head.bytes.length]).toEqual([200, 0])
      expect(head.headers['content-length']).toBe(String(got.bytes.length))
      expect(head.headers.etag).toBe(etag)
    }
  })

  it('is the target of a redirect to its trailing slash, without a database statement', async () => {
    statements = 0
    const { status, headers } = await front.ask('http://net.test/shop/about-us?utm_source=x')
    expect([status, headers.location]).toEqual([301, `${ABOUT}?utm_source=x`])
    expect(statements).toBe(0)
  })

  it('does not hide `?page_id=` at the home URL', async () => {
    const { headers } = await front.ask('http://net.test/shop/?page_id=7')
    expect(headers.location).toBe(ABOUT)
  })

  it('is never stale, whatever replaced it', async () => {
    const copy = join(folder('about-us'), 'index.html')
    for (const form of ['gz', 'br']) rmSync(`${copy}.${form}`)
    for (const text of ['aaaa', 'bbbb', 'cccc']) {
      await writeFile(`${copy}.new`, text)
      await rename(`${copy}.new`, copy)
      for (const accepted of ['', 'gzip', 'br']) {
        const headers = { 'Accept-Encoding': accepted }
        expect((await front.ask(ABOUT, { headers })).body).toBe(text)
      }
    }
    await front.assign(2, 'page', [7])
  })

  it('may be created by hand', async () => {
    await mkdir(folder('maintenance'), { recursive: true })
    await writeFile(join(folder('maintenance'), 'index.html'), 'closed today')
    expect((await front.ask('http://net.test/shop/maintenance/')).body).toBe('closed today')
    expect((await front.ask('http://net.test/shop/maintenance')).status).toBe(404)
  })

  it('is not served under the names of its files', async () => {
    for (const name of ['index.html', 'index.html.gz', 'index.html.br', '.page.json']) {
      expect(await readdir(folder('about-us'))).toContain(name)
      expect((await front.ask(`${ABOUT}${name}`)).status).toBe(404)
    }
    expect((await front.ask('http://net.test/.pages/2/7.json')).status).toBe(404)
  })

  it('is not served through a symbolic link out of the folder', async () => {
    const outside = await useFolder('outside')
    await mkdir(join(outside, 'deep'))
    for (const path of ['', 'deep']) await writeFile(join(outside, path, 'index.html'), 'secret')
    symlinkSync(outside, folder('link'))
    await mkdir(folder('file'))
    symlinkSync(join(outside, 'index.html'), join(folder('file'), 'index.html'))
    for (const path of ['link/', 'link/deep/', 'file/']) {
      const { status, body } = await front.ask(`http://net.test/shop/${path}`)
      expect([path, status, body.includes('secret')]).toEqual([path, 404, false])
    }
  })
})

it('URLs without a trailing slash are served and redirected to without a database statement', async () => {
  const site = await front.network.site(2)
  await front.network.db
    .sql(site.tables.options)
    .where({ option_name: 'permalink_structure' })
    .update({ option_value: '/%postname%' })
  await front.executor.apply(site, { bake: true, work: workOn('settings') })
  statements = 0
  const bare = ABOUT.replace(/\/$/, '')
  expect((await front.ask(bare)).status).toBe(200)
  const { status, headers } = await front.ask(ABOUT)
  expect([status, headers.location]).toEqual([301, bare])
  expect((await front.ask('http://net.test/shop/')).status).toBe(200)
  expect(statements).toBe(0)
})

it('an unreachable database does not affect static copies; other pages answer 503', async () => {
  // No server listens on port 1.
  const db = openTestDatabase({
    url: 'mysql://root@127.0.0.1:1/nothing',
  })
  const away = await useFront({ front: (options) => ({ ...options, db }) })
  await away.frame(2, 'page', '<p>about</p>')
  await away.assign(2, 'page', [7])
  expect(await away.ask(ABOUT)).toMatchObject({ status: 200, body: '<p>about</p>' })
  const { status, headers, body } = await away.ask('http://net.test/shop/legal/')
  expect([status, headers['retry-after'], headers['cache-control']]).toEqual([503, '5', 'no-store'])
  expect(body).toContain('<title>Not available right now</title>')
  await db.close()
})
