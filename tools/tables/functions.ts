import { clientFunctions } from '../docs/client-functions.ts'
import { withRows } from './rows.ts'

/** The README of the client with a row for each function. */
export const functionsPage = (page: string): string =>
  withRows(
    page,
    ['function', 'what it does', 'endpoint'],
    clientFunctions().map(({ name, summary, request }) => [
      `\`${name}\``,
      summary,
      `\`${request}\``,
    ]),
  )
