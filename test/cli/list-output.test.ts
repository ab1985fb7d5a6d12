import { Command } from 'commander'
import { describe, expect, it } from 'vitest'
import {
  addListOptions,
  formatRows,
  type List,
  type ListOptions,
} from '../../src/cli/list-output.ts'

type Row = { readonly id: number; readonly title: string; readonly pages: readonly number[] }

const LIST: List<Row> = {
  id: 'id',
  shown: ['id', 'title'],
  others: ['pages', 'size'],
  cells: { size: ({ title }) => title.length },
}
const row = (title: string, pages: readonly number[] = []): Row => ({ id: 7, title, pages })

/** The options of a command line; throws for wrong usage. */
function parse(...args: string[]): ListOptions {
  const command = addListOptions(new Command().exitOverride(), LIST, 'x').action(() => {})
  return command
    .configureOutput({ writeErr: () => {} })
    .parse(['node', 'x', ...args])
    .opts()
}

const print = (rows: readonly Row[], ...args: string[]): string =>
  formatRows(LIST, rows, { success: true, rows }, parse(...args))

describe('a list', () => {
  it('is a table with the names of its fields', () => {
    expect(print([row('A')])).toBe('id  title\n7   A\n')
    expect(print([row('A', [1, 2])], '--format', 'table', '--fields', 'size, pages')).toBe(
      'size  pages\n1     1,2\n',
    )
  })

  it('is the whole answer as JSON, or its rows with the chosen fields', () => {
    const answer = { success: true, rows: [row('A')] }
    expect(JSON.parse(print([row('A')], '--json'))).toEqual(answer)
    expect(print([row('A')], '--format', 'json')).toBe(print([row('A')], '--json'))
    const chosen = print([row('A', [3])], '--json', '--fields', 'pages,size')
    expect(JSON.parse(chosen)).toEqual([{ pages: [3], size: 1 }])
  })

  it('prints ids one a line', () => {
    expect(print([row('A'), row('B')], '--format', 'ids')).toBe('7\n7\n')
    expect(print([], '--format', 'ids')).toBe('')
  })

  it.each([
    ['a,b', '"a,b"'],
    ['say "x"', '"say ""x"""'],
    ['two\nlines', '"two\nlines"'],
    ['=1+1', "'=1+1"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['+49 30', "'+49 30"],
    ['-x, y', '"\'-x, y"'],
    ['-12.5', '-12.5'],
    ['plain', 'plain'],
  ])('quotes %j in CSV', (title, cell) => {
    expect(print([row(title)], '--format', 'csv')).toBe(`id,title\n7,${cell}\n`)
  })

  it('names the known fields for an unknown one', () => {
    expect(() => parse('--fields', 'id,titel')).toThrow(
      'There is no field "titel". Did you mean "title"? The fields are id, title, pages, size.',
    )
    expect(() => parse('--format', 'yaml')).toThrow(/Allowed choices are table, json, csv, ids/)
    expect(() => parse('--json', '--format', 'csv')).toThrow(/cannot be used with/)
  })
})
