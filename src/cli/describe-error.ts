import { ConfigError } from '../config/config.ts'
import { isDatabaseUnavailable, isMissingTable } from '../db/database-error.ts'
import { AppError, DomainError, describeDomainError } from '../errors.ts'
import { CommandError } from './cli-context.ts'
import { CLI_SENTENCES } from './domain-error-sentences.ts'

/** What a server says of a wrong user, password or database. */
const ACCESS_DENIED_CODES = new Set([
  'ER_ACCESS_DENIED_ERROR',
  'ER_DBACCESS_DENIED_ERROR',
  'ER_BAD_DB_ERROR',
])

/** What an operator is told of a failure; undefined where nobody foresaw it. */
export function describeKnownError(error: unknown): string | undefined {
  if (error instanceof CommandError || error instanceof AppError || error instanceof ConfigError)
    return error.message
  if (error instanceof DomainError) return describeDomainError(error, CLI_SENTENCES)
  const { code, address, port, syscall, path } = error as NodeJS.ErrnoException & {
    address?: string
    port?: number
  }
  if (code === 'EADDRINUSE') {
    return `Port ${port} on ${address} is in use by another program. Stop it, or choose others with PORT and FRONT_PORT.`
  }
  if (syscall === 'listen') {
    return `Can't listen on ${address}:${port} (${code}). Choose another address or port with HOST, PORT and FRONT_PORT.`
  }
  if (path !== undefined && syscall !== undefined) return `Can't ${syscall} ${path} (${code}).`
  if (code === 'HANDSHAKE_NO_SSL_SUPPORT')
    return 'The database server offers no TLS, and DATABASE_URL asks for it. Turn it on there, or write ssl=0 in DATABASE_URL.'
  if (code === 'HANDSHAKE_SSL_ERROR')
    return `The TLS connection to the database failed: ${(error as Error).message}. Check ssl-mode and ssl-ca in DATABASE_URL, and the server's certificate.`
  if (isDatabaseUnavailable(error))
    return `The database can't be reached (${code}). Check DATABASE_URL and that the server runs.`
  if (isMissingTable(error))
    return `The database lacks a table (${code}). Check TABLE_PREFIX, the name of the database in DATABASE_URL, and whether "wp-frames migrate" was run.`
  if (ACCESS_DENIED_CODES.has(String(code)))
    return `The database refused: ${code}. Check DATABASE_URL: user, password and database name.`
  if (String(code).startsWith('ER_'))
    return `The database refused: ${code}. See "doctor" for what may be wrong, and try again.`
  return undefined
}

/** The sentence, or the stack where nobody foresaw the failure. */
export function describeError(error: unknown): string {
  return (
    describeKnownError(error) ??
    (error instanceof Error ? (error.stack ?? error.message) : String(error))
  )
}
