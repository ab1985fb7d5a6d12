import { accountRefusalOf, BackslashModeError, isDatabaseUnavailable } from './database-error.ts'

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

/** The server answers, and does not accept the account, its host or the name of the database. */
function describeRefusal(code: string, failed: ConnectError): ConnectionFailure | undefined {
  const { sqlMessage = '', message = sqlMessage } = failed
  const text = sqlMessage || message
  const account = /(?:user|account) ('[^']*'@'[^']*')/i.exec(text)?.[1] ?? 'of DATABASE_URL'
  const database = /database '([^']*)'/.exec(text)?.[1] ?? ''
  switch (accountRefusalOf(failed)) {
    case 'password': {
      const isWithout = text.includes('using password: NO')
      return {
        message: `The database server does not accept the user ${account} ${isWithout ? 'without a password' : 'with this password'} (${code}).`,
        advice:
          'Check the user and the password in DATABASE_URL, and that the account may connect from this host. Write @ : / # ? % in them as %40 %3A %2F %23 %3F %25.',
      }
    }
    case 'locked':
      return {
        message: `The database server has locked the account ${account} (${code}).`,
        advice: 'An administrator unlocks it: ALTER USER ... ACCOUNT UNLOCK.',
      }
    case 'expired':
      return {
        message: `The password of the account ${account} has expired (${code}).`,
        advice: 'Give the account another password, and change it in DATABASE_URL.',
      }
    case 'database':
      return {
        message: `There is no database "${database}" on the server (${code}).`,
        advice: 'Check the name at the end of DATABASE_URL.',
      }
    case 'databaseRight':
      return {
        message: `The user ${account} has no right on a database "${database}" (${code}); the server does not say whether there is one.`,
        advice:
          'Check the name at the end of DATABASE_URL. "wp-frames grants" prints the rights that the service needs.',
      }
    case 'host':
      return {
        message: `The database server accepts no connection from this host (${code}).`,
        advice:
          'Create an account for this host, or check the host in DATABASE_URL. After too many failed connections, an administrator lets the host in again with FLUSH HOSTS, or in MySQL 8.4 and later with TRUNCATE TABLE performance_schema.host_cache.',
      }
    case 'tls':
      return {
        message: `The database server accepts this account only with TLS (${code}).`,
        advice: 'Add ?ssl-mode=REQUIRED to DATABASE_URL.',
      }
    default:
      return undefined
  }
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
