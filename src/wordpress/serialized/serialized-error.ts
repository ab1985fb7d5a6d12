/**
 * A serialized value that is damaged, or an edit that its bytes do not allow. Nothing was written.
 * `offset` is the byte of the UTF-8 text, or of the new value, where the trouble stands.
 */
export class SerializedError extends Error {
  override readonly name = 'SerializedError'
  readonly offset: number

  constructor(message: string, offset: number) {
    super(`${message} at byte ${offset}`)
    this.offset = offset
  }
}
