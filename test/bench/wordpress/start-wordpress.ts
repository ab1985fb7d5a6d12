import { mkdirSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { Redis } from 'ioredis'
import { wordpressEnvironment } from '../../../compat/setup/serve-wordpress.ts'
import { startFpm, startNginx } from '../../../compat/support/web-server.ts'
import { startRedis } from '../../support/redis.ts'
import type { Contender } from '../contender.ts'
import { processTree } from '../load/process-figures.ts'
import type { BenchDatabase } from '../setup/open-database.ts'
import type { Undo } from '../setup/undo.ts'

/** Two workers per CPU: more would only wait for one another. */
export const FPM_WORKERS = availableParallelism() * 2

/** Starts WordPress behind its own nginx and php-fpm, with or without an object cache in its own Redis. */
export async function startWordPress(
  name: 'wordpress' | 'cached',
  root: string,
  { url, site, token }: BenchDatabase,
  runFolder: string,
  undo: Undo,
): Promise<Contender> {
  const folder = join(runFolder, name)
  mkdirSync(folder)
  const cache = name === 'cached' ? await startCache(undo) : undefined
  const environment = {
    ...wordpressEnvironment(url),
    COMPAT_DEBUG: '0',
    ...(cache ? { COMPAT_CACHE_URL: cache.url } : {}),
  }
  const php = await startFpm(folder, environment, FPM_WORKERS)
  undo.add(() => php.stop())
  const web = await startNginx(folder, (listen) => nginxConf(listen, php.socket, root))
  undo.add(() => web.stop())
  const address = `${web.url}${site.path.slice(0, -1)}`
  return {
    name,
    apiUrl: `${address}/wp-json/svc/v1`,
    frontUrl: address,
    headers: { authorization: `Bearer ${token}`, host: site.domain },
    processes: () => [...processTree(php.pid), ...processTree(web.pid)],
    ...(cache ? { clearCache: cache.empty } : {}),
  }
}

/** nginx passes every request to WordPress, because there are no files to send. */
const nginxConf = (listen: string, socket: string, root: string): string => `
  client_max_body_size 16m;
  keepalive_requests 1000000;
  server {
    listen ${listen};
    location / {
      fastcgi_pass unix:${socket};
      fastcgi_buffers 256 16k;
      fastcgi_read_timeout 600s;
      fastcgi_param SCRIPT_FILENAME ${root}/index.php;
      fastcgi_param SCRIPT_NAME /index.php;
      fastcgi_param DOCUMENT_ROOT ${root};
      fastcgi_param REQUEST_METHOD $request_method;
      fastcgi_param REQUEST_URI $request_uri;
      fastcgi_param QUERY_STRING $query_string;
      fastcgi_param CONTENT_TYPE $content_type;
      fastcgi_param CONTENT_LENGTH $content_length;
      fastcgi_param SERVER_PROTOCOL $server_protocol;
      fastcgi_param SERVER_NAME $host;
      fastcgi_param SERVER_PORT 80;
      fastcgi_param REMOTE_ADDR $remote_addr;
    }
  }`

/** Starts a Redis for WordPress's object cache. */
async function startCache(undo: Undo) {
  const { url, stop } = await startRedis()
  undo.add(stop)
  const client = new Redis(url)
  undo.add(() => client.disconnect())
  return { url, empty: async () => void (await client.flushall()) }
}
