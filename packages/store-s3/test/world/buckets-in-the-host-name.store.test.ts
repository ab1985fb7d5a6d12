import dns from 'node:dns'
import { request } from 'node:http'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { parseStoreAddress } from '../../../../src/host/config/store-address.ts'
import { shown } from '../../../../test/build/publishing/publishing-fixture.ts'
import { listen } from '../../../../test/support/listen.ts'
import { use } from '../../../../test/support/use.ts'
import { assertUsable, useStore } from '../store-fixture.ts'

type Lookup = (host: string, ...more: readonly unknown[]) => void

/**
 * Stores that have no buckets in the path: Alibaba OSS answers `403 SecondLevelDomainForbidden`, Tencent COS `403 PathStyleDomainForbidden`.
 * Right: the virtual-hosted style of the S3 protocol, `<bucket>.<host>/<key>`, as the documentation of these stores demands it.
 */
describe('buckets in the host name', async () => {
  const { server, open, publish, keys } = await useStore()
  const lookup = dns.lookup as unknown as Lookup
  const resolve: Lookup = (host, ...more) =>
    lookup(host.endsWith('oss.example') ? '127.0.0.1' : host, ...more)
  const toLoopback = vi
    .spyOn(dns, 'lookup')
    .mockImplementation(resolve as unknown as typeof dns.lookup)
  afterAll(() => toLoopback.mockRestore())
  const seen: string[] = []
  const { hostname, port } = new URL(server.endpoint)
  const store = await use(
    listen((asked, answer) => {
      const { method, url = '', headers } = asked
      seen.push(`${headers.host} ${url.split('?')[0]}`)
      const bucket = /^([a-z]+)\.oss\.example:\d+$/.exec(headers.host ?? '')?.[1]
      if (bucket === undefined) {
        const reason =
          'The bucket you are attempting to access must be addressed using OSS third level domain.'
        answer.writeHead(403, { 'Content-Type': 'application/xml' })
        answer.end(
          `<Error><Code>SecondLevelDomainForbidden</Code><Message>${reason}</Message></Error>`,
        )
        return
      }
      const onward = request(
        {
          hostname,
          port,
          method,
          path: `/${bucket}${url}`,
          headers: { ...headers, host: hostname },
        },
        (response) => {
          answer.writeHead(response.statusCode ?? 500, response.headers)
          response.pipe(answer)
        },
      )
      asked.pipe(onward)
    }).then(({ port: own, close }) => ({ port: own, stop: close })),
  )

  it.each([
    ['the address of the store', 'oss.example'],
    ['the address of the bucket', 'copies.oss.example'],
  ])('with style=virtual and %s as the endpoint, pages are published', async (_, host) => {
    seen.length = 0
    const prefix = host.split('.')[0] ?? ''
    const copies = open(
      `s3://copies/${prefix}`,
      `http://${host}:${store.port}`,
      '&style=virtual&region=oss-cn-hangzhou',
    )
    await assertUsable(copies)
    await publish(copies, [shown(7, 'about-us/', '<p>one</p>')])
    await copies.close()
    expect(await keys()).toContain(`${prefix}/net.test/shop/about-us/index.html`)
    expect(new Set(seen.map((one) => one.split(' ')[0]))).toEqual(
      new Set([`copies.oss.example:${store.port}`]),
    )
  })

  it.each(['', '&style=path'])('without it (%j), the message says what to set', async (style) => {
    const copies = open('s3://copies/live', `http://oss.example:${store.port}`, style)
    const at = `http://oss.example:${store.port}`
    await expect(assertUsable(copies)).rejects.toThrow(
      `the store at ${at} wants the bucket in the host name (SecondLevelDomainForbidden: "The bucket you are attempting to access must be addressed using OSS third level domain"). Set style=virtual in STATIC_TARGET`,
    )
    await copies.close()
  })

  it.each([
    ['s3://pages/live', 'https://pages.s3.us-east-1.amazonaws.com/'],
    ['s3://pages/live?style=path', 'https://s3.us-east-1.amazonaws.com/pages/'],
    ['s3://pages.eu?style=virtual', 'https://pages.eu.s3.us-east-1.amazonaws.com/'],
    ['s3://pages?endpoint=https://s3.example.net', 'https://s3.example.net/pages/'],
    ['s3://pages?endpoint=https://s3.example.net&style=virtual', 'https://pages.s3.example.net/'],
    [
      's3://pages?endpoint=https://example.net:9000/gateway/&style=virtual',
      'https://pages.example.net:9000/gateway/',
    ],
    ['s3://minio?endpoint=https://minio.example.net', 'https://minio.example.net/minio/'],
  ])('%s', (setting, baseUrl) => {
    expect(parseStoreAddress(setting)).toMatchObject({ baseUrl })
  })

  it.each([
    ['s3://pages?endpoint=http://127.0.0.1:9000&style=virtual', 'use a host name'],
    ['s3://pages?endpoint=http://[::1]:9000&style=virtual', 'use a host name'],
    ['s3://pages?style=hosted', 'known are virtual'],
    ['s3://pages?style=', 'known are virtual'],
  ])('refuses %s', (setting, problem) => {
    expect(parseStoreAddress(setting)).toContain(problem)
  })
})
