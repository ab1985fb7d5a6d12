import { isServiceError, type ServiceError } from '#client'
import { describeConnectionFailure } from '../db/connection-failure.ts'
import {
  accountRefusalOf,
  isDatabaseUnavailable,
  isDenied,
  isMissingTable,
  isStatementTimeout,
  missingTableIn,
} from '../db/database-error.ts'
import { AppError, OperatorError } from '../host/errors.ts'
import { tableErrorOf } from '../wordpress/health/table-knowledge.ts'

/** The message for an expected error; undefined for an unexpected one. */
export function describeKnownError(thrown: unknown): string | undefined {
  const error = withoutClient(thrown)
  if (error instanceof AppError || isServiceError(error))
    return error.code === 'rest_invalid_param' ? describeInvalid(error) : error.message
  if (error instanceof OperatorError) return error.message
  const { code, address, port, syscall, path } = error as NodeJS.ErrnoException & {
    address?: string
    port?: number
  }
  if (code === 'EADDRINUSE') {
    return `Port ${port} on ${address} is in use by another program. Stop that program, or set PORT, FRONT_PORT and METRICS_PORT to other ports.`
  }
  if (syscall === 'listen') {
    return `Cannot listen on ${address}:${port} (${code}). Set HOST, PORT and FRONT_PORT, or METRICS_HOST and METRICS_PORT, to another address or port.`
  }
  if (path !== undefined && syscall !== undefined) return `Cannot ${syscall} ${path} (${code}).`
  if (code === 'HANDSHAKE_NO_SSL_SUPPORT')
    return 'The database server does not support TLS, but DATABASE_URL requires it. Enable TLS on the server, or set ssl=0 in DATABASE_URL.'
  if (code === 'HANDSHAKE_SSL_ERROR')
    return `The TLS connection to the database failed: ${(error as Error).message}. Check ssl-mode and ssl-ca in DATABASE_URL, and the server's certificate.`
  if (isStatementTimeout(error))
    return `The database took too long for a statement (${code}). Another program has locked a table, or a table is very large or damaged. Try again later.`
  if (isDatabaseUnavailable(error) || accountRefusalOf(error) !== undefined) {
    const { message, advice } = describeConnectionFailure(error)
    return `${message} ${advice}`
  }
  if (isMissingTable(error)) return describeMissingTable(missingTableIn(error) ?? '')
  if (isDenied(error))
    return `The database user lacks a right: ${(error as { sqlMessage?: string }).sqlMessage}. Run "wp-frames doctor", which prints the statements that grant what is missing.`
  const ofTable = tableErrorOf(error)
  if (ofTable) return ofTable.message
  if (String(code).startsWith('ER_'))
    return `The database rejected a statement: ${code}. Run "wp-frames doctor" to find the cause, then retry.`
  return undefined
}

/** What a request in this process has thrown. `fetch` itself throws only errors of this type, when no response arrives. */
const withoutClient = (error: unknown): unknown =>
  isServiceError(error) && error.reason !== undefined && !(error.reason instanceof TypeError)
    ? error.reason
    : error

/**
 * Clients of the API read in a field what each parameter takes.
 * @param typed what an operator has typed for a parameter, by its name [the name]
 */
export function describeInvalid(
  { message, fields }: AppError | ServiceError,
  typed: ReadonlyMap<string, string> = new Map(),
): string {
  const { params = {} } = fields as { readonly params?: object }
  const rules = Object.entries(params).map(([name, rule]) => `${typed.get(name) ?? name}: ${rule}`)
  return rules.length > 0 ? `Invalid parameter(s): ${rules.join('; ')}.` : message
}

function describeMissingTable(table: string): string {
  const missing = `The table "${table}" does not exist in the database.`
  if (/svc_\w+$/.test(table)) return `${missing} Run "wp-frames migrate".`
  if (/_\d+_[a-z_]+$/.test(table))
    return `${missing} Restore it from a backup; "wp-frames doctor" lists all tables that are missing.`
  return `${missing} Check TABLE_PREFIX and the database name in DATABASE_URL; if both are right, restore the table from a backup.`
}

/** The message of an expected error, or the stack of an unexpected one. */
export function describeError(thrown: unknown): string {
  const error = withoutClient(thrown)
  return (
    describeKnownError(error) ??
    (error instanceof Error ? (error.stack ?? error.message) : String(error))
  )
}
