import { Argument, InvalidArgumentError, Option } from 'commander'

/** The argument that names a menu. */
export const menuArgument = (): Argument =>
  new Argument('<menu>', 'its id, slug or name, or a location, as in ~header')

/** The option `--parent`. */
export function parentOption(): Option {
  return new Option('--parent <id>', 'below this item; 0 for the top level').argParser((text) =>
    text === '0' ? 0 : parseItemId(text),
  )
}

/** @throws InvalidArgumentError if it is not an id */
export function parseItemId(text: string): number {
  if (/^[1-9]\d{0,14}$/.test(text)) return Number(text)
  throw new InvalidArgumentError('Use the id of an item; "wp-frames menus show" lists them.')
}
