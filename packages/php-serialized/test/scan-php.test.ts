import { describe, expect, it } from 'vitest'
import { SerializedError } from '../src/php-value.ts'
import { scanPhp } from '../src/scan-php.ts'

const errorOf = (text: string): unknown => {
  try {
    return scanPhp(text)
  } catch (error) {
    return error
  }
}

describe('scanPhp', () => {
  it.each([
    'N;',
    'b:0;',
    'i:-9223372036854775808;',
    'd:1;',
    'd:1.0E+25;',
    'd:-1.5E-7;',
    'd:INF;',
    'd:-INF;',
    'd:NAN;',
    'd:-0;',
    'd:.5;',
    's:0:"";',
    's:5:"a";b\0";',
    's:6:"é😀";',
    'a:0:{}',
    'a:3:{i:5;N;i:-2;N;i:0;a:0:{}}',
    'O:8:"stdClass":2:{s:4:"\0*\0p";i:1;s:11:"\0stdClass\0q";i:2;}',
    'O:11:"ArrayObject":4:{i:0;i:0;i:1;a:0:{}i:2;a:0:{}i:3;N;}',
    'O:13:"Some\\Clässé":0:{}',
    'E:11:"Suit:Hearts";',
    'C:5:"Crate":3:{}";}',
    'a:2:{i:0;a:1:{i:0;R:2;}i:1;R:2;}',
    'a:1:{i:0;O:8:"stdClass":1:{s:2:"me";r:2;}}',
    'a:2:{i:0;C:5:"Crate":0:{}i:1;R:9;}',
  ])('accepts %j', (text) => {
    const { tokens, bytes } = scanPhp(text)
    expect(tokens[0]).toMatchObject({ start: 0, end: bytes.length, next: tokens.length })
  })

  it.each([
    ['i:5;x', 4],
    ['N;N;', 2],
    ['s:2:"é";}', 9],
    ['a:0:{}}', 6],
    ['a:2:{i:0;N;i:1;R:2;};', 20],
    ['C:5:"Crate":0:{}R:9;', 16],
  ])('ends with the value in %j', (text, end) => {
    expect(scanPhp(text).tokens[0]?.end).toBe(end)
  })

  it.each([
    ['', 0, 'found the end, expected a value'],
    ['x', 0, 'found "x", expected a value'],
    ['i:5', 0, 'expected a value'],
    [' i:5;', 0, 'expected a value'],
    ['b:2;', 0, 'expected a value'],
    ['i:9223372036854775808;', 0, 'expected a 64-bit integer'],
    ['i:-9223372036854775809;', 0, 'expected a 64-bit integer'],
    ['d:1e;', 0, 'expected a value'],
    ['d:;', 0, 'expected a value'],
    ['s:2:"é', 7, 'found the end, expected "; after 2 bytes'],
    ['s:1:"é";', 6, 'expected "; after 1 bytes'],
    ['s:3:"é";', 8, 'expected "; after 3 bytes'],
    ['s:-1:"";', 0, 'expected a value'],
    ['s:99999999999999999999:"x";', 27, 'found the end'],
    ['S:1:"x";', 0, 'expected a value'],
    ['a:1:{i:0;N;', 11, 'found the end, expected } after 0 bytes'],
    ['a:2:{i:0;N;}', 11, 'found "}", expected a key'],
    ['a:0:{i:0;N;}', 5, 'expected } after 0 bytes'],
    ['a:1:{N;N;}', 5, 'expected a key'],
    ['a:1:{d:1;N;}', 5, 'expected a key'],
    ['a:1:{i:99999999999999999999;N;}', 5, 'expected a key'],
    ['a:1:{i:9999999999999999999;N;}', 5, 'expected a 64-bit integer'],
    ['O:8:"stdClass":1:{}', 18, 'expected a key'],
    ['O:0:"":0:{}', 5, 'expected a class name'],
    ['O:3:"a b":0:{}', 5, 'expected a class name'],
    ['O:2:"\\a":0:{}', 5, 'expected a class name'],
    ['O:8:"stdClass":x:{}', 15, 'expected a size'],
    ['E:6:"Hearts";', 5, 'expected a class name'],
    ['E:5:"Suit:";', 5, 'expected a class name'],
    ['C:5:"Crate":4:{abc}', 19, 'expected } after 4 bytes'],
    ['C:5:"Crate":2:{abc}', 17, 'expected } after 2 bytes'],
    ['R:1;', 0, 'expected a reference to an earlier value'],
    ['a:1:{i:0;R:0;}', 9, 'expected a reference to an earlier value'],
    ['a:1:{i:0;R:2;}', 9, 'expected a reference to an earlier value'],
    ['a:1:{i:0;r:2;}', 9, 'expected a reference to an earlier value'],
    ['a:2:{i:0;N;i:1;r:2;}', 15, 'expected a reference to an earlier value'],
    ['a:2:{i:0;s:1:"\u{d800}', 14, 'found an unpaired surrogate'],
  ])('rejects %j at byte %i', (text, offset, message) => {
    const error = errorOf(text)
    expect(error).toBeInstanceOf(SerializedError)
    expect(error).toMatchObject({ offset, message: expect.stringContaining(message) })
    expect(error).toMatchObject({
      message: expect.stringMatching(new RegExp(` at byte ${offset}$`)),
    })
  })
})
