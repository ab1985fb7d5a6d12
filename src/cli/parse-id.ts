import { InvalidArgumentError } from 'commander'

/** @throws InvalidArgumentError if it is not an id */
export function parseId(text: string): number {
  if (/^[1-9]\d{0,14}$/.test(text)) return Number(text)
  throw new InvalidArgumentError('Use the number that is the id.')
}
