import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { eventually } from './eventually.ts'

/** A server of this machine, such as nginx, with a folder of its own. */
export type ServerProgram = { readonly port: number; stop(): Promise<void> }

/** Starts it, and waits until it accepts connections. `stop` removes its folder. */
export async function startServerProgram(
  program: string,
  args: readonly string[],
  { port, folder }: { readonly port: number; readonly folder: string },
): Promise<ServerProgram> {
  const server = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  for (const stream of [server.stdout, server.stderr])
    stream.on('data', (chunk) => {
      output += chunk
    })
  const hasEnded = () => server.exitCode !== null || server.signalCode !== null
  const stop = async () => {
    if (!hasEnded()) {
      server.kill('SIGTERM')
      await once(server, 'exit')
    }
    await rm(folder, { recursive: true, force: true })
  }
  try {
    await eventually(() => (hasEnded() ? undefined : accepts(port)))
    if (hasEnded()) throw new Error(`it ended with ${server.exitCode}`)
  } catch (error) {
    await stop()
    throw new Error(`${program} did not start: ${output}`, { cause: error })
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
