/** The site, the user and the object cache of a request. */
export type Request = {
  /** Path of the site: `/` or `/shop/`. */
  readonly site?: string
  /** Login of the user; by default nobody is signed in. */
  readonly user?: string
  readonly cache?: DropIn
}

/** A drop-in for the object cache: the format of its keys, the address of its Redis, and the prefix of its keys. */
export type DropIn = {
  readonly form: 'redis-object-cache' | 'wp-redis'
  readonly url: string
  readonly prefix: string
}

/** A real WordPress over HTTP. Every probe runs in its own PHP request. See `compat/wordpress/compat.php`. */
export class WordPress {
  readonly #url: string

  constructor(url: string) {
    this.#url = url
  }

  /**
   * Runs a probe and returns its answer.
   * @throws Error with PHP's message if it failed
   */
  async ask<T>(
    probe: string,
    args: unknown = {},
    { site = '/', user, cache }: Request = {},
  ): Promise<T> {
    const response = await fetch(`${this.#url}/compat.php`, {
      method: 'POST',
      body: JSON.stringify({ probe, args, site, user: user ?? null, cache: cache ?? null }),
    })
    const text = await response.text()
    let result: { answer?: T; error?: string }
    try {
      result = JSON.parse(text)
    } catch {
      throw new Error(`WordPress answered ${response.status}: ${text.slice(0, 2000)}`)
    }
    if (result.error !== undefined) throw new Error(result.error)
    return result.answer as T
  }
}
