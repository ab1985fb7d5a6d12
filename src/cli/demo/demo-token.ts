import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { authenticate } from '../../callers/authenticate.ts'
import { issueToken } from '../../callers/issue-token.ts'
import { AppError } from '../../errors.ts'
import { findUserByLogin } from '../../wordpress/users/find-user.ts'
import { type CliServices, CommandError } from '../context.ts'
import { DATA_FOLDER } from './demo-database.ts'

const FILE = `${DATA_FOLDER}/demo-token`
const LOGIN = 'admin'

/** The demo's token: the one of the last start where it is still good, so that pasted lines go on working. */
export async function demoToken({ db, globals }: CliServices): Promise<string> {
  const kept = keptToken()
  const now = new Date()
  try {
    await authenticate(db, globals, kept, now)
    if (kept) return kept
  } catch (error) {
    if (!(error instanceof AppError)) throw error
  }
  const user = await findUserByLogin(db, globals, LOGIN)
  if (!user)
    throw new CommandError(
      `The demo network has no user "${LOGIN}". Delete ${DATA_FOLDER} and start again.`,
    )
  const { token } = await db.transaction((tx) =>
    issueToken(tx, globals, { userId: user.id, label: 'demo', now }),
  )
  mkdirSync(DATA_FOLDER, { recursive: true })
  writeFileSync(FILE, token, { mode: 0o600 })
  return token
}

function keptToken(): string | undefined {
  try {
    return readFileSync(FILE, 'utf8')
  } catch {
    return undefined
  }
}
