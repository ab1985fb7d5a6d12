import type { LookupAddress } from 'node:dns'
import { Resolver } from 'node:dns/promises'
import { LRUCache } from 'lru-cache'
import { KeyedMutex } from '../concurrency/keyed-mutex.ts'
import type { Timings } from '../timings.ts'

/** Names whose lookup has failed that are remembered. */
const MAX_FAILED_NAMES = 1000

type ReceiverNamesOptions = {
  readonly timings: Pick<Timings['webhooks'], 'lookupMs' | 'failedNameMs'>
  /** Addresses with ports [those of the system] */
  readonly nameServers?: readonly string[] | undefined
}

/**
 * Asks the name servers for the addresses of receivers. The process does this itself: a silent name server would occupy the threads of the system's lookups, for which all
 * others wait. One site has one lookup at a time, so that its silent names do not become hundreds of open questions.
 */
export class ReceiverNames {
  readonly #options: ReceiverNamesOptions
  readonly #lookups = new KeyedMutex()
  readonly #failed: LRUCache<string, Error>
  readonly #asking = new Set<Resolver>()
  #isClosed = false

  constructor(options: ReceiverNamesOptions) {
    this.#options = options
    this.#failed = new LRUCache({ max: MAX_FAILED_NAMES, ttl: options.timings.failedNameMs })
  }

  /**
   * The addresses of a name.
   * @param blogId the site of the webhook; 0 for the network
   * @param signal ends the lookup
   * @throws the error of the name server, also that of a lookup some seconds ago; the reason of the signal
   */
  find(name: string, blogId: number, signal: AbortSignal): Promise<LookupAddress[]> {
    return this.#lookups.run(String(blogId), async () => {
      signal.throwIfAborted()
      const failed = this.#failed.get(name)
      if (failed) throw failed
      try {
        return await this.#ask(name, signal)
      } catch (error) {
        if (!signal.aborted && !this.#isClosed) this.#failed.set(name, error as Error)
        throw error
      }
    })
  }

  async #ask(name: string, signal: AbortSignal): Promise<LookupAddress[]> {
    if (this.#isClosed) throw new Error('the process stops')
    const { timings, nameServers } = this.#options
    // One of its own, because `cancel` ends all questions of a resolver.
    const resolver = new Resolver({ timeout: timings.lookupMs, tries: 1 })
    if (nameServers) resolver.setServers(nameServers)
    const cancel = () => resolver.cancel()
    this.#asking.add(resolver)
    signal.addEventListener('abort', cancel)
    try {
      return addressesOf(
        await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)]),
      )
    } finally {
      signal.removeEventListener('abort', cancel)
      this.#asking.delete(resolver)
    }
  }

  /** Ends all lookups. */
  close(): void {
    this.#isClosed = true
    for (const resolver of this.#asking) resolver.cancel()
  }
}

/** @throws the error about IPv4 if there is no address */
function addressesOf(results: readonly PromiseSettledResult<string[]>[]): LookupAddress[] {
  const found = results.flatMap((result, index) =>
    result.status === 'fulfilled'
      ? result.value.map((address) => ({ address, family: index === 0 ? 4 : 6 }))
      : [],
  )
  const [first] = results
  if (found.length === 0 && first?.status === 'rejected') throw first.reason
  return found
}
