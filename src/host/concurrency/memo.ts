/** Memoizes asynchronous reads by key: concurrent and later calls share one result, including its rejection. */
export class Memo {
  readonly #results = new Map<string, Promise<unknown>>()

  once<T>(key: string, read: () => Promise<T>): Promise<T> {
    const result = this.#results.get(key) ?? read()
    this.#results.set(key, result)
    return result as Promise<T>
  }
}
