/** Whose request it is, at which site, and through which drop-in's object cache. */
export type Request = {
  /** Path of the site: `/` or `/shop/`. */
  readonly site?: string
  /** Login of the user; nobody where it is left out. */
  readonly user?: string
  readonly cache?: DropIn
}

/** A drop-in for the object cache: whose keys it uses, where its Redis is, and what it puts before its keys. */
export type DropIn = {
  readonly form: 'redis-object-cache' | 'wp-redis'
  readonly url: string
  readonly prefix: string
}

/** A real WordPress, asked over HTTP; every question is a PHP request of its own. See `compat/wordpress/compat.php`. */
export class WordPress {
  readonly #url: string

  constructor(url: string) {
    this.#url = url
  }

  /**
   * What a probe says.
   * @throws Error with PHP's own where it failed
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
    let said: { answer?: T; error?: string }
    try {
      said = JSON.parse(text)
    } catch {
      throw new Error(`WordPress answered ${response.status}: ${text.slice(0, 2000)}`)
    }
    if (said.error !== undefined) throw new Error(said.error)
    return said.answer as T
  }
}
