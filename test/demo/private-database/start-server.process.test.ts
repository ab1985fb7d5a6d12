import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, inject, it, onTestFinished } from 'vitest'
import { startOnFreePort } from '../../../demo/private-database/start-server.ts'

/** Refuses each connection, as a server does that has an account of this name with another password. */
const OTHER_SERVER = `
const text = "#28000Access denied for user 'service'@'127.0.0.1' (using password: YES)"
const packet = Buffer.concat([Buffer.from([text.length + 3, 0, 0, 0, 0xff, 0x15, 0x04]), Buffer.from(text)])
require('node:net').createServer((socket) => socket.end(packet)).listen(process.argv[1], '127.0.0.1')`

/** Passes each connection on to the database server of the run. */
const OWN_SERVER = `
const net = require('node:net')
const [, port, host, target] = process.argv
const pass = (socket) => {
  const server = net.connect(target, host)
  for (const end of [socket, server]) end.on('error', () => {})
  socket.pipe(server).pipe(socket)
}
net.createServer(pass).listen(port, '127.0.0.1')`

it('a server that loses its port to another database server starts on another one', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'wp-frames-start-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const directory = join(folder, 'database')
  const database = new URL(inject('serverUrl'))
  const ports: number[] = []
  const server = await startOnFreePort({
    directory,
    user: database.username,
    password: database.password,
    how: 'a test',
    timeoutSeconds: 30,
    command: (port) => {
      ports.push(port)
      const program = ports.length === 1 ? OTHER_SERVER : OWN_SERVER
      const target = [database.hostname, database.port || '3306']
      return [process.execPath, '-e', program, String(port), ...target]
    },
  })
  onTestFinished(() => server.stop())
  expect(new URL(server.url).port).toBe(String(ports[1]))
  expect(readFileSync(`${directory}.port`, 'utf8')).toBe(String(ports[1]))
})
