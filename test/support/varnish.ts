import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eventually } from './eventually.ts'

/** A Varnish server in front of the front. */
export type Varnish = { readonly port: number; stop(): Promise<void> }

/**
 * Starts Varnish with a VCL that operators use.
 * @param name a file of `ops/varnish/`
 * @param ports that of the front, and its own
 */
export async function startVarnish(
  name: string,
  { backend, port }: { readonly backend: number; readonly port: number },
): Promise<Varnish> {
  const vcl = readFileSync(join(import.meta.dirname, '../../ops/varnish', name), 'utf8')
  const folder = await mkdtemp(join(tmpdir(), 'wp-frames-varnish-'))
  const file = join(folder, 'front.vcl')
  await writeFile(file, vcl.replace('.port = "8081"', `.port = "${backend}"`))
  const options = ['-F', '-j', 'none', '-n', join(folder, 'work'), '-f', file]
  const varnish = spawn(
    'varnishd',
    [...options, '-a', `127.0.0.1:${port}`, '-s', 'malloc,16m', '-p', 'thread_pools=1'],
    { stdio: ['ignore', 'pipe', 'pipe'] },
  )
  let output = ''
  for (const stream of [varnish.stdout, varnish.stderr])
    stream.on('data', (chunk) => {
      output += chunk
    })
  const stop = async () => {
    await end(varnish)
    await rm(folder, { recursive: true, force: true })
  }
  try {
    await eventually(() => answers(port))
  } catch (error) {
    await stop()
    throw new Error(`Varnish did not start: ${output}`, { cause: error })
  }
  return { port, stop }
}

const answers = (port: number) =>
  new Promise<void>((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy()
      resolve()
    })
    socket.on('error', reject)
  })

async function end(varnish: ChildProcess): Promise<void> {
  if (varnish.exitCode !== null || varnish.signalCode !== null) return
  varnish.kill('SIGTERM')
  await once(varnish, 'exit')
}
