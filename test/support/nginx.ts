import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { freePort } from './free-port.ts'
import { type ServerProgram, startServerProgram } from './server-program.ts'

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
): Promise<ServerProgram> {
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
  return startServerProgram('nginx', ['-e', 'stderr', '-c', file], { port, folder })
}
