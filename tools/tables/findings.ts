import { CHECKS } from '../../src/network/doctor/check-codes.ts'
import { withRows } from './rows.ts'

/** A text of the program as Markdown. */
const escaped = (text: string): string => text.replaceAll('<', '&lt;').replaceAll('|', '\\|')

/** docs/findings.md with a row for each code. */
export const findingsPage = (page: string): string =>
  withRows(
    page,
    ['code', 'severity', 'why it matters', 'how to fix it'],
    Object.entries(CHECKS).map(([code, { severity, impact, fixHint }]) => [
      `\`${code}\``,
      severity,
      escaped(impact),
      escaped(fixHint),
    ]),
  )
