import type { EndpointName } from '#client'
import type { CommandList, EndpointCommand } from '../../api/endpoint.ts'

/** The types of values in the help. */
export const SHOWN_TYPES = {
  flag: '',
  boolean: 'true|false',
  text: 'text',
  id: 'id',
  time: 'time',
  number: 'number',
  'text or number': 'text',
  list: 'list',
} as const

/** A field of the input of an endpoint, as an argument or option of its command. */
export type DerivedField = {
  readonly field: string
  readonly in: 'path' | 'query' | 'body'
  /** The name of the option, without hyphens before it, or of the argument. */
  readonly flag: string
  readonly type: keyof typeof SHOWN_TYPES
  /** A list of sites: the endpoint takes their ids, an operator names them as with `--site`. */
  readonly isOfSites?: boolean
  /** A flag that is on, and off with the option `--no-<flag>`. */
  readonly isOn?: boolean
  readonly choices?: readonly string[]
  readonly description: string
  readonly isRequired?: boolean
}

/** A command that equals an endpoint, or two: one of a site, and one of the network. */
export type DerivedCommand = Omit<EndpointCommand, 'args' | 'options' | 'summary' | 'list'> & {
  readonly site?: EndpointName
  readonly network?: EndpointName
  readonly caller?: EndpointName
  readonly summary: string
  readonly list?: CommandList
  /** `GET /site/<id>/frames`. */
  readonly request: string
  readonly isWrite: boolean
  /** It can be a part of a batch, which shows differences. */
  readonly isContentWrite: boolean
  readonly args: readonly DerivedField[]
  readonly options: readonly DerivedField[]
}

export const argumentOf = ({ flag }: Pick<DerivedField, 'flag'>): string => `<${flag}>`

/** The name, options and arguments of a command, as the help of its group lists it. */
export const termOf = ({ name, args }: DerivedCommand): string =>
  [name.split(' ').at(-1), '[options]', ...args.map(argumentOf)].join(' ')
