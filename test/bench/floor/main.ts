/**
 * The floor: a bare server that answers reads with the service's bytes and the fewest statements, and stores the service's rows of a write in the
 * fewest round trips. It implements only the measured requests, for a site without languages and for authorized callers. It caches only what the service may cache too.
 * Arguments: port, address of the database, folder of the static copies.
 */
import { createServer, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { createPool } from 'mysql2/promise'
import { authorize } from './authorize.ts'
import { answerCopy } from './copies.ts'
import { getFrame, listFrames } from './frames.ts'
import { listMenus, readMenu } from './menus.ts'
import { putFrame } from './put-frame.ts'
import type { Scope } from './scope.ts'

const [port = '', databaseUrl = '', staticDir = ''] = process.argv.slice(2)
const settings = { uri: databaseUrl, connectionLimit: 10, charset: 'utf8mb4' }
const pool = createPool(settings)
/** Writes send several statements in a packet. */
const writePool = createPool({ ...settings, multipleStatements: true })

const server = createServer(async (request, response) => {
  const { url = '/', method, headers } = request
  try {
    const [, blogId, path = ''] = /^\/site\/(\d+)(\/.*)$/.exec(url) ?? []
    if (blogId === undefined) {
      await answerCopy(response, staticDir, headers.host ?? '', url)
      return
    }
    const isWrite = method === 'PUT'
    const [scope, sent] = await Promise.all([
      authorize(isWrite ? writePool : pool, Number(blogId), headers.authorization ?? '', isWrite),
      isWrite ? text(request) : '',
    ])
    if (!scope) return end(response, 401, '')
    const body = await (isWrite ? answerWrite(scope, path, sent) : answer(scope, path))
    end(response, body === undefined ? 404 : 200, JSON.stringify(body ?? noRoute(url)))
  } catch (error) {
    console.error(error)
    end(response, 500, '')
  }
})
server.listen(Number(port), '127.0.0.1')

function answer(scope: Scope, path: string): Promise<object> | undefined {
  const [, location] = /^\/data\/menu\.(\w+)$/.exec(path) ?? []
  if (location !== undefined) return readMenu(scope, location)
  if (path === '/menus') return listMenus(scope)
  if (path === '/frames') return listFrames(scope)
  const [, ref] = /^\/frames\/([\w-]+)$/.exec(path) ?? []
  return ref === undefined ? undefined : getFrame(scope, ref)
}

function answerWrite(scope: Scope, path: string, sent: string): Promise<object> | undefined {
  const [, ref] = /^\/frames\/([\w-]+)$/.exec(path) ?? []
  return ref === undefined ? undefined : putFrame(scope, ref, JSON.parse(sent).html)
}

const noRoute = (path: string) => ({
  code: 'rest_no_route',
  message: `There is no endpoint GET ${path}. Check the method and the path.`,
  data: { status: 404 },
})

function end(response: ServerResponse, status: number, body: string): void {
  const bytes = Buffer.from(body)
  response.writeHead(status, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': bytes.length,
  })
  response.end(bytes)
}
