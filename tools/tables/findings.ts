import { CHECKS } from '../../src/network/doctor/check-codes.ts'
import { withRows } from './rows.ts'

/** A text of the program as Markdown. */
const escaped = (text: string): string => text.replaceAll('<', '&lt;').replaceAll('|', '\\|')

/** docs/operating.md with a row for each code. */
export const findingsPage = (page: string): string =>
  withRows(
    page,
    [
      'code',
      'what is wrong',
      'severity',
      'what visitors see, or why it matters',
      'how to fix it',
      'by',
    ],
    Object.entries(CHECKS).map(([code, { severity, title, impact, fixHint, fixedBy }]) => [
      `\`${code}\``,
      title,
      severity,
      escaped(impact),
      escaped(fixHint),
      fixedBy,
    ]),
  )
