import type { PhpKey } from './php-key.ts'

/**
 * What a PHP value is here. Arrays are Maps: a Map keeps the order of integer keys, keeps `1` apart
 * from `'01'`, and has no prototype for a key called `__proto__` to reach. A reference is given as
 * the value it points to, so two references to one array are one Map. Integers beyond JavaScript's
 * exact range are bigint. Floats and integers are both numbers: only an edit in place keeps `d:1;`.
 */
export type PhpValue = null | boolean | number | bigint | string | Map<PhpKey, PhpValue> | PhpObject

/** An object, enum case or custom-serialized object: carried as PHP's text, never rebuilt. */
export class PhpObject {
  readonly serialized: string

  constructor(serialized: string) {
    this.serialized = serialized
  }
}

/** What may be encoded: values of our own. An array or a plain object is a PHP array too. */
export type PhpInput =
  | null
  | boolean
  | number
  | bigint
  | string
  | readonly PhpInput[]
  | ReadonlyMap<PhpKey, PhpInput>
  | { readonly [key: string]: PhpInput }
