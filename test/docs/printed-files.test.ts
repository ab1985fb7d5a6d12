import { expect, it } from 'vitest'
import { printedFiles } from '../../tools/tables/printed-files.ts'

it.each(printedFiles())(
  '$path has the tables of the code; "npm run tables" writes them',
  ({ text, printed }) => {
    expect(text).toBe(printed)
  },
)
