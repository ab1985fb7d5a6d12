import ipaddr from 'ipaddr.js'
import { z } from 'zod'
import { parseUrl } from '../parse-url.ts'
import { findParameterProblem } from './database-parameters.ts'

/** An address with one of these schemes. `what` it is, for the message. */
export const address = (what: string, ...schemes: string[]) =>
  z.string().refine(
    (text) => {
      return schemes.includes(parseUrl(text)?.protocol.slice(0, -1) ?? '')
    },
    `is not ${what}; it must start with ${schemes.map((scheme) => `${scheme}://`).join(' or ')}`,
  )

/** Whether a user or password has characters that end a part of an address: it has another host then, or none. */
const isCutOff = (text: string): boolean => {
  const url = parseUrl(text)
  return /^(?:mysql|mariadb):\/\//.test(text)
    ? url === undefined || text.includes('#') || url.pathname.includes('@')
    : false
}

/** The address of a database server, with or without the name of a database. */
export const serverAddress = () =>
  z
    .string()
    .refine((text) => !isCutOff(text), {
      message:
        'cannot be read; in the user and password, write @ : / # ? % as %40 %3A %2F %23 %3F %25',
      abort: true,
    })
    .pipe(address('a database address', 'mysql', 'mariadb'))
    .refine(isDecodable, 'contains an invalid percent-encoding; write a percent sign as %25')
    .check(({ value, issues }) => {
      const url = parseUrl(value)
      const fault = url && findParameterProblem(url)
      if (fault !== undefined) issues.push({ code: 'custom', message: fault, input: value })
    })

/** The address of a database on a server. */
export const databaseAddress = () =>
  serverAddress().refine((text) => {
    const url = parseUrl(text)
    return url === undefined || url.pathname.length > 1
  }, 'contains no database name; add it as /name at the end')

/** The feed reads the binlog, which belongs to no database, and its account may have no rights on any. */
export const withoutDatabase = (text: string): string =>
  Object.assign(new URL(text), { pathname: '/' }).href

export const hasCredentials = (url: URL | undefined): boolean =>
  url !== undefined && url.username + url.password !== ''

/** Whether a text is the name of a host, an address, or a range such as `10.0.0.0/8`. */
export const isHostOrRange = (text: string): boolean =>
  ipaddr.isValidCIDR(text) ||
  ipaddr.isValid(text) ||
  /^[a-z0-9_]([a-z0-9_.-]*[a-z0-9])?\.?$/i.test(text)

/** A number between two others. `standard` if the variable is not set. */
export const wholeNumber = (least: number, most: number, standard: number) =>
  z
    .string()
    .regex(/^\d{1,9}$/, `must be a whole number from ${least} to ${most}`)
    .transform(Number)
    .refine((n) => n >= least && n <= most, `must be a whole number from ${least} to ${most}`)
    .prefault(String(standard))

/** One of these values. */
export const oneOf = <const Value extends string>(values: readonly Value[]) =>
  z.enum(values, { error: `must be one of ${values.join(', ')}` })

const isDecodable = (text: string): boolean => {
  try {
    return decodeURIComponent(text) !== ''
  } catch {
    return false
  }
}

/** Origins as browsers send them in the header Origin (scheme, host and port), separated by commas; or `*` for all. */
export const origins = () =>
  z
    .string()
    .transform((text) => text.split(',').map((part) => part.trim()))
    .refine(
      (parts) => parts.every((part) => part === '*' || parseUrl(part)?.origin === part),
      'must be origins without a path, such as https://app.example.org, separated by commas; or *',
    )
