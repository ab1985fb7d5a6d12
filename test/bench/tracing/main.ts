/** Measures what the spans of a write cost without an SDK, beside the write of a frame over HTTP. */
import { mkdtempSync, rmSync } from 'node:fs'
import { type IncomingMessage, ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inSpan, traceIds, traceRequest } from '../../../src/host/trace.ts'
import { openBenchDatabase } from '../setup/open-database.ts'
import { buildService, startService } from '../setup/start-service.ts'
import { Undo } from '../setup/undo.ts'

const ROUNDS = 200_000
const WRITES = 500
const WARM_UP = 100

/** What the trace of one write does: the spans of the request, write, claim, bake and publication, and two log lines. */
async function traceWrite(request: IncomingMessage, response: ServerResponse): Promise<void> {
  let done = Promise.resolve()
  traceRequest('api', false, request, response, () => {
    done = inSpan('write', { attributes: { 'wp_frames.site': 1 } }, async () => {})
  })
  await done
  await inSpan('claim', { attributes: { 'wp_frames.rows': 1 } }, async () => {
    await inSpan('bake', {}, async () => {})
    await inSpan('publish', { attributes: { 'wp_frames.pages': 1 } }, async () => {})
  })
  traceIds()
  traceIds()
}

/** @returns microseconds of one */
async function measureTrace(): Promise<number> {
  const request = { method: 'PUT', headers: {} } as IncomingMessage
  const response = new ServerResponse(request)
  const run = async () => {
    const begin = performance.now()
    for (let round = 0; round < ROUNDS; round += 1) await traceWrite(request, response)
    return ((performance.now() - begin) / ROUNDS) * 1000
  }
  await run()
  return run()
}

/** @returns the median of writes of a frame that is on no page, one after the other, in microseconds */
async function measureWrites(undo: Undo): Promise<number> {
  const folder = mkdtempSync(join(tmpdir(), 'wp-frames-tracing-'))
  undo.add(() => rmSync(folder, { recursive: true, force: true }))
  buildService()
  const database = await openBenchDatabase(folder, undo)
  const { apiUrl, headers } = await startService(database, folder, undo)
  const send = async (method: string, path: string, body: object) => {
    const response = await fetch(`${apiUrl}${path}`, {
      method,
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    if (!response.ok) throw new Error(`${response.status} ${await response.text()}`)
    await response.arrayBuffer()
  }
  await send('POST', '/frames', { slug: 'traced', html: '<i></i>' })
  const took: number[] = []
  for (let write = -WARM_UP; write < WRITES; write += 1) {
    const begin = performance.now()
    await send('PUT', '/frames/traced', { html: `<p>${write}</p>` })
    if (write >= 0) took.push((performance.now() - begin) * 1000)
  }
  return took.toSorted((one, other) => one - other)[WRITES / 2] ?? 0
}

const undo = new Undo()
try {
  const [trace, write] = [await measureTrace(), await measureWrites(undo)]
  console.log(`five spans without an SDK: ${trace.toFixed(2)} µs`)
  console.log(`a write of a frame, median: ${write.toFixed(0)} µs`)
  console.log(`share: ${((trace / write) * 100).toFixed(2)} %`)
} finally {
  await undo.run()
}
