import { listen } from './listen.ts'

/** A page cache that accepts PURGE and records the requests. */
export type PageCache = Awaited<ReturnType<typeof startPageCache>>

/** @param answer the status for a path; undefined leaves the request unanswered */
export async function startPageCache(answer: (path: string) => number | undefined = () => 200) {
  const purged: string[] = []
  let open = 0
  let mostAtOnce = 0
  const server = await listen(async (request, response) => {
    open += 1
    mostAtOnce = Math.max(mostAtOnce, open)
    response.on('close', () => {
      open -= 1
    })
    const { method, url = '', headers } = request
    purged.push(`${method} ${headers.host}${url}`)
    const status = answer(url)
    if (status === undefined) return
    await new Promise((resolve) => setImmediate(resolve))
    response.writeHead(status).end('<html>done</html>')
  })
  return {
    base: `http://127.0.0.1:${server.port}`,
    /** Host and path of each PURGE, in order. */
    purged,
    /** The largest number of requests that were open at the same time. */
    get mostAtOnce() {
      return mostAtOnce
    },
    stop: () => server.close(),
  }
}
