import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { eventually } from './eventually.ts'
import { freePort } from './free-port.ts'

/** A running nginx. */
export type NginxServer = { readonly port: number; stop(): Promise<void> }

/** A configuration that operators include in the context `http` of nginx: a file of `ops/nginx/`. */
export async function readNginxFile(name: string): Promise<string> {
  return readFile(resolve(import.meta.dirname, '../../ops/nginx', name), 'utf8')
}

/**
 * Starts nginx with a configuration of its context `http`.
 * @param configure gets the address to listen at
 */
export async function startNginxServer(
  configure: (listen: string) => string,
): Promise<NginxServer> {
  const folder = await mkdtemp(join(tmpdir(), 'wp-frames-nginx-'))
  const port = await freePort()
  const file = join(folder, 'nginx.conf')
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
  const lines = [
    'daemon off;',
    process.getuid?.() === 0 ? 'user root;' : '',
    'worker_processes 1;',
    `pid ${join(folder, 'pid')};`,
    'events {}',
    'http {',
    'access_log off;',
    ...temporary.map((name) => `${name}_temp_path ${join(folder, name)};`),
    configure(`127.0.0.1:${port}`),
    '}',
  ]
  await writeFile(file, lines.join('\n'))
  const nginx = spawn('nginx', ['-e', 'stderr', '-c', file], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let output = ''
  nginx.stderr.on('data', (chunk) => {
    output += chunk
  })
  const stop = async () => {
    if (nginx.exitCode === null && nginx.signalCode === null) {
      nginx.kill('SIGTERM')
      await once(nginx, 'exit')
    }
    await rm(folder, { recursive: true, force: true })
  }
  try {
    await eventually(() => {
      if (nginx.exitCode !== null) return
      return accepts(port)
    })
    if (nginx.exitCode !== null) throw new Error(`it ended with ${nginx.exitCode}`)
  } catch (error) {
    await stop()
    throw new Error(`nginx did not start: ${output}`, { cause: error })
  }
  return { port, stop }
}

const accepts = (port: number) =>
  new Promise<void>((done, failed) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy()
      done()
    })
    socket.on('error', failed)
  })
