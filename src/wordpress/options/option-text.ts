import { maybeUnserialize } from '../serialized/maybe-serialize.ts'
import { SerializedError } from '../serialized/php-value.ts'

/**
 * The text of an option that holds one, as `get_option` gives it (option.php): one that looks serialized was serialized once more
 * when it was stored. '' for anything else than a text.
 */
export function optionText(stored: string): string {
  try {
    const value = maybeUnserialize(stored)
    return typeof value === 'string' ? value : ''
  } catch (error) {
    if (error instanceof SerializedError) return ''
    throw error
  }
}
