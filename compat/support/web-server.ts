import { closeSync, existsSync, openSync, readFileSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { startGuarded } from '../../demo/private-database/guarded-process.ts'
import { freePort } from '../../test/support/free-port.ts'
import { findProgram } from '../setup/find-program.ts'
import { findPhpFpm, fpmConf } from '../setup/php-fpm.ts'
import { answers } from '../setup/serve-wordpress.ts'

/** The folder of unpacked programs, which stay between runs. */
const DATA = resolve(import.meta.dirname, '../../.data/compat')
const START_TIMEOUT_MS = 30_000

type Server = {
  /** Process id of the shell around it. */
  readonly pid: number
  stop(): Promise<void>
}

/** php-fpm with WordPress's environment. */
export type Fpm = Server & { readonly socket: string }

/**
 * Starts php-fpm.
 * @param folder for its files; short, because a socket's path has at most 107 bytes
 */
export async function startFpm(
  folder: string,
  environment: Readonly<Record<string, string>>,
  workers = 4,
): Promise<Fpm> {
  const { program, modules } = await findPhpFpm(DATA)
  const isRoot = process.getuid?.() === 0
  const file = join(folder, 'php-fpm.conf')
  const socket = join(folder, 'php.sock')
  await writeFile(file, fpmConf({ folder, workers, isRoot, environment }))
  const command = [
    'env',
    `PHP_INI_SCAN_DIR=${modules}`,
    program,
    '--fpm-config',
    file,
    ...(isRoot ? ['-R'] : []),
  ]
  const log = join(folder, 'php-fpm-output.log')
  const server = await start('php-fpm', command, log, async () => existsSync(socket))
  return { ...server, socket }
}

type Headers = Readonly<Record<string, string | string[] | undefined>>

type WebAnswer = {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

/** A real nginx. */
export type Nginx = Server & {
  readonly url: string
  /**
   * Requests a path exactly as written.
   * @param headers `Host` is the host of the network, unless it is one of these
   */
  ask(path: string, asked?: WebRequest): Promise<WebAnswer>
}

export type WebRequest = {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string
}

/**
 * Starts nginx with a configuration for its context `http`.
 * @param configure gets the address to listen at, and returns the configuration
 */
export async function startNginx(
  folder: string,
  configure: (listen: string) => string,
): Promise<Nginx> {
  const program = await findProgram('nginx', 'nginx', DATA)
  await mkdir(folder, { recursive: true })
  const port = await freePort()
  const file = join(folder, 'nginx.conf')
  await writeFile(join(folder, 'fastcgi_params'), FASTCGI_PARAMS)
  await writeFile(file, nginxConf(folder, configure(`127.0.0.1:${port}`)))
  const errors = join(folder, 'nginx-error.log')
  const command = [program, '-e', errors, '-c', file]
  const url = `http://127.0.0.1:${port}`
  const server = await start('nginx', command, errors, () => answers(`${url}/nginx-is-ready`))
  return { ...server, url, ask: (path, asked) => askPort(port, path, asked) }
}

function nginxConf(folder: string, http: string): string {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
  return `
daemon off;
${process.getuid?.() === 0 ? 'user root;' : ''}
worker_processes auto;
pid ${folder}/nginx.pid;
events {}
http {
  access_log off;
  types { text/html html; text/css css; text/javascript js; image/png png; }
  ${temporary.map((name) => `${name}_temp_path ${folder}/nginx-${name};`).join('\n  ')}
  ${http}
}
`
}

/** As in nginx's package. */
const FASTCGI_PARAMS = `
fastcgi_param QUERY_STRING $query_string;
fastcgi_param REQUEST_METHOD $request_method;
fastcgi_param CONTENT_TYPE $content_type;
fastcgi_param CONTENT_LENGTH $content_length;
fastcgi_param SCRIPT_NAME $fastcgi_script_name;
fastcgi_param REQUEST_URI $request_uri;
fastcgi_param DOCUMENT_URI $document_uri;
fastcgi_param DOCUMENT_ROOT $document_root;
fastcgi_param SERVER_PROTOCOL $server_protocol;
fastcgi_param REQUEST_SCHEME $scheme;
fastcgi_param GATEWAY_INTERFACE CGI/1.1;
fastcgi_param SERVER_SOFTWARE nginx;
fastcgi_param REMOTE_ADDR $remote_addr;
fastcgi_param REMOTE_PORT $remote_port;
fastcgi_param SERVER_ADDR $server_addr;
fastcgi_param SERVER_PORT $server_port;
fastcgi_param SERVER_NAME $server_name;
fastcgi_param REDIRECT_STATUS 200;
`

async function start(
  name: string,
  command: readonly string[],
  log: string,
  isReady: () => Promise<boolean>,
): Promise<Server> {
  const output = openSync(log, 'a')
  const server = startGuarded(command, { output })
  closeSync(output)
  let hasEnded = false
  void server.exited.then(() => {
    hasEnded = true
  })
  for (const begin = Date.now(); !(await isReady()); await sleep(50)) {
    if (!hasEnded && Date.now() - begin < START_TIMEOUT_MS) continue
    await server.stop()
    throw new Error(`${name} did not start: ${readFileSync(log, 'utf8').slice(-2000)}`)
  }
  return { pid: server.pid, stop: () => server.stop() }
}

function askPort(
  port: number,
  path: string,
  { method = 'GET', headers = {}, body }: WebRequest = {},
): Promise<WebAnswer> {
  return new Promise((done, failed) => {
    const sent = request(
      { host: '127.0.0.1', port, method, path, headers: { Host: 'net.test', ...headers } },
      async (response) => {
        const chunks: Buffer[] = []
        for await (const chunk of response) chunks.push(chunk)
        const text = Buffer.concat(chunks).toString()
        done({ status: response.statusCode ?? 0, headers: response.headers, text })
      },
    )
    sent.on('error', failed)
    sent.end(body)
  })
}
