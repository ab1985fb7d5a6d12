import type { Disruption } from './disruption.ts'

/** Kills the server's process and starts it again after a while. */
export const crash: Disruption = {
  name: 'the server is killed and restarted',
  inflict: async ({ server }) => {
    await server.kill()
    return async () => {
      await server.start()
      return undefined
    }
  },
}

/** Shuts the server down under load, as for an upgrade. */
export const restart: Disruption = {
  name: 'the server is shut down and restarted',
  inflict: async ({ server }) => {
    await server.stop()
    return async () => {
      await server.start()
      return undefined
    }
  },
}

/** Suspends the server's process, as if its host had disappeared: it accepts connections and answers nothing, for longer than any timeout. */
export const freeze: Disruption = {
  name: 'the server stops answering',
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
