import { readFileSync } from 'node:fs'
import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ServerProgram, startServerProgram } from './server-program.ts'

/**
 * Starts Varnish with a VCL that operators use.
 * @param name a file of `ops/varnish/`
 * @param ports that of the front, and its own
 */
export async function startVarnish(
  name: string,
  { backend, port }: { readonly backend: number; readonly port: number },
): Promise<ServerProgram> {
  const vcl = readFileSync(join(import.meta.dirname, '../../ops/varnish', name), 'utf8')
  const folder = await mkdtemp(join(tmpdir(), 'wp-frames-varnish-'))
  const file = join(folder, 'front.vcl')
  await writeFile(file, vcl.replace('.port = "8081"', `.port = "${backend}"`))
  const options = ['-F', '-j', 'none', '-n', join(folder, 'work'), '-f', file]
  const own = ['-a', `127.0.0.1:${port}`, '-s', 'malloc,16m', '-p', 'thread_pools=1']
  return startServerProgram('varnishd', [...options, ...own], { port, folder })
}
