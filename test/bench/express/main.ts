/**
 * Express alone with one trivial statement for each request: the least that a framework and a database cost. It sends the service's bytes,
 * which it fetches at the first request of a path. `DELETE /` forgets them.
 * Arguments: port, address of the database, address of the service.
 */
import express from 'express'
import { createPool } from 'mysql2/promise'

type Answer = { readonly status: number; readonly type: string; readonly body: Buffer }

const [port = '', databaseUrl = '', serviceUrl = ''] = process.argv.slice(2)
const pool = createPool({ uri: databaseUrl, connectionLimit: 10 })
const answers = new Map<string, Answer>()

const app = express()
app.disable('x-powered-by')
app.disable('etag')
app.delete('/', (_request, response) => {
  answers.clear()
  response.end()
})
app.use(async (request, response) => {
  const { url, headers } = request
  const answer = answers.get(url) ?? (await fetchAnswer(url, headers.authorization))
  await pool.execute('SELECT 1')
  response.status(answer.status).type(answer.type).send(answer.body)
})
app.listen(Number(port), '127.0.0.1')

async function fetchAnswer(path: string, authorization = ''): Promise<Answer> {
  const response = await fetch(`${serviceUrl}${path}`, { headers: { authorization } })
  const answer = {
    status: response.status,
    type: response.headers.get('content-type') ?? '',
    body: Buffer.from(await response.arrayBuffer()),
  }
  answers.set(path, answer)
  return answer
}
