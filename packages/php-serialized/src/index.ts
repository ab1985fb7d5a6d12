export { decodePhp, endOfValue, findValue } from './decode-php.ts'
export { removeValue, setValue } from './edit-php.ts'
export { encodePhp } from './encode-php.ts'
export { phpTrim } from './php-trim.ts'
export {
  type PhpInput,
  type PhpKey,
  PhpObject,
  type PhpValue,
  phpInt,
  SerializedError,
} from './php-value.ts'
