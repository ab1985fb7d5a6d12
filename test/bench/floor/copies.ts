import { readFile, stat } from 'node:fs/promises'
import type { ServerResponse } from 'node:http'

const cached = new Map<string, { readonly mtimeMs: number; readonly bytes: Buffer }>()

/** A page's static copy, from memory while the file is unchanged. */
export async function answerCopy(
  response: ServerResponse,
  staticDir: string,
  host: string,
  path: string,
): Promise<void> {
  const file = `${staticDir}/${host}${path}index.html`
  const stats = await stat(file).catch(() => undefined)
  if (!stats) {
    response.writeHead(404).end()
    return
  }
  let copy = cached.get(file)
  if (copy?.mtimeMs !== stats.mtimeMs) {
    copy = { mtimeMs: stats.mtimeMs, bytes: await readFile(file) }
    cached.set(file, copy)
  }
  response.writeHead(200, {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Length': copy.bytes.length,
  })
  response.end(copy.bytes)
}
