import type { StoreKeys } from '#wp-frames/host/config/store-settings'
import { isNotInstalled } from '#wp-frames/host/load-package'

/** Finds keys of the machine or container. */
export type Platform = {
  /** The keys, or why there are none: a clause for the operator. */
  find(): Promise<StoreKeys | string>
  /** The next call looks again: the store has refused the keys. */
  forget(): void
}

/** The part of the AWS SDK that finds keys. It is an optional dependency: most stores have keys of their own. */
const PACKAGE = '@aws-sdk/credential-provider-node'

/** What of it is used here. */
type Chain = () => Promise<StoreKeys>

/**
 * Keys of a role, from the provider chain of the AWS SDK: web identity (Kubernetes), containers, instance metadata, `credential_process` and
 * roles of `~/.aws/config`. The chain remembers them until they expire,
 * and renews them five minutes before.
 */
export class PlatformCredentials implements Platform {
  readonly #load: () => Promise<Chain>
  #chain: Promise<Chain> | undefined

  /** @param load loads the chain; rejects with `ERR_MODULE_NOT_FOUND` if it is not installed */
  constructor(load = loadChain) {
    this.#load = load
  }

  async find(): Promise<StoreKeys | string> {
    this.#chain ??= this.#load()
    try {
      const found = await (await this.#chain)()
      const { accessKeyId, secretAccessKey, sessionToken } = found
      return { accessKeyId, secretAccessKey, ...(sessionToken ? { sessionToken } : {}) }
    } catch (error) {
      if (isNotInstalled(error)) {
        this.forget()
        return `install the package ${PACKAGE} (npm install ${PACKAGE})`
      }
      return `the platform provides none (${error instanceof Error ? error.message : error})`
    }
  }

  forget(): void {
    this.#chain = undefined
  }
}

async function loadChain(): Promise<Chain> {
  const { defaultProvider }: { defaultProvider(): Chain } = await import(PACKAGE)
  return defaultProvider()
}
