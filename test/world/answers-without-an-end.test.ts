import type { RequestListener, ServerResponse } from 'node:http'
import { constants, createGzip, gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { ComparedSide } from '../../packages/migration/src/commands/compare/compared-side.ts'
import { listen } from '../support/listen.ts'
import { FAST } from '../support/timings.ts'
import { use } from '../support/use.ts'

const MB = 1024 * 1024

/** Writes as long as the connection takes it. */
function endless(sink: NodeJS.WritableStream, response: ServerResponse): void {
  const write = () => {
    while (!response.closed && sink.write(' '.repeat(64 * 1024)));
    if (!response.closed) sink.once('drain', write)
  }
  write()
}

/**
 * The old endpoint of a comparison answers with a small body that is compressed a thousand times, or without an end; and the command took all memory of the machine.
 * Right: RFC 9110, section 17.5: a recipient limits the length of what it processes.
 */
describe('answers without an end', () => {
  const ask = async (answer: RequestListener) => {
    const { port } = await use(listen(answer))
    const address = {
      name: 'the old endpoint',
      option: '--old',
      tokenOption: '--old-token-file',
      url: `http://127.0.0.1:${port}`,
      token: 'op_old',
    }
    const { signal } = new AbortController()
    const side = new ComparedSide(address, signal, FAST.compare, () => {}, MB)
    return side.ask({ kind: 'frames', method: 'GET', path: '/frames', route: 'GET /frames' })
  }

  it.each<[string, RequestListener]>([
    [
      'compressed',
      (_, response) => {
        response.writeHead(200, { 'Content-Encoding': 'gzip' }).end(gzipSync(' '.repeat(MB + 1)))
      },
    ],
    ['endless', (_, response) => endless(response.writeHead(200), response)],
    [
      'both',
      (_, response) => {
        const gzip = createGzip({ level: constants.Z_BEST_SPEED })
        gzip.pipe(response.writeHead(200, { 'Content-Encoding': 'gzip' }))
        endless(gzip, response)
      },
    ],
  ])('are not read to their end: %s', async (_, answer) => {
    await expect(ask(answer)).rejects.toThrow(
      /^the old endpoint does not answer GET .*: the answer is longer than 1 MB\. Check --old/,
    )
  })

  it.each([0, MB])('are not those of %i bytes', async (bytes) => {
    const { body } = await ask((_, response) => {
      response.writeHead(200, { 'Content-Encoding': 'gzip' }).end(gzipSync(' '.repeat(bytes)))
    })
    expect(body).toHaveLength(bytes)
  })
})
