/**
 * The proxy between the contenders and the database, in a process of its own so that its work delays no contender. Over HTTP it answers with the
 * number of round trips.
 * Arguments: port, port of the HTTP server, host and port of the database, delay of each direction in milliseconds.
 */
import { createServer } from 'node:http'
import { DatabaseProxy } from './database-proxy.ts'
import { DelayLine } from './delay-line.ts'

const [port = '', countPort = '', host = '', databasePort = '', delayMs = ''] =
  process.argv.slice(2)
const target = { host, port: Number(databasePort) }
const proxy = new DatabaseProxy(target, new DelayLine(Number(delayMs)))
proxy.server.listen(Number(port), '127.0.0.1', () => {
  const count = createServer((_request, response) => response.end(String(proxy.roundTrips)))
  count.listen(Number(countPort), '127.0.0.1')
})
