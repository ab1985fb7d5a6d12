/**
 * A TCP proxy of MariaDB or MySQL that delays each direction and counts round trips, in a process of its own so that its work delays no contender.
 * Over HTTP it answers with the number of round trips: of answers that the server has begun to send after commands of clients.
 * Arguments: port, port of the HTTP server, host and port of the database, delay of each direction in milliseconds.
 */
import { createServer as createHttpServer } from 'node:http'
import { connect, createServer, type Socket } from 'node:net'
import { DelayLine } from './delay-line.ts'

/** Sequence number of the first packet of a command. Packets of the handshake have others. */
const FIRST = 0
/** Position of the sequence number in a packet, after its length. */
const SEQUENCE = 3

const [port = '', countPort = '', host = '', databasePort = '', delayMs = ''] =
  process.argv.slice(2)
/** All connections share it. */
const delay = new DelayLine(Number(delayMs))
let roundTrips = 0

const proxy = createServer({ allowHalfOpen: true, noDelay: true }, (client) => {
  const target = { host, port: Number(databasePort), allowHalfOpen: true, noDelay: true }
  const server = connect(target)
  let isAsked = false
  client.on('data', (chunk) => {
    isAsked ||= chunk[SEQUENCE] === FIRST
  })
  server.on('data', () => {
    if (isAsked) roundTrips += 1
    isAsked = false
  })
  forward(client, server)
  forward(server, client)
})

function forward(from: Socket, to: Socket): void {
  const later = (step: () => void): void =>
    delay.after(() => {
      if (!to.destroyed) step()
    })
  from.on('data', (chunk) => later(() => to.write(chunk)))
  from.on('end', () => later(() => to.end()))
  from.on('close', () => later(() => to.destroy()))
  // A reset closes both sides.
  from.on('error', () => {})
}

proxy.listen(Number(port), '127.0.0.1', () => {
  const count = createHttpServer((_request, response) => response.end(String(roundTrips)))
  count.listen(Number(countPort), '127.0.0.1')
})
