import type { Injury } from './injury.ts'

/** The server's process is killed, and started again after a while. */
export const crash: Injury = {
  name: 'the server is killed and started again',
  inflict: async ({ server }) => {
    await server.kill()
    return async () => {
      await server.start()
      return undefined
    }
  },
}

/** The server is shut down in the midst of work, as for an upgrade. */
export const restart: Injury = {
  name: 'the server is shut down and started again',
  inflict: async ({ server }) => {
    await server.stop()
    return async () => {
      await server.start()
      return undefined
    }
  },
}

/** The server's process stands still, as one whose host has vanished: it takes connections and answers nothing, for longer than anybody may wait. */
export const freeze: Injury = {
  name: 'the server falls silent',
  lasts: 42_000,
  takesLong: true,
  inflict: async ({ server }) => {
    server.signal('SIGSTOP')
    return async () => {
      server.signal('SIGCONT')
      return undefined
    }
  },
}
