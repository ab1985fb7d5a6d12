import { BackslashModeError, isDatabaseUnavailable } from './database-error.ts'

/** Why there is no connection to the database, and what an operator does about it. */
type ConnectionFailure = { readonly message: string; readonly advice: string }

/** What is read here of an error of the system or of the driver. */
type ConnectError = {
  readonly code?: string
  readonly sqlMessage?: string
  readonly message?: string
  /** The host that has no address. */
  readonly hostname?: string
  /** The address, or the path of the socket. */
  readonly address?: string
  readonly port?: number
}

/** The part of `DATABASE_URL` that is wrong, as far as the error tells. */
export function describeConnectionFailure(error: unknown): ConnectionFailure {
  if (error instanceof BackslashModeError)
    return {
      message: error.message,
      advice:
        'Remove it from sql_mode in the configuration and the running server (SET GLOBAL sql_mode), or set DB_BATCH=0, so that each statement is sent by itself.',
    }
  const failed = error as ConnectError
  const code = failed.code ?? (error as Error).name
  return (
    describeRefusal(code, failed) ??
    describeUnreachable(code, failed) ?? {
      message: isDatabaseUnavailable(error)
        ? `The database is unreachable (${code}).`
        : `The database rejected the connection (${code}).`,
      advice: 'Check DATABASE_URL and that the server is running.',
    }
  )
}

/** The server answers, and does not accept the account or the name of the database. */
function describeRefusal(
  code: string,
  { sqlMessage = '', message = sqlMessage }: ConnectError,
): ConnectionFailure | undefined {
  const text = sqlMessage || message
  const account = /user ('[^']*'@'[^']*')/.exec(text)?.[1] ?? 'of DATABASE_URL'
  const database = /database '([^']*)'/.exec(text)?.[1] ?? ''
  if (code === 'ER_ACCESS_DENIED_ERROR') {
    const isWithout = text.includes('using password: NO')
    return {
      message: `The database server does not accept the user ${account} ${isWithout ? 'without a password' : 'with this password'} (${code}).`,
      advice:
        'Check the user and the password in DATABASE_URL, and that the account may connect from this host. Write @ : / # ? % in them as %40 %3A %2F %23 %3F %25.',
    }
  }
  if (code === 'ER_BAD_DB_ERROR')
    return {
      message: `There is no database "${database}" on the server (${code}).`,
      advice: 'Check the name at the end of DATABASE_URL.',
    }
  if (code === 'ER_DBACCESS_DENIED_ERROR')
    return {
      message: `The user ${account} has no right on a database "${database}" (${code}); the server does not say whether there is one.`,
      advice:
        'Check the name at the end of DATABASE_URL. "wp-frames grants" prints the rights that the service needs.',
    }
  if (code === 'ER_HOST_NOT_PRIVILEGED')
    return {
      message: `The database server accepts no connection from this host (${code}).`,
      advice: 'Create an account for this host, or check the host in DATABASE_URL.',
    }
  return undefined
}

/** There is no server at the host and port, or no such host. */
function describeUnreachable(
  code: string,
  { hostname, address, port }: ConnectError,
): ConnectionFailure | undefined {
  if (hostname !== undefined)
    return {
      message: `The database is unreachable: the host "${hostname}" has no address (${code}).`,
      advice: 'Check the host in DATABASE_URL.',
    }
  if (address === undefined) return undefined
  const at = port === undefined ? address : `${address}:${port}`
  const reason =
    code === 'ECONNREFUSED' || code === 'ENOENT' ? 'no server listens at' : 'no answer from'
  return {
    message: `The database is unreachable: ${reason} ${at} (${code}).`,
    advice: `Check that the server is running, and the ${port === undefined ? 'socketPath' : 'host and port'} in DATABASE_URL.`,
  }
}
