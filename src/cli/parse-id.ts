import { InvalidArgumentError } from 'commander'

/** Parses a number. @throws InvalidArgumentError for a text that does not match */
export const numberBy =
  (pattern: RegExp, advice: string) =>
  (text: string): number => {
    if (pattern.test(text)) return Number(text)
    throw new InvalidArgumentError(advice)
  }

const ID = /^[1-9]\d{0,14}$/

export const parseId = numberBy(ID, 'Use the number that is the id.')

export const parseItemId = numberBy(ID, 'Use the id of an item; "wp-frames menus show" lists them.')
