/** A program that locks each directory of its arguments, prints a line for each result, and then keeps running. */
import { lockDirectory } from '../../../demo/private-database/directory-lock.ts'

for (const directory of process.argv.slice(2)) {
  let line = 'locked'
  try {
    lockDirectory(directory)
  } catch (error) {
    line = (error as Error).message
  }
  process.stdout.write(`${line}\n`)
}
setInterval(() => {}, 1000)
